import HostSystem
public import PluginCore
internal import SQLite

/// The table of bundles that a user has uninstalled by name.
///
/// They aren't installed on demand again without a question.
public struct UninstalledTable: Sendable {
    let connection: RegistryConnection

    /// Returns the bundles that haven't been installed since.
    public func all() throws(AtriumError) -> Set<BundleIdentifier> {
        Set(try connection.query("SELECT identifier FROM uninstalled", row: Self.identifier))
    }

    /// Decodes the identifier of a row.
    static func identifier(_ row: borrowing Row) throws -> BundleIdentifier { try row["identifier"] }

    func add(_ identifier: BundleIdentifier) throws(AtriumError) {
        try connection.execute(
            "INSERT OR REPLACE INTO uninstalled (identifier, at) VALUES (?, ?)", identifier, Clock.now())
    }

    func remove(_ identifier: BundleIdentifier) throws(AtriumError) {
        try connection.execute("DELETE FROM uninstalled WHERE identifier = ?", identifier)
    }
}
