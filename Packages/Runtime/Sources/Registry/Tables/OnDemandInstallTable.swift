package import PluginCore
internal import SQLite

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
