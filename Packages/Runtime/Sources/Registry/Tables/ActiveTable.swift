public import PluginCore
import SQLite

/// The active version of a bundle and its rollback target.
public struct InstalledBundle: Hashable, Sendable {
    /// The active version.
    public let active: PluginBundle
    /// The version that a rollback makes active.
    ///
    /// It is `nil` when none is kept, or when the kept one isn't known to have run and is below a version that has.
    public let previous: PluginBundle?

    /// Returns the rollback target after another version has become active: the last one that has run, or else the current one.
    func kept(below bundle: PluginBundle) -> PluginBundle? {
        // The same version with different content replaces the active one.
        if active.identity == bundle.identity { return previous }
        guard !active.hasRun, let previous, previous.hasRun, previous != bundle else { return active }
        return previous
    }
}

extension InstalledBundle {
    /// Decodes an active version with its rollback target.
    fileprivate init(_ row: borrowing Row) throws {
        let minimumVersion = try row["minimum_version", as: String?.self].flatMap { SemanticVersion($0) }
        var previous: PluginBundle?
        if try row["previous", as: String?.self] != nil { previous = try row.record("previous") }
        self.init(
            active: try row.record(),
            previous: previous.flatMap { $0.isRollbackTarget(above: minimumVersion) ? $0 : nil })
    }
}

/// The table of installed bundles: the active version of each, and its rollback target.
public struct ActiveTable: Sendable {
    let connection: RegistryConnection

    private static let selectAll = """
        SELECT active.identifier, b.json, p.json AS previous, note.json ->> 'minimumVersion' AS minimum_version
        FROM active JOIN bundle b USING (identifier, version, digest)
        LEFT JOIN bundle p ON p.identifier = active.identifier AND p.version = previous_version
            AND p.digest = previous_digest
        LEFT JOIN bundle_note note ON note.identifier = active.identifier
        """

    /// Returns all installed bundles, sorted by identifier.
    public func all() throws(AtriumError) -> [InstalledBundle] {
        try connection.query(Self.selectAll + " ORDER BY active.identifier", row: InstalledBundle.init)
    }

    /// Returns an installed bundle.
    ///
    /// - Returns: `nil` when it isn't installed.
    public func bundle(_ identifier: BundleIdentifier) throws(AtriumError) -> InstalledBundle? {
        try connection.query(Self.selectAll + " WHERE active.identifier = ?", identifier, row: InstalledBundle.init)
            .first
    }

    /// Returns the active version of a bundle without its rollback target, for a load.
    ///
    /// - Returns: `nil` when it isn't installed.
    package func version(of identifier: BundleIdentifier) throws(AtriumError) -> PluginBundle? {
        let registry = connection.registry
        return try registry.readGeneration { database, generation in
            if let kept = registry.activeCache.value(of: identifier, in: generation) { return kept }
            let sql = """
                SELECT identifier, json FROM active JOIN bundle USING (identifier, version, digest)
                WHERE identifier = ?
                """
            let bundle = try database.first(sql, identifier) { try $0.record() as PluginBundle }
            if let bundle { registry.activeCache.store(bundle, for: identifier, in: generation) }
            return bundle
        } ?? nil
    }

    /// Returns the active versions of some bundles, by identifier.
    package func versions(of identifiers: [BundleIdentifier]) throws(AtriumError) -> [BundleIdentifier: PluginBundle] {
        var versions: [BundleIdentifier: PluginBundle] = [:]
        for identifier in identifiers { versions[identifier] = try version(of: identifier) }
        return versions
    }

    /// Returns the identifiers of all installed bundles, sorted.
    public func identifiers() throws(AtriumError) -> [BundleIdentifier] {
        try connection.query("SELECT identifier FROM active ORDER BY identifier") { try $0["identifier"] }
    }

    /// Returns the active versions whose kept version is no longer a valid rollback target.
    package func withUnreachablePrevious() throws(AtriumError) -> [PluginBundle] {
        try connection.query(Self.selectAll + " WHERE previous_version IS NOT NULL", row: InstalledBundle.init)
            .filter { $0.previous == nil }.map(\.active)
    }

    /// Makes a version the active one of its bundle.
    package func set(_ bundle: PluginBundle, previous: PluginBundle?) throws(AtriumError) {
        try connection.execute(
            "INSERT OR REPLACE INTO active VALUES (?, ?, ?, ?, ?)",
            arguments: bundle.key.arguments([previous?.version.description, previous?.digest]))
    }

    /// Removes a bundle, whose versions remain.
    func remove(_ identifier: BundleIdentifier) throws(AtriumError) {
        try connection.execute("DELETE FROM active WHERE identifier = ?", identifier)
    }
}

/// The table of staged versions, at most one for each bundle.
public struct StagedTable: Sendable {
    let connection: RegistryConnection

    /// Run at each start, so it reads only what is staged; SQLite would order a join by reading all installed versions.
    static let selectAll = """
        SELECT identifier, json FROM bundle
        WHERE (identifier, version, digest) IN (SELECT identifier, version, digest FROM staged) ORDER BY identifier
        """

    /// Returns the staged versions, sorted by identifier.
    public func all() throws(AtriumError) -> [PluginBundle] {
        try connection.records(Self.selectAll)
    }

    /// Returns the staged version of a bundle, if any.
    public func version(of identifier: BundleIdentifier) throws(AtriumError) -> PluginBundle? {
        try all().first { $0.identifier == identifier }
    }

    /// Stages a version in place of the bundle's earlier one.
    ///
    /// - Parameter waitsForData: whether it becomes active as soon as nothing uses the data of the active one.
    func set(_ bundle: PluginBundle, waitsForData: Bool) throws(AtriumError) {
        try connection.execute(
            "INSERT OR REPLACE INTO staged VALUES (?, ?, ?, ?)", arguments: bundle.key.arguments([waitsForData]))
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
