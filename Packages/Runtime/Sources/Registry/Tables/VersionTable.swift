import BundleFormat
import HostSystem
public import PluginCore
package import SQLite

/// A version of a plugin bundle in the sandbox.
///
/// Two records are equal when they have the same version and the same seal.
public struct PluginBundle: Sendable {
    /// The identifier and version.
    public let identity: BundleIdentity
    /// The SHA-256 of its seal, which lists all its files, in lowercase hexadecimal.
    public let digest: String
    /// The display name.
    public let name: String
    /// A one-sentence description; may be empty.
    public let summary: String
    /// The kind of bundle.
    public let kind: BundleKind
    /// The library's file name; `nil` for a bundle without code.
    public let entry: String?
    /// The app groups that it belongs to.
    public let appGroups: [String]
    /// The process in which its plugin asks to run.
    public let isolation: BundleIsolation
    /// The version of the data that it reads and writes.
    public let dataVersion: Int
    /// The size of its files in bytes.
    public let size: Int64
    /// The time of installation, in seconds since 1970.
    public let installedAt: Int64
    /// The team and the key that sealed it.
    public let seal: SealRecord
    /// The time when the version has first run successfully, in seconds since 1970; `nil` until then.
    public package(set) var hasRunSince: Int64?
    /// The requirements that must be active before it is loaded; `nil` unless the record was read as an active version.
    var hardRequirements: [BundleRequirement]?
}

/// The information about a version's seal in the registry, so that loading need not read the seal.
public struct SealRecord: Hashable, Sendable {
    /// The team's identifier; empty for an unsigned version installed by an early host.
    public let team: String
    /// The ID of the team's key, in the format of minisign.
    public let keyID: String
    /// The library's SHA-256 in lowercase hexadecimal; `nil` for a bundle without code.
    public let libraryDigest: String?
    /// The stamp of the library's file at the last verification.
    package let libraryStamp: String?
    /// The stamp of seal, signature and key at the last verification.
    package var sealStamp: String?

    package init(team: String, keyID: String, libraryDigest: String?, libraryStamp: String?, sealStamp: String? = nil) {
        self.team = team
        self.keyID = keyID
        self.libraryDigest = libraryDigest
        self.libraryStamp = libraryStamp
        self.sealStamp = sealStamp
    }
}

extension PluginBundle {
    package init(_ manifest: Manifest, digest: String, size: Int64, installedAt: Int64, seal: SealRecord) {
        self.init(
            identity: manifest.identity, digest: digest, name: manifest.name, summary: manifest.summary,
            kind: manifest.kind, entry: manifest.entry, appGroups: manifest.appGroups, isolation: manifest.isolation,
            dataVersion: manifest.dataVersion, size: size,
            installedAt: installedAt, seal: seal, hasRunSince: nil
        )
    }
}

extension PluginBundle {
    /// A Boolean value that indicates whether the version has run successfully.
    ///
    /// A version without code only needs to have been active.
    var hasRun: Bool { hasRunSince != nil || entry == nil }

    /// Returns whether the version is a valid rollback target: it has run successfully, or isn't below the minimum version.
    ///
    /// - Parameter minimumVersion: the highest version that has run here.
    package func isRollbackTarget(above minimumVersion: SemanticVersion?) -> Bool {
        hasRun || minimumVersion.map { identity.version >= $0 } ?? true
    }
}

extension PluginBundle: Hashable {
    /// Returns whether both have the same version and the same seal.
    public static func == (one: PluginBundle, other: PluginBundle) -> Bool {
        one.identity == other.identity && one.digest == other.digest
    }

    /// Hashes the identity and the seal's digest.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(identity)
        hasher.combine(digest)
    }
}

/// The primary key of a version: its identity and the SHA-256 of its seal.
package struct VersionKey: Hashable, Sendable {
    package let identity: BundleIdentity
    package let digest: String

    package init(identity: BundleIdentity, digest: String) {
        self.identity = identity
        self.digest = digest
    }
}

extension VersionKey {
    /// The condition that a row has the key, whose values are bound by name.
    static let condition = "WHERE identifier = :identifier AND version = :version AND digest = :digest"

    /// Decodes a key from columns whose names, apart from the identifier, may have a prefix.
    package init(_ row: borrowing Row, prefix: String = "") throws {
        self.init(identity: try BundleIdentity(row, prefix: prefix), digest: try row[prefix + "digest"])
    }

    /// Returns the values of the key by the names of its columns, with further values.
    func arguments(_ others: [String: (any SQLValueConvertible)?] = [:]) -> SQLArguments {
        var values: [String: SQLValue] = [
            "identifier": identity.identifier.sqlValue, "version": .text(identity.version.description),
            "digest": .text(digest),
        ]
        for (name, value) in others { values[name] = value?.sqlValue ?? .null }
        return SQLArguments(named: values)
    }
}

extension PluginBundle {
    package var key: VersionKey { VersionKey(identity: identity, digest: digest) }

    /// Decodes a version from the columns of its table, whose names, apart from the identifier, may have a prefix.
    package init(_ row: borrowing Row, prefix: String = "") throws {
        let key = try VersionKey(row, prefix: prefix)
        let identifier = key.identity.identifier
        // It becomes the name of a folder.
        guard !key.digest.utf8.contains(UInt8(ascii: "/")) else {
            throw AtriumError(.registryDamaged, identifier, reason: "digestInvalid")
        }
        self.init(
            identity: key.identity, digest: key.digest, name: try row[prefix + "name"],
            summary: try row[prefix + "summary"],
            kind: try row.parse(prefix + "kind", of: identifier) { BundleKind(rawValue: $0) },
            entry: try row[prefix + "entry"],
            appGroups: try row[prefix + "app_groups", as: String.self].split(separator: "\n").map(String.init),
            isolation: try row.parseIfPresent(prefix + "isolation", of: identifier) { BundleIsolation(rawValue: $0) }
                ?? .host,
            dataVersion: try row[prefix + "data_version"], size: try row[prefix + "size"],
            installedAt: try row[prefix + "installed_at"],
            seal: SealRecord(
                team: try row[prefix + "team"], keyID: try row[prefix + "key_id"],
                libraryDigest: try row[prefix + "library_digest"], libraryStamp: try row[prefix + "library_stamp"],
                sealStamp: try row[prefix + "seal_stamp"]),
            hasRunSince: try row[prefix + "has_run_since"])
    }
}

/// The table of versions: active, kept for a rollback, or staged.
public struct VersionTable: Sendable {
    let connection: RegistryConnection

    /// The columns of a version without its manifest.
    static let columns = names.joined(separator: ", ")
    private static let names = [
        "identifier", "version", "digest", "name", "summary", "kind", "entry", "app_groups", "isolation",
        "data_version", "size", "installed_at", "team", "key_id", "library_digest", "library_stamp", "seal_stamp",
        "has_run_since",
    ]

    /// The same columns of a table with another name in the statement, with a prefix in the result.
    static func columns(of table: String, prefix: String = "") -> String {
        names.map { "\(table).\($0) AS \(prefix)\($0)" }.joined(separator: ", ")
    }

    /// Returns all versions.
    public func all() throws(AtriumError) -> [PluginBundle] {
        try connection.query("SELECT \(Self.columns) FROM bundle ORDER BY identifier, version, digest") {
            try PluginBundle($0)
        }
    }

    /// Returns all versions of a bundle.
    package func all(of identifier: BundleIdentifier) throws(AtriumError) -> [PluginBundle] {
        try connection.query("SELECT \(Self.columns) FROM bundle WHERE identifier = ?", identifier) {
            try PluginBundle($0)
        }
    }

    /// Returns the manifest of a version, as of its installation.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`.
    public func manifest(of bundle: PluginBundle) throws(AtriumError) -> Manifest {
        try source(of: bundle).manifest
    }

    /// Returns the manifest of a version and the bytes of its file.
    package func source(of bundle: PluginBundle) throws(AtriumError) -> (manifest: Manifest, source: [UInt8]) {
        let bytes: [UInt8]? = try connection.value(
            "SELECT manifest FROM bundle WHERE identifier = ? AND version = ? AND digest = ?",
            bundle.identity.identifier, bundle.identity.version.description, bundle.digest)
        guard let bytes else { throw AtriumError(.bundleNotInstalled, bundle.identity.description) }
        let converters = connection.registry.converters
        return (try ManifestReader.read(bytes, of: bundle.identity.description, converters: converters), bytes)
    }

    func add(_ version: PlacedVersion) throws(AtriumError) {
        let (bundle, seal) = (version.bundle, version.bundle.seal)
        try connection.execute(
            """
            INSERT OR REPLACE INTO bundle (\(Self.columns), manifest) VALUES (
                :identifier, :version, :digest, :name, :summary, :kind, :entry, :appGroups, :isolation, :dataVersion,
                :size, :installedAt, :team, :keyID, :libraryDigest, :libraryStamp, :sealStamp, :hasRunSince, :manifest)
            """,
            arguments: bundle.key.arguments([
                "name": bundle.name, "summary": bundle.summary, "kind": bundle.kind.rawValue, "entry": bundle.entry,
                "appGroups": bundle.appGroups.joined(separator: "\n"),
                "isolation": bundle.isolation == .host ? nil : bundle.isolation.rawValue,
                "dataVersion": Int64(bundle.dataVersion), "size": bundle.size,
                "installedAt": bundle.installedAt, "team": seal.team, "keyID": seal.keyID,
                "libraryDigest": seal.libraryDigest, "libraryStamp": seal.libraryStamp, "sealStamp": seal.sealStamp,
                "hasRunSince": bundle.hasRunSince, "manifest": version.source,
            ]))
    }

    /// Stores the time when a version has first run successfully.
    func recordSuccessfulRun(of bundle: PluginBundle) throws(AtriumError) {
        try connection.execute(
            "UPDATE bundle SET has_run_since = :now \(VersionKey.condition) AND has_run_since IS NULL",
            arguments: bundle.key.arguments(["now": Clock.now()]))
    }

    /// Stores the stamps of verified parts.
    package func save(_ stamps: [VersionStamp]) throws(AtriumError) {
        try connection.write { tables in
            for stamp in stamps {
                try tables.connection.execute(
                    "UPDATE bundle SET \(stamp.part.column) = :stamp \(VersionKey.condition)",
                    arguments: stamp.bundle.key.arguments(["stamp": stamp.text]))
            }
        }
    }

    /// Stores the key that has signed a version, and the stamps of its parts.
    package func recordSigner(of bundle: PluginBundle) throws(AtriumError) {
        let seal = bundle.seal
        try connection.execute(
            """
            UPDATE bundle SET key_id = :keyID, library_stamp = :libraryStamp, seal_stamp = :sealStamp
            \(VersionKey.condition)
            """,
            arguments: bundle.key.arguments([
                "keyID": seal.keyID, "libraryStamp": seal.libraryStamp, "sealStamp": seal.sealStamp,
            ]))
    }

    /// Removes and returns the versions of a bundle that are neither active, a rollback target, nor staged.
    func removeUnused(of identifier: BundleIdentifier) throws(AtriumError) -> [PluginBundle] {
        let unused = try connection.query(
            """
            SELECT \(Self.columns) FROM bundle AS b WHERE identifier = ?1
                AND NOT EXISTS (SELECT 1 FROM active WHERE identifier = ?1 AND version = b.version AND digest = b.digest)
                AND NOT EXISTS (SELECT 1 FROM active WHERE identifier = ?1 AND previous_version = b.version
                    AND previous_digest = b.digest)
                AND NOT EXISTS (SELECT 1 FROM staged WHERE identifier = ?1 AND version = b.version AND digest = b.digest)
            """, identifier
        ) { try PluginBundle($0) }
        for bundle in unused {
            try connection.execute("DELETE FROM bundle \(VersionKey.condition)", arguments: bundle.key.arguments())
        }
        return unused
    }
}

/// The stamp of a verified part of an installed version, which stays equal while the part doesn't change.
package struct VersionStamp: Sendable {
    package enum Part: Sendable {
        /// The library's file, stamped by ``FileStamp``.
        case library
        /// The seal, the signature and the key, stamped by ``SealVerification``.
        case seal
    }

    package let bundle: PluginBundle
    package let part: Part
    package let text: String

    package init(bundle: PluginBundle, part: Part, text: String) {
        self.bundle = bundle
        self.part = part
        self.text = text
    }
}

extension VersionStamp.Part {
    fileprivate var column: String {
        switch self {
        case .library: "library_stamp"
        case .seal: "seal_stamp"
        }
    }
}
