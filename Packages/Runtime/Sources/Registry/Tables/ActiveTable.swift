public import PluginCore
import SQLite
import Synchronization

/// The active version of a bundle and its rollback target.
public struct InstalledBundle: Hashable, Sendable {
    /// The active version.
    public let active: PluginBundle
    /// The version that a rollback makes active.
    ///
    /// It is `nil` when none is kept, or when the kept one isn't known to have run and is below a version that has.
    public let previous: PluginBundle?

    package init(active: PluginBundle, previous: PluginBundle?) {
        self.active = active
        self.previous = previous
    }
}

extension InstalledBundle {
    /// The version whose first successful run removes the rollback target; `nil` when the target stays valid.
    ///
    /// It is the active version, when the version below it isn't known to have run successfully.
    public var endOfRollbackTarget: SemanticVersion? {
        guard let previous, !previous.hasRun, previous.identity.version < active.identity.version else { return nil }
        return active.identity.version
    }

    /// Returns the rollback target after another version has become active: the last one that has run, or else the current one.
    func kept(below bundle: PluginBundle) -> PluginBundle? {
        // The same version with different content replaces the active one.
        if active.identity == bundle.identity { return previous }
        guard !active.hasRun, let previous, previous.hasRun, previous != bundle else { return active }
        return previous
    }
}

extension InstalledBundle {
    /// Decodes an active version with its rollback target, whose columns have a prefix.
    fileprivate init(_ row: borrowing Row) throws {
        var active = try PluginBundle(row)
        active.hardRequirements = try RequirementTable.hard(row, of: active.identity.identifier)
        let minimumVersion = try row["minimum_version", as: String?.self].flatMap { SemanticVersion($0) }
        var previous: PluginBundle?
        if try row["previous_version", as: String?.self] != nil {
            previous = try PluginBundle(row, prefix: "previous_")
        }
        self.init(
            active: active, previous: previous.flatMap { $0.isRollbackTarget(above: minimumVersion) ? $0 : nil })
    }
}

/// The table of installed bundles: the active version of each, and its rollback target.
public struct ActiveTable: Sendable {
    let connection: RegistryConnection

    private static let selectVersion = """
        SELECT \(VersionTable.columns), \(RequirementTable.hardColumn)
        FROM active JOIN bundle USING (identifier, version, digest) WHERE identifier = ?
        """

    private static let selectAll = """
        SELECT \(VersionTable.columns(of: "b")), \(VersionTable.columns(of: "p", prefix: "previous_")),
            (SELECT version FROM minimum_version WHERE identifier = active.identifier) AS minimum_version,
            \(RequirementTable.hardColumn)
        FROM active JOIN bundle b USING (identifier, version, digest)
        LEFT JOIN bundle p ON p.identifier = active.identifier AND p.version = previous_version
            AND p.digest = previous_digest
        """

    /// Returns all installed bundles, sorted by identifier.
    public func all() throws(AtriumError) -> [InstalledBundle] {
        try connection.query(Self.selectAll + " ORDER BY active.identifier", row: InstalledBundle.init)
    }

    /// Returns an installed bundle.
    ///
    /// - Returns: `nil` when it isn't installed.
    public func bundle(_ identifier: BundleIdentifier) throws(AtriumError) -> InstalledBundle? {
        try connection.first(Self.selectAll + " WHERE active.identifier = ?", identifier, row: InstalledBundle.init)
    }

    /// Returns the active version of a bundle without its rollback target, for a load.
    ///
    /// - Returns: `nil` when it isn't installed.
    package func version(of identifier: BundleIdentifier) throws(AtriumError) -> PluginBundle? {
        let registry = connection.registry
        return try registry.readGeneration { database, generation in
            if let kept = registry.activeCache.bundle(identifier, in: generation) { return kept }
            let bundle = try database.first(Self.selectVersion, identifier) { row in
                var bundle = try PluginBundle(row)
                bundle.hardRequirements = try RequirementTable.hard(row, of: identifier)
                return bundle
            }
            if let bundle { registry.activeCache.store(bundle, in: generation) }
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

    /// Returns the keys of some bundles' active versions, and the generation in which, or before which, they were read.
    ///
    /// A bundle with an unreadable key counts as not installed.
    package func keys(
        of identifiers: [BundleIdentifier]
    ) throws(AtriumError) -> (keys: [BundleIdentifier: VersionKey], generation: RegistryGeneration?) {
        let found = try connection.registry.readGeneration { database, generation in
            let keys = try database.query(
                "SELECT * FROM active WHERE identifier IN (SELECT value FROM json_each(?))",
                RecordJSON.list(identifiers)
            ) { try? VersionKey($0) }
            return (keys.compactMap { $0 }, generation)
        }
        return (Dictionary((found?.0 ?? []).map { ($0.identity.identifier, $0) }) { $1 }, found?.1)
    }

    /// Returns the active versions whose kept version is no longer a valid rollback target.
    func withUnreachablePrevious() throws(AtriumError) -> [PluginBundle] {
        let identifiers: [BundleIdentifier] = try connection.query(
            "SELECT identifier FROM active WHERE previous_version IS NOT NULL"
        ) { try $0["identifier"] }
        var active: [PluginBundle] = []
        for identifier in identifiers {
            if let bundle = try bundle(identifier), bundle.previous == nil { active.append(bundle.active) }
        }
        return active
    }

    /// Makes a version the active one of its bundle.
    func set(_ bundle: PluginBundle, previous: PluginBundle?) throws(AtriumError) {
        try connection.execute(
            "INSERT OR REPLACE INTO active VALUES (:identifier, :version, :digest, :previousVersion, :previousDigest)",
            arguments: bundle.key.arguments([
                "previousVersion": previous?.identity.version.description, "previousDigest": previous?.digest,
            ]))
    }

    /// Removes a bundle, whose versions remain.
    func remove(_ identifier: BundleIdentifier) throws(AtriumError) {
        try connection.execute("DELETE FROM active WHERE identifier = ?", identifier)
    }
}

/// A cache of active versions, valid for one generation of the registry.
final class ActiveCache: Sendable {
    private struct State {
        var generation: RegistryGeneration?
        var bundles: [BundleIdentifier: PluginBundle] = [:]
    }

    /// The maximum number of cached versions, more than a host uses at a time.
    private static let room = 1_024

    private let state = Mutex(State())

    /// Returns the version cached in a generation.
    ///
    /// - Returns: `nil` when it has to be read.
    func bundle(_ identifier: BundleIdentifier, in generation: RegistryGeneration) -> PluginBundle? {
        state.withLock { $0.generation == generation ? $0.bundles[identifier] : nil }
    }

    /// Caches a version that was read after the generation was determined.
    func store(_ bundle: PluginBundle, in generation: RegistryGeneration) {
        state.withLock { state in
            if state.generation != generation || state.bundles.count >= Self.room {
                state = State(generation: generation)
            }
            state.bundles[bundle.identity.identifier] = bundle
        }
    }
}

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
            "INSERT OR REPLACE INTO staged VALUES (:identifier, :version, :digest, :waits)",
            arguments: bundle.key.arguments(["waits": waitsForData ? 1 : 0]))
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
