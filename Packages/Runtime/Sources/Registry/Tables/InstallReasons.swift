import HostSystem
public import PluginCore
import SQLite

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
        try store(reason, of: identifier, replacing: reason == .requested)
        try connection.uninstalled.remove(identifier)
    }

    /// Stores a reason, in place of an earlier one or only if there is none.
    func store(_ reason: InstallReason, of identifier: BundleIdentifier, replacing: Bool) throws(AtriumError) {
        try connection.execute(
            "INSERT OR \(replacing ? "REPLACE" : "IGNORE") INTO install_reason (identifier, reason) VALUES (?, ?)",
            identifier, reason.rawValue)
    }

    /// Removes the reason for a bundle.
    func remove(_ identifier: BundleIdentifier) throws(AtriumError) {
        try connection.execute("DELETE FROM install_reason WHERE identifier = ?", identifier)
    }
}

/// The bundles installed on demand that no user has requested by name and that haven't run yet, with tokens of their installs.
///
/// A token is stored in the transaction that activates a bundle. While it exists, the on-demand install that added the bundle may
/// remove it again.
package struct OnDemandInstallTable: Sendable {
    let connection: RegistryConnection

    /// Returns the token of the on-demand install that added a bundle.
    ///
    /// - Returns: `nil` once a user has requested it by name, or it has run.
    package func token(of identifier: BundleIdentifier) throws(AtriumError) -> String? {
        try connection.value("SELECT token FROM on_demand_install WHERE identifier = ?", identifier)
    }

    /// Stores or removes the token of a bundle.
    func set(_ token: String?, of identifier: BundleIdentifier) throws(AtriumError) {
        if let token {
            try connection.execute(
                "INSERT OR REPLACE INTO on_demand_install (identifier, token) VALUES (?, ?)", identifier, token)
        } else {
            try connection.execute("DELETE FROM on_demand_install WHERE identifier = ?", identifier)
        }
    }

    /// Checks, in the transaction that removes a bundle, that it still belongs to the on-demand install.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNeeded`.
    func require(_ token: String, of identifier: BundleIdentifier) throws(AtriumError) {
        guard try self.token(of: identifier) == token else {
            throw AtriumError(.bundleNeeded, identifier, reason: "requestedMeanwhile")
        }
    }
}

/// The table of bundles that a user has uninstalled by name.
///
/// They aren't installed on demand again without a question.
public struct UninstalledTable: Sendable {
    let connection: RegistryConnection

    /// Returns the bundles that haven't been installed since.
    public func all() throws(AtriumError) -> Set<BundleIdentifier> {
        Set(try connection.query("SELECT identifier FROM uninstalled") { try $0["identifier"] })
    }

    func add(_ identifier: BundleIdentifier) throws(AtriumError) {
        try connection.execute(
            "INSERT OR REPLACE INTO uninstalled (identifier, at) VALUES (?, ?)", identifier, Clock.now())
    }

    func remove(_ identifier: BundleIdentifier) throws(AtriumError) {
        try connection.execute("DELETE FROM uninstalled WHERE identifier = ?", identifier)
    }
}

/// The table of bundles whose data is to be deleted.
///
/// They are recorded with their removal, so that an interrupted deletion is completed later.
package struct ErasureTable: Sendable {
    let connection: RegistryConnection

    /// Returns the bundles whose data is still to be deleted, sorted.
    package func all() throws(AtriumError) -> [BundleIdentifier] {
        try connection.query("SELECT identifier FROM pending_erasure ORDER BY identifier") { try $0["identifier"] }
    }

    /// Adds bundles.
    package func add(_ identifiers: [BundleIdentifier]) throws(AtriumError) {
        try connection.execute(
            "INSERT OR IGNORE INTO pending_erasure SELECT value FROM json_each(?)", RecordJSON.list(identifiers))
    }

    /// Removes bundles.
    package func remove(_ identifiers: [BundleIdentifier]) throws(AtriumError) {
        try connection.execute(
            "DELETE FROM pending_erasure WHERE identifier IN (SELECT value FROM json_each(?))",
            RecordJSON.list(identifiers))
    }
}
