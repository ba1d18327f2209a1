public import PluginCore
internal import SQLite

/// A version whose content crashed or hung the host and is blocked: it is not installed or loaded again until somebody lifts the
/// block. The same version with other content is not blocked.
public struct QuarantinedVersion: Hashable, Sendable {
    /// Which version.
    public let identity: BundleIdentity
    /// The SHA-256 of its seal.
    public let digest: String
    /// What it did, in words.
    public let reason: String
    /// When that was found, in seconds since 1970.
    public let at: Int64
}

/// What the registry keeps beside what is active.
extension Registry {
    /// All versions that it names: active, to go back to, staged.
    public func versions() throws(AtriumError) -> [PluginBundle] {
        try read { database in
            try database.query(Self.selectVersions + " ORDER BY identifier, version, digest", row: Self.version)
        } ?? []
    }

    /// The versions of one bundle that it names.
    func versions(of identifier: String) throws(AtriumError) -> [PluginBundle] {
        try read { database in
            try database.query(Self.selectVersions + " WHERE identifier = ?", identifier, row: Self.version)
        } ?? []
    }

    /// The versions that become active when a host starts next.
    public func staged() throws(AtriumError) -> [PluginBundle] {
        try read { database in
            try database.query(Self.selectStaged, row: Self.version)
        } ?? []
    }

    /// Asked whenever a host starts, so it looks at what is staged alone: a join is ordered by reading all that is installed.
    static let selectStaged =
        selectVersions
        + " WHERE (identifier, version, digest) IN (SELECT identifier, version, digest FROM staged) ORDER BY identifier"

    /// The version of a bundle that becomes active when a host starts next, if one does.
    public func staged(_ identifier: String) throws(AtriumError) -> PluginBundle? {
        try staged().first { $0.identity.identifier == identifier }
    }

    /// The version below which a bundle is not installed; `nil` when none of its versions has run here.
    public func floor(of identifier: String) throws(AtriumError) -> SemanticVersion? {
        let text =
            try read { database in
                try database.value("SELECT version FROM floor WHERE identifier = ?", identifier, as: String.self)
            } ?? nil
        // It outlives a registry in a file of its own, and one that is taken from a backup may say less.
        let kept = try floorFiles.floor(of: identifier)
        guard let text else { return kept }
        guard let version = SemanticVersion(text) else {
            throw AtriumError(.registryDamaged, identifier, detail: "floor \"\(text)\" cannot be read")
        }
        return kept.map { max($0, version) } ?? version
    }

    /// The floors of all bundles that have one, by identifier; those of bundles that have gone too.
    public func floors() throws(AtriumError) -> [String: SemanticVersion] {
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

    /// What was put away, by identifier and version.
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

    /// What active bundles require, by who does.
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

    /// What SQLite finds wrong with the file: pages, indices, references; nothing is good.
    public func damage() throws(AtriumError) -> [String] {
        try read { database in
            let pages = try database.query("PRAGMA integrity_check(20)") { try $0[0, as: String.self] }
            let references = try database.query("PRAGMA foreign_key_check") {
                "a row of \(try $0[0, as: String.self]) refers to nothing in \(try $0[2, as: String.self])"
            }
            return pages.filter { $0 != "ok" } + references
        } ?? []
    }

    /// What was kept under a name; `nil` for nothing.
    func note(_ name: String) throws(AtriumError) -> String? {
        try read { try $0.value("SELECT value FROM note WHERE name = ?", name, as: String.self) } ?? nil
    }

    /// Keeps a text under a name.
    func keep(note name: String, _ value: String) throws(AtriumError) {
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
