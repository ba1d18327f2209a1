public import PluginCore
import SQLite

/// Why bundles are installed, and which ones somebody uninstalled by name.
extension Registry {
    /// Why bundles are installed, by identifier.
    public func reasons() throws(AtriumError) -> [String: InstallReason] {
        let rows: [(String, InstallReason)] =
            try read { database in
                try database.query("SELECT identifier, reason FROM install_reason") { row in
                    let (identifier, text) = (try row[0, as: String.self], try row[1, as: String.self])
                    guard let reason = InstallReason(rawValue: text) else {
                        throw AtriumError(.registryDamaged, identifier, detail: "reason \"\(text)\" cannot be read")
                    }
                    return (identifier, reason)
                }
            } ?? []
        return Dictionary(rows) { $1 }
    }

    /// The bundles that somebody uninstalled by name and that have not been installed since.
    public func uninstalled() throws(AtriumError) -> Set<String> {
        let rows: [String] =
            try read { database in
                try database.query("SELECT identifier FROM uninstalled") { try $0[0, as: String.self] }
            } ?? []
        return Set(rows)
    }

    /// Notes why a bundle comes, within a transaction. A request by name counts more than what was noted before, and nothing else does.
    static func set(_ reason: InstallReason, of identifier: String, in database: Database) throws {
        let conflict = reason == .requested ? "REPLACE" : "IGNORE"
        try database.execute("INSERT OR \(conflict) INTO install_reason VALUES (?, ?)", identifier, reason.rawValue)
        try database.execute("DELETE FROM uninstalled WHERE identifier = ?", identifier)
    }

    /// Notes that a bundle was uninstalled by name, within a transaction.
    static func note(uninstalled identifier: String, at time: Int64 = Clock.now(), in database: Database) throws {
        try database.execute("INSERT OR REPLACE INTO uninstalled VALUES (?, ?)", identifier, time)
    }

    /// Forgets reason and pin of a bundle that is neither active nor staged any more, within a transaction.
    static func forgetUnlessPresent(_ identifier: String, in database: Database) throws {
        let isPresent = try database.value(
            """
            SELECT EXISTS (SELECT 1 FROM active WHERE identifier = ?1)
                OR EXISTS (SELECT 1 FROM staged WHERE identifier = ?1)
            """, identifier, as: Bool.self)
        guard isPresent == false else { return }
        try database.execute("DELETE FROM install_reason WHERE identifier = ?", identifier)
        try database.execute("DELETE FROM pin WHERE identifier = ?", identifier)
    }

    /// Takes over what an earlier registry said of bundles.
    func restore(reasons: [String: InstallReason], pins: [VersionPin], uninstalled: [String]) throws(AtriumError) {
        let present = Set(try versions().map(\.identity.identifier))
        try write { database in
            for (identifier, reason) in reasons where present.contains(identifier) {
                try database.execute(
                    "INSERT OR REPLACE INTO install_reason VALUES (?, ?)", identifier, reason.rawValue)
            }
            for pin in pins where present.contains(pin.identifier) { try Self.set(pin, in: database) }
            for identifier in uninstalled where !present.contains(identifier) {
                try Self.note(uninstalled: identifier, in: database)
            }
        }
    }
}
