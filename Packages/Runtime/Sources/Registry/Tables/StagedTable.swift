public import PluginCore
internal import SQLite

/// The table of staged versions, at most one for each bundle.
public struct StagedTable: Sendable {
    let connection: RegistryConnection

    /// Run at each start, so it reads only what is staged; SQLite would order a join by reading all installed versions.
    static let selectAll = """
        SELECT \(VersionTable.columns) FROM bundle
        WHERE (identifier, version, digest) IN (SELECT identifier, version, digest FROM staged) ORDER BY identifier
        """

    /// Returns the staged versions, sorted by identifier.
    public func all() throws(AtriumError) -> [PluginBundle] {
        try connection.query(Self.selectAll) { try PluginBundle($0) }
    }

    /// Returns the staged version of a bundle, if any.
    public func version(of identifier: BundleIdentifier) throws(AtriumError) -> PluginBundle? {
        try all().first { $0.identity.identifier == identifier }
    }

    /// Stages a version in place of the bundle's earlier one.
    ///
    /// - Parameter waitsForData: whether it becomes active as soon as nothing uses the data of the active one.
    func set(_ bundle: PluginBundle, waitsForData: Bool) throws(AtriumError) {
        try connection.execute(
            """
            INSERT OR REPLACE INTO staged (identifier, version, digest, waits_for_data)
            VALUES (:identifier, :version, :digest, :waits)
            """, arguments: bundle.key.arguments(["waits": waitsForData ? 1 : 0]))
    }

    /// Returns the bundles whose staged versions become active as soon as nothing uses the data of the active ones.
    public func waitingForData() throws(AtriumError) -> [BundleIdentifier] {
        try connection.query("SELECT identifier FROM staged WHERE waits_for_data ORDER BY identifier") {
            try $0["identifier"]
        }
    }

    /// Unstages exactly this version of its bundle.
    func remove(_ bundle: PluginBundle) throws(AtriumError) {
        try connection.execute("DELETE FROM staged \(VersionKey.condition)", arguments: bundle.key.arguments())
    }

    /// Unstages the version of a bundle, if any.
    func remove(_ identifier: BundleIdentifier) throws(AtriumError) {
        try connection.execute("DELETE FROM staged WHERE identifier = ?", identifier)
    }
}
