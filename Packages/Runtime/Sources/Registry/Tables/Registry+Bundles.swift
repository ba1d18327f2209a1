import BundleFormat
public import PluginCore
internal import SQLite

extension Registry {
    /// Returns all installed bundles, sorted by identifier.
    public func installed() throws(AtriumError) -> [InstalledBundle] {
        try read { database in
            try database.query(Self.selectAll + " ORDER BY a.identifier", row: Self.installed)
        } ?? []
    }

    /// Returns an installed bundle.
    ///
    /// - Returns: `nil` when it isn't installed.
    public func installed(_ identifier: String) throws(AtriumError) -> InstalledBundle? {
        try read { try Self.installed(identifier, in: $0) } ?? nil
    }

    static func installed(_ identifier: String, in database: Database) throws -> InstalledBundle? {
        try database.first(selectAll + " WHERE a.identifier = ?", identifier, row: installed)
    }

    /// Returns the active version of a bundle without its rollback target, for a load.
    ///
    /// - Returns: `nil` when it isn't installed.
    package func active(_ identifier: String) throws(AtriumError) -> PluginBundle? {
        try readGeneration { database, generation in
            if let kept = activeCache.bundle(identifier, in: generation) { return kept }
            let bundle = try database.first(Self.selectActive, identifier) {
                try Self.active($0, identifier, needs: 1 + Self.columnCount)
            }
            if let bundle { activeCache.store(bundle, in: generation) }
            return bundle
        } ?? nil
    }

    /// Returns the active versions of some bundles, by identifier.
    package func active(among identifiers: [String]) throws(AtriumError) -> [String: PluginBundle] {
        var active: [String: PluginBundle] = [:]
        for identifier in identifiers { active[identifier] = try self.active(identifier) }
        return active
    }

    /// Returns the identifiers of all installed bundles, sorted.
    public func identifiers() throws(AtriumError) -> [String] {
        try read { database in
            try database.query("SELECT identifier FROM active ORDER BY identifier") { try $0[0, as: String.self] }
        } ?? []
    }

    /// Returns the manifest of an installed version, as of its installation.
    public func manifest(of bundle: PluginBundle) throws(AtriumError) -> Manifest {
        try source(of: bundle).manifest
    }

    /// Returns the manifest of a version and the bytes of its file.
    package func source(of bundle: PluginBundle) throws(AtriumError) -> (manifest: Manifest, source: [UInt8]) {
        let bytes =
            try read { database in
                try database.value(
                    "SELECT manifest FROM bundle WHERE identifier = ? AND version = ? AND digest = ?",
                    bundle.identity.identifier, bundle.identity.version.description, bundle.digest, as: [UInt8].self
                )
            } ?? nil
        guard let bytes else { throw AtriumError(.bundleNotInstalled, bundle.identity.description) }
        return (try ManifestReader.read(bytes, of: bundle.identity.description, converters: converters), bytes)
    }

    /// Returns the history of one bundle or of all, oldest entries first.
    public func history(of identifier: String? = nil) throws(AtriumError) -> [HistoryEntry] {
        try read { database in
            try database.query(
                """
                SELECT at, identifier, event, version, before FROM history
                WHERE ?1 IS NULL OR identifier = ?1 ORDER BY sequence
                """, identifier
            ) { row in
                let (identifier, text) = (try row[1, as: String.self], try row[2, as: String.self])
                guard let event = HistoryEntry.Event(rawValue: text) else {
                    throw AtriumError(.registryDamaged, identifier, detail: "event \"\(text)\" cannot be read")
                }
                return HistoryEntry(
                    at: try row[0], identifier: identifier, event: event, version: try row[3], before: try row[4]
                )
            }
        } ?? []
    }

    // Literals instead of strings built at run time, which would cost more than the query at each start.
    private static let selectActive = """
        SELECT b.identifier, b.version, b.digest, b.name, b.summary, b.kind, b.entry, b.app_groups, b.size,
            b.installed_at, b.team, b.key_id, b.library_digest, b.library_stamp, b.proven_at, b.seal_stamp,
            (SELECT group_concat(bundle || ' ' || versions, char(10)) FROM requirement
                WHERE owner = b.identifier AND on_demand = 0)
        FROM active a JOIN bundle b USING (identifier, version, digest) WHERE a.identifier = ?
        """
    private static let selectAll = """
        SELECT b.identifier, b.version, b.digest, b.name, b.summary, b.kind, b.entry, b.app_groups, b.size,
            b.installed_at, b.team, b.key_id, b.library_digest, b.library_stamp, b.proven_at, b.seal_stamp,
            p.version, p.digest, p.name, p.summary, p.kind, p.entry, p.app_groups, p.size,
            p.installed_at, p.team, p.key_id, p.library_digest, p.library_stamp, p.proven_at, p.seal_stamp,
            (SELECT group_concat(bundle || ' ' || versions, char(10)) FROM requirement
                WHERE owner = b.identifier AND on_demand = 0),
            (SELECT version FROM floor WHERE identifier = b.identifier)
        FROM active a JOIN bundle b USING (identifier, version, digest)
        LEFT JOIN bundle p ON p.identifier = a.identifier AND p.version = a.previous_version
            AND p.digest = a.previous_digest
        """
    private static let columnCount = 15

    private static func installed(_ row: borrowing Row) throws -> InstalledBundle {
        let identifier = try row[0, as: String.self]
        let hasPrevious = try row[1 + columnCount, as: String?.self] != nil
        let previous = hasPrevious ? try bundle(row, identifier, from: 1 + columnCount) : nil
        let minimumVersion = try row[2 + 2 * columnCount, as: String?.self].flatMap { SemanticVersion($0) }
        return InstalledBundle(
            active: try active(row, identifier, needs: 1 + 2 * columnCount),
            previous: previous.flatMap { $0.isRollbackTarget(above: minimumVersion) ? $0 : nil }
        )
    }

    /// Reads an active version from the columns from 1 on, and its requirements from another column.
    private static func active(_ row: borrowing Row, _ identifier: String, needs column: Int) throws -> PluginBundle {
        var bundle = try bundle(row, identifier, from: 1)
        let lines = try row[column, as: String?.self]?.split(separator: "\n") ?? []
        bundle.hardRequirements = try lines.map { line in
            let words = line.split(separator: " ", maxSplits: 1)
            guard words.count == 2 else {
                throw AtriumError(.registryDamaged, identifier, detail: "requirement \"\(line)\" cannot be read")
            }
            return try requirement(String(words[0]), String(words[1]), of: bundle)
        }
        return bundle
    }

    /// Reads a version from the columns of the bundle table after the identifier, without the manifest.
    static func bundle(_ row: borrowing Row, _ identifier: String, from column: Int) throws -> PluginBundle {
        let text = try row[column, as: String.self]
        guard let version = SemanticVersion(text), let kind = BundleKind(rawValue: try row[column + 4]) else {
            throw AtriumError(.registryDamaged, identifier, detail: "version \"\(text)\" cannot be read")
        }
        let digest = try row[column + 1, as: String.self]
        // Both become names of folders.
        guard ManifestRules.isIdentifier(identifier), !digest.utf8.contains(UInt8(ascii: "/")) else {
            throw AtriumError(.registryDamaged, identifier, detail: "it is no bundle's name")
        }
        return PluginBundle(
            identity: BundleIdentity(identifier: identifier, version: version), digest: digest,
            name: try row[column + 2], summary: try row[column + 3], kind: kind, entry: try row[column + 5],
            appGroups: try row[column + 6, as: String.self].split(separator: "\n").map(String.init),
            size: try row[column + 7], installedAt: try row[column + 8],
            seal: SealRecord(
                team: try row[column + 9], keyID: try row[column + 10], libraryDigest: try row[column + 11],
                libraryStamp: try row[column + 12], sealStamp: try row[column + 14]),
            hasRunSince: try row[column + 13]
        )
    }
}
