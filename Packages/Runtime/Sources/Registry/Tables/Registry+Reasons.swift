import HostSystem
public import PluginCore
import SQLite

/// The reasons for installations, and the bundles that a user has uninstalled by name.
extension Registry {
    /// Returns the reasons for the installed bundles, by identifier.
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

    /// Returns the bundles that a user has uninstalled by name and that haven't been installed since.
    public func uninstalled() throws(AtriumError) -> Set<String> {
        let rows: [String] =
            try read { database in
                try database.query("SELECT identifier FROM uninstalled") { try $0[0, as: String.self] }
            } ?? []
        return Set(rows)
    }

    /// Stores the reason for a bundle; only a request by name replaces an earlier reason.
    static func set(_ reason: InstallReason, of identifier: String, in database: Database) throws {
        let conflict = reason == .requested ? "REPLACE" : "IGNORE"
        try database.execute("INSERT OR \(conflict) INTO install_reason VALUES (?, ?)", identifier, reason.rawValue)
        try database.execute("DELETE FROM uninstalled WHERE identifier = ?", identifier)
    }

    /// Records that a user has uninstalled a bundle by name, within a transaction.
    static func record(uninstalled identifier: String, at time: Int64 = Clock.now(), in database: Database) throws {
        try database.execute("INSERT OR REPLACE INTO uninstalled VALUES (?, ?)", identifier, time)
    }

    /// Removes the reason and pin of a bundle that is neither active nor staged, within a transaction.
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

    /// Restores the reasons, pins and uninstalled bundles of an earlier registry.
    package func restore(reasons: [String: InstallReason], pins: [VersionPin], uninstalled: [String])
        throws(AtriumError)
    {
        let present = Set(try versions().map(\.identity.identifier))
        try write { database in
            for (identifier, reason) in reasons where present.contains(identifier) {
                try database.execute(
                    "INSERT OR REPLACE INTO install_reason VALUES (?, ?)", identifier, reason.rawValue)
            }
            for pin in pins where present.contains(pin.identifier) { try Self.set(pin, in: database) }
            for identifier in uninstalled where !present.contains(identifier) {
                try Self.record(uninstalled: identifier, in: database)
            }
        }
    }
}
