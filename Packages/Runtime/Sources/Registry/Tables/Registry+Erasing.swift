package import PluginCore
import SQLite

/// Data that is deleted together with its bundles, recorded in the same transaction so that an interrupted deletion is completed later.
extension Registry {
    private static let note = "erase"

    /// Returns the bundles whose data is still to be deleted.
    package func erasures() throws(AtriumError) -> [String] {
        try metadata(Self.note).map { $0.split(separator: "\n").map(String.init) } ?? []
    }

    /// Records further bundles, within a transaction.
    static func record(erasing identifiers: [String], in database: Database) throws {
        let noted = try database.value("SELECT value FROM note WHERE name = ?", note, as: String.self)
        let all = (noted?.split(separator: "\n").map(String.init) ?? []) + identifiers
        try set(erasures: Array(Set(all)).sorted(), in: database)
    }

    /// Replaces the list of bundles whose data is still to be deleted.
    package func record(erasures identifiers: [String]) throws(AtriumError) {
        try write { try Self.set(erasures: identifiers, in: $0) }
    }

    private static func set(erasures identifiers: [String], in database: Database) throws {
        if identifiers.isEmpty {
            try database.execute("DELETE FROM note WHERE name = ?", note)
        } else {
            try database.execute(
                "INSERT OR REPLACE INTO note VALUES (?, ?)", note, identifiers.joined(separator: "\n"))
        }
    }
}
