package import PluginCore
import SQLite

/// Bundles installed on demand that no user has requested by name and that haven't run yet.
///
/// The mark is stored in the transaction that activates them. While it exists, the on-demand install that added them may remove
/// them again. See Documentation/Decisions/0032-installs-on-demand.md.
extension Registry {
    private static func installTokenKey(of identifier: String) -> String { "supplied \(identifier)" }

    /// Returns the on-demand install that added a bundle.
    ///
    /// - Returns: `nil` once a user has requested it by name, or it has run.
    package func installToken(of identifier: String) throws(AtriumError) -> String? {
        try metadata(Self.installTokenKey(of: identifier))
    }

    /// Records that a user requests bundles by name, no matter how they were installed.
    package func want(_ identifiers: [String]) throws(AtriumError) {
        let reasons = try reasons()
        var others: [String] = []
        for identifier in identifiers where try installToken(of: identifier) != nil || reasons[identifier] != .requested
        {
            others.append(identifier)
        }
        // Usually there are none, so a read-only sandbox suffices.
        if others.isEmpty { return }
        try write { database in
            for identifier in others {
                try Self.set(installToken: nil, of: identifier, in: database)
                try Self.set(.requested, of: identifier, in: database)
            }
        }
    }

    /// Stores or removes the mark of the on-demand install that adds a bundle, within a transaction.
    static func set(installToken: String?, of identifier: String, in database: Database) throws {
        if let installToken {
            try database.execute(
                "INSERT OR REPLACE INTO note VALUES (?, ?)", installTokenKey(of: identifier), installToken)
        } else {
            try database.execute("DELETE FROM note WHERE name = ?", installTokenKey(of: identifier))
        }
    }

    /// Checks, in the transaction that removes a bundle, that it still belongs to the on-demand install.
    static func require(installToken: String, of identifier: String, in database: Database) throws {
        let noted = try database.value(
            "SELECT value FROM note WHERE name = ?", installTokenKey(of: identifier), as: String.self)
        guard noted == installToken else {
            throw AtriumError(.bundleNeeded, identifier, detail: "somebody has asked for it meanwhile")
        }
    }
}
