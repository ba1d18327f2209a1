public import PluginCore
internal import SQLite

/// A version whose content crashed or hung the host and is blocked.
///
/// It is neither installed nor loaded until a user lifts the block. The same version with different content isn't blocked.
public struct QuarantinedVersion: Hashable, Sendable {
    /// The blocked version.
    public let identity: BundleIdentity
    /// The SHA-256 of its seal.
    public let digest: String
    /// A text about what the version did.
    public let reason: String
    /// The time when that was found, in seconds since 1970.
    public let at: Int64

    package init(identity: BundleIdentity, digest: String, reason: String, at: Int64) {
        self.identity = identity
        self.digest = digest
        self.reason = reason
        self.at = at
    }
}

/// The queries for versions, minimum versions, blocks, requirements and notes.
extension Registry {
    /// Returns all versions in the registry: active, kept for a rollback, or staged.
    public func versions() throws(AtriumError) -> [PluginBundle] {
        try read { database in
            try database.query(Self.selectVersions + " ORDER BY identifier, version, digest", row: Self.version)
        } ?? []
    }

    /// Returns all versions of a bundle in the registry.
    package func versions(of identifier: String) throws(AtriumError) -> [PluginBundle] {
        try read { database in
            try database.query(Self.selectVersions + " WHERE identifier = ?", identifier, row: Self.version)
        } ?? []
    }

    /// Returns the staged versions, which become active when a host starts next.
    public func staged() throws(AtriumError) -> [PluginBundle] {
        try read { database in
            try database.query(Self.selectStaged, row: Self.version)
        } ?? []
    }

    /// Run at each start, so it reads only what is staged; SQLite would order a join by reading all installed versions.
    static let selectStaged =
        selectVersions
        + " WHERE (identifier, version, digest) IN (SELECT identifier, version, digest FROM staged) ORDER BY identifier"

    /// Returns the staged version of a bundle, if any.
    public func staged(_ identifier: String) throws(AtriumError) -> PluginBundle? {
        try staged().first { $0.identity.identifier == identifier }
    }

    /// Returns the minimum version of a bundle.
    ///
    /// - Returns: `nil` when none of its versions has run here.
    public func minimumVersion(of identifier: String) throws(AtriumError) -> SemanticVersion? {
        let text =
            try read { database in
                try database.value("SELECT version FROM floor WHERE identifier = ?", identifier, as: String.self)
            } ?? nil
        // The copy in the file outlives the registry, which may have been restored from an older backup.
        let kept = try minimumVersionFiles.minimumVersion(of: identifier)
        guard let text else { return kept }
        guard let version = SemanticVersion(text) else {
            throw AtriumError(.registryDamaged, identifier, detail: "floor \"\(text)\" cannot be read")
        }
        return kept.map { max($0, version) } ?? version
    }

    /// Returns all minimum versions by identifier, including those of uninstalled bundles.
    public func minimumVersions() throws(AtriumError) -> [String: SemanticVersion] {
        let rows: [(String, SemanticVersion)] =
            try read { database in
                try database.query("SELECT identifier, version FROM floor") { row in
                    let (identifier, text) = (try row[0, as: String.self], try row[1, as: String.self])
                    guard let version = SemanticVersion(text) else {
                        throw AtriumError(.registryDamaged, identifier, detail: "floor \"\(text)\" cannot be read")
                    }
                    return (identifier, version)
                }
            } ?? []
        return Dictionary(rows) { $1 }
    }

    /// Returns the blocked versions, sorted by identifier and version.
    public func quarantine() throws(AtriumError) -> [QuarantinedVersion] {
        try read { database in
            try database.query(
                "SELECT identifier, version, digest, reason, at FROM quarantine ORDER BY identifier, version"
            ) { row in
                let (identifier, text) = (try row[0, as: String.self], try row[1, as: String.self])
                guard let version = SemanticVersion(text) else {
                    throw AtriumError(.registryDamaged, identifier, detail: "version \"\(text)\" cannot be read")
                }
                return QuarantinedVersion(
                    identity: BundleIdentity(identifier: identifier, version: version), digest: try row[2],
                    reason: try row[3], at: try row[4])
            }
        } ?? []
    }

    /// Returns the requirements of all active versions, by the requiring bundle.
    public func requirements() throws(AtriumError) -> [String: [BundleRequirement]] {
        let rows: [(String, BundleRequirement)] =
            try read { database in
                try database.query("SELECT owner, bundle, versions, on_demand FROM requirement ORDER BY owner, bundle")
                {
                    row in
                    let (owner, text) = (try row[0, as: String.self], try row[2, as: String.self])
                    guard let versions = VersionRange(text) else {
                        throw AtriumError(.registryDamaged, owner, detail: "range \"\(text)\" cannot be read")
                    }
                    return (
                        owner,
                        BundleRequirement(
                            identifier: try row[1], versions: versions, isOnDemand: try row[3, as: Int.self] != 0)
                    )
                }
            } ?? []
        return Dictionary(grouping: rows) { $0.0 }.mapValues { $0.map(\.1) }
    }

    /// Returns the defects that SQLite finds in pages, indices and references of the file; empty for a sound file.
    public func damage() throws(AtriumError) -> [String] {
        try read { database in
            let pages = try database.query("PRAGMA integrity_check(20)") { try $0[0, as: String.self] }
            let references = try database.query("PRAGMA foreign_key_check") {
                "a row of \(try $0[0, as: String.self]) refers to nothing in \(try $0[2, as: String.self])"
            }
            return pages.filter { $0 != "ok" } + references
        } ?? []
    }

    /// Returns the text stored under a name, if any.
    package func metadata(_ name: String) throws(AtriumError) -> String? {
        try read { try $0.value("SELECT value FROM note WHERE name = ?", name, as: String.self) } ?? nil
    }

    /// Stores a text under a name.
    package func set(metadata name: String, _ value: String) throws(AtriumError) {
        try write { database in
            _ = try database.execute("INSERT OR REPLACE INTO note VALUES (?, ?)", name, value)
        }
    }

    private static let selectVersions = """
        SELECT bundle.identifier, version, digest, name, summary, kind, entry, app_groups, size, installed_at, team,
            key_id, library_digest, library_stamp, proven_at, seal_stamp
        FROM bundle
        """

    private static func version(_ row: borrowing Row) throws -> PluginBundle {
        try bundle(row, try row[0], from: 1)
    }
}
