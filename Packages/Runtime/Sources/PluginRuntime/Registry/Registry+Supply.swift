import PluginCore
import SQLite

/// What a request has brought, and nobody has asked for by name since. It is noted in the transaction that makes it active, and as
/// long as the note is there, who has brought it may take it back.
extension Registry {
    private static func note(of identifier: String) -> String { "supplied \(identifier)" }

    /// By which request a bundle was brought; `nil` when somebody has asked for it by name, or it has run.
    func supply(of identifier: String) throws(AtriumError) -> String? {
        try note(Self.note(of: identifier))
    }

    /// Notes that somebody asks for bundles by name, whoever has brought them.
    func want(_ identifiers: [String]) throws(AtriumError) {
        let reasons = try reasons()
        var others: [String] = []
        for identifier in identifiers where try supply(of: identifier) != nil || reasons[identifier] != .requested {
            others.append(identifier)
        }
        // Nearly always, and then a sandbox that cannot be written will do.
        if others.isEmpty { return }
        try write { database in
            for identifier in others {
                try Self.set(supply: nil, of: identifier, in: database)
                try Self.set(.requested, of: identifier, in: database)
            }
        }
    }

    /// Notes by which request a bundle comes, within a transaction; `nil` for none.
    static func set(supply: String?, of identifier: String, in database: Database) throws {
        if let supply {
            try database.execute("INSERT OR REPLACE INTO note VALUES (?, ?)", note(of: identifier), supply)
        } else {
            try database.execute("DELETE FROM note WHERE name = ?", note(of: identifier))
        }
    }

    /// Makes sure, within the transaction that takes a bundle back, that it is still a request's.
    static func require(supply: String, of identifier: String, in database: Database) throws {
        let noted = try database.value("SELECT value FROM note WHERE name = ?", note(of: identifier), as: String.self)
        guard noted == supply else {
            throw AtriumError(.bundleNeeded, identifier, detail: "somebody has asked for it meanwhile")
        }
    }
}
