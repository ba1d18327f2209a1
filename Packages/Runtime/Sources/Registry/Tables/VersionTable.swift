package import BundleFormat
import HostSystem
public import PluginCore
import SQLite

/// A version of a plugin bundle in the sandbox.
///
/// Two records are equal when they have the same version and the same seal.
public struct PluginBundle: Sendable, Codable {
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
    /// The bundles that it requires.
    package let requirements: [BundleRequirement]
}

/// The information about a version's seal in the registry, so that loading need not read the seal.
public struct SealRecord: Hashable, Sendable, Codable {
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
}

extension SealRecord {
    /// Creates the record of a seal that nobody has verified since the installation.
    ///
    /// - Parameter folder: the folder in `lib` that is stored; `nil` for this host's.
    package init(of manifest: Manifest, _ seal: Seal, by keyID: String, storing folder: String? = nil) {
        let folder = folder ?? seal.ownFolder ?? ""
        let library = manifest.entry.flatMap { seal.file(BundleShape.libraryPath(of: $0, for: folder)) }
        self.init(team: seal.team, keyID: keyID, libraryDigest: library?.sha256, libraryStamp: nil)
    }
}

extension PluginBundle {
    package init(_ manifest: Manifest, digest: String, size: Int64, installedAt: Int64, seal: SealRecord) {
        self.init(
            identity: manifest.identity, digest: digest, name: manifest.name, summary: manifest.summary,
            kind: manifest.kind, entry: manifest.entry, appGroups: manifest.appGroups, isolation: manifest.isolation,
            dataVersion: manifest.dataVersion, size: size,
            installedAt: installedAt, seal: seal, hasRunSince: nil,
            requirements: manifest.requirements.sorted { $0.identifier < $1.identifier }
        )
    }

    /// A Boolean value that indicates whether the version has run successfully.
    ///
    /// A version without code only needs to have been active.
    package var hasRun: Bool { hasRunSince != nil || entry == nil }

    /// Returns whether the version is a valid rollback target: it has run successfully, or isn't below the minimum version.
    ///
    /// - Parameter minimumVersion: the highest version that has run here.
    package func isRollbackTarget(above minimumVersion: SemanticVersion?) -> Bool {
        hasRun || minimumVersion.map { identity.version >= $0 } ?? true
    }
}

extension PluginBundle: Hashable {
    /// Returns whether both have the same version and the same seal.
    public static func == (one: Self, other: Self) -> Bool {
        one.key == other.key
    }

    /// Hashes the identity and the seal's digest.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

/// The primary key of a version: its identity and the SHA-256 of its seal.
package struct VersionKey: Hashable, Sendable {
    package let identity: BundleIdentity
    package let digest: String

    package init(identity: BundleIdentity, digest: String) {
        self.identity = identity
        self.digest = digest
    }

    /// The condition that a row has the key, which is bound to the first parameters.
    static let condition = "WHERE identifier = ?1 AND version = ?2 AND digest = ?3"

    /// Returns the values of the key in the order of its columns, and further values.
    func arguments(_ others: [(any SQLValueConvertible)?] = []) -> [(any SQLValueConvertible)?] {
        [identity.identifier, identity.version.description, digest] + others
    }
}

extension PluginBundle {
    package var identifier: BundleIdentifier { identity.identifier }
    package var version: SemanticVersion { identity.version }
    package var key: VersionKey { .init(identity: identity, digest: digest) }
}

/// The table of versions: active, kept for a rollback, or staged.
public struct VersionTable: Sendable {
    let connection: RegistryConnection

    /// Returns all versions.
    public func all() throws(AtriumError) -> [PluginBundle] {
        try connection.records("SELECT identifier, json FROM bundle ORDER BY identifier, version, digest")
    }

    /// Returns all versions of a bundle.
    package func all(of identifier: BundleIdentifier) throws(AtriumError) -> [PluginBundle] {
        try connection.records("SELECT identifier, json FROM bundle WHERE identifier = ?", identifier)
    }

    /// Returns the manifest of a version, as of its installation.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`.
    public func manifest(of bundle: PluginBundle) throws(AtriumError) -> Manifest {
        try placed(bundle).manifest
    }

    /// Returns a version with its manifest.
    package func placed(_ bundle: PluginBundle) throws(AtriumError) -> PlacedVersion {
        let bytes: [UInt8]? = try connection.value(
            "SELECT manifest FROM bundle \(VersionKey.condition)",
            bundle.identifier, bundle.version.description, bundle.digest)
        guard let bytes else { throw AtriumError(.bundleNotInstalled, bundle.identity) }
        let converters = connection.registry.converters
        let manifest = try ManifestReader.read(bytes, of: bundle.identity.description, converters: converters)
        return PlacedVersion(bundle, manifest, source: bytes)
    }

    package func add(_ version: PlacedVersion) throws(AtriumError) {
        try connection.execute(
            "INSERT OR REPLACE INTO bundle VALUES (?, ?, ?, ?, ?)",
            arguments: version.bundle.key.arguments([RecordJSON.text(of: version.bundle), version.source]))
    }

    /// Stores the time when a version has first run successfully.
    func recordSuccessfulRun(of bundle: PluginBundle) throws(AtriumError) {
        try update("json_insert(json, '$.hasRunSince', ?4)", bundle, Clock.now())
    }

    /// Stores the stamp of a verified part.
    package func save(_ part: VerifiedPart, _ stamp: String, of bundle: PluginBundle) throws(AtriumError) {
        try update("json_set(json, '$.seal.\(part.rawValue)', ?4)", bundle, stamp)
    }

    /// Stores the key that has signed a version, the digest of its library, the stamps of its parts, and since when that library has run.
    package func recordSeal(of bundle: PluginBundle) throws(AtriumError) {
        let fields = SealFields(seal: bundle.seal, hasRunSince: bundle.hasRunSince)
        try update(
            "json_patch(json_remove(json, '$.seal', '$.hasRunSince'), ?4)", bundle, RecordJSON.text(of: fields))
    }

    private struct SealFields: Encodable {
        let seal: SealRecord
        let hasRunSince: Int64?
    }

    /// Replaces the record of a version by that of an expression.
    private func update(
        _ json: String, _ bundle: PluginBundle, _ value: (any SQLValueConvertible)?
    ) throws(AtriumError) {
        try connection.execute(
            "UPDATE bundle SET json = \(json) \(VersionKey.condition)", arguments: bundle.key.arguments([value]))
    }

    /// Removes and returns the versions of a bundle that are neither active, a rollback target, nor staged.
    package func removeUnused(of identifier: BundleIdentifier) throws(AtriumError) -> [PluginBundle] {
        try connection.records(
            """
            DELETE FROM bundle WHERE identifier = ?1 AND (version, digest) NOT IN (
                SELECT version, digest FROM active WHERE identifier = ?1
                UNION SELECT previous_version, previous_digest FROM active WHERE identifier = ?1 AND previous_version NOT NULL
                UNION SELECT version, digest FROM staged WHERE identifier = ?1)
            RETURNING identifier, json
            """, identifier)
    }
}

/// A verified part of an installed version.
///
/// It is named by the field of ``SealRecord`` with its stamp, which stays equal while the part doesn't change.
package enum VerifiedPart: String, Sendable {
    /// The library's file, stamped by ``FileStamp``.
    case library = "libraryStamp"
    /// The seal, the signature and the key, stamped by ``SealVerification``.
    case seal = "sealStamp"
}
