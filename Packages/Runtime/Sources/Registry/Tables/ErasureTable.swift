package import PluginCore
internal import SQLite

/// The bundles whose data is to be deleted, recorded with their removal so that an interrupted deletion is completed later.
package struct ErasureTable: Sendable {
    let connection: RegistryConnection
    private static let note = "erase"

    /// Returns the bundles whose data is still to be deleted, sorted.
    package func all() throws(AtriumError) -> [String] {
        let text: String? = try connection.value("SELECT value FROM note WHERE name = ?", Self.note)
        return text?.split(separator: "\n").map(String.init) ?? []
    }

    /// Adds bundles.
    package func add(_ identifiers: [String]) throws(AtriumError) {
        try connection.write { tables in
            try tables.erasures.replace(with: Set(try tables.erasures.all()).union(identifiers).sorted())
        }
    }

    /// Removes bundles.
    package func remove(_ identifiers: some Sequence<String>) throws(AtriumError) {
        try connection.write { tables in
            try tables.erasures.replace(with: Set(try tables.erasures.all()).subtracting(identifiers).sorted())
        }
    }

    private func replace(with identifiers: [String]) throws(AtriumError) {
        if identifiers.isEmpty {
            try connection.execute("DELETE FROM note WHERE name = ?", Self.note)
        } else {
            try connection.execute(
                "INSERT OR REPLACE INTO note VALUES (?, ?)", Self.note, identifiers.joined(separator: "\n"))
        }
    }
}
