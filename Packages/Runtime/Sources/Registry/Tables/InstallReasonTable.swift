public import PluginCore
internal import SQLite

/// The reasons why a bundle is installed.
public enum InstallReason: String, Hashable, Sendable, CaseIterable {
    /// A user installed it by name.
    case requested
    /// Another bundle requires it.
    case required
    /// An address or a call needed it.
    case onDemand
}

/// The table of install reasons.
public struct InstallReasonTable: Sendable {
    let connection: RegistryConnection

    /// Returns the reasons for the installed bundles, by identifier.
    public func all() throws(AtriumError) -> [BundleIdentifier: InstallReason] {
        let rows = try connection.query("SELECT * FROM install_reason", row: Self.entry)
        return Dictionary(rows) { $1 }
    }

    /// Decodes the identifier and the reason of a row.
    static func entry(_ row: borrowing Row) throws -> (BundleIdentifier, InstallReason) {
        let identifier: BundleIdentifier = try row["identifier"]
        return (identifier, try row.parse("reason", of: identifier) { InstallReason(rawValue: $0) })
    }

    /// Stores the reason for a bundle, unless there is an earlier one; a request by name replaces any.
    func set(_ reason: InstallReason, of identifier: BundleIdentifier) throws(AtriumError) {
        let conflict = reason == .requested ? "REPLACE" : "IGNORE"
        try connection.execute(
            "INSERT OR \(conflict) INTO install_reason (identifier, reason) VALUES (?, ?)", identifier, reason.rawValue)
        try connection.uninstalled.remove(identifier)
    }

    /// Stores the reason of an earlier registry in place of the present one.
    func restore(_ reason: InstallReason, of identifier: BundleIdentifier) throws(AtriumError) {
        try connection.execute(
            "INSERT OR REPLACE INTO install_reason (identifier, reason) VALUES (?, ?)", identifier, reason.rawValue)
    }

    /// Removes the reason for a bundle.
    func remove(_ identifier: BundleIdentifier) throws(AtriumError) {
        try connection.execute("DELETE FROM install_reason WHERE identifier = ?", identifier)
    }
}
