import HostSystem
public import PluginCore
package import SQLite

/// A version whose content crashed or hung the host and is blocked.
///
/// It is neither installed nor loaded until a user lifts the block. The same version with different content isn't blocked.
public struct QuarantinedVersion: Hashable, Sendable {
    /// The blocked version.
    public let identity: BundleIdentity
    /// The SHA-256 of its seal.
    public let digest: String
    /// The reason for the block, such as a crash.
    public let reason: ErrorReason
    /// The time when that was found, in seconds since 1970.
    public let at: Int64

    package init(identity: BundleIdentity, digest: String, reason: ErrorReason, at: Int64) {
        self.identity = identity
        self.digest = digest
        self.reason = reason
        self.at = at
    }
}

extension QuarantinedVersion {
    package var key: VersionKey { VersionKey(identity: identity, digest: digest) }

    package init(_ row: borrowing Row) throws {
        let key = try VersionKey(row)
        self.init(
            identity: key.identity, digest: key.digest, reason: ErrorReason(stored: try row["reason"]),
            at: try row["at"])
    }
}

extension ErrorReason {
    /// Creates a reason from its column. An unreadable one is shown as it is, so that the version stays blocked.
    fileprivate init(stored text: String) {
        self = (try? StrictJSON.decode(ErrorReason.self, from: Array(text.utf8))) ?? .verbatim(text)
    }

    /// The JSON text for the column.
    fileprivate var stored: String {
        RecordJSON.text(of: self) ?? description
    }
}

/// The table of blocks: contents that can't be installed again until a user lifts the block.
///
/// A block identifies the content by the digest of its seal, so the same version with different content isn't blocked. See
/// Documentation/Decisions/0030-block-content-not-versions.md.
public struct QuarantineTable: Sendable {
    let connection: RegistryConnection

    /// Returns the blocked versions, sorted by identifier and version.
    public func all() throws(AtriumError) -> [QuarantinedVersion] {
        try connection.query("SELECT * FROM quarantine ORDER BY identifier, version", row: QuarantinedVersion.init)
    }

    /// Blocks the content of a version, and records that in the history.
    func block(_ bundle: PluginBundle, _ reason: ErrorReason) throws(AtriumError) {
        try set(
            QuarantinedVersion(identity: bundle.identity, digest: bundle.digest, reason: reason, at: Clock.now()))
        try connection.history.add(.quarantined, bundle.identity)
    }

    /// Stores a block.
    package func set(_ version: QuarantinedVersion) throws(AtriumError) {
        try connection.execute(
            "INSERT OR REPLACE INTO quarantine VALUES (:identifier, :version, :digest, :reason, :at)",
            arguments: version.key.arguments(["reason": version.reason.stored, "at": version.at]))
    }

    /// Lifts blocks, and records that in the history.
    package func unblock(_ blocked: [QuarantinedVersion]) throws(AtriumError) {
        if blocked.isEmpty { return }
        try connection.write { tables in
            for version in blocked {
                try tables.connection.execute(
                    "DELETE FROM quarantine \(VersionKey.condition)", arguments: version.key.arguments())
                try tables.history.add(.unblocked, version.identity)
            }
        }
    }

    /// Lifts all blocks of a bundle.
    func unblock(_ identifier: BundleIdentifier) throws(AtriumError) {
        try connection.execute("DELETE FROM quarantine WHERE identifier = ?", identifier)
    }
}

/// The table of minimum versions: for each bundle the highest version that has run here, also after an uninstallation.
///
/// A minimum version never decreases. See ``MinimumVersionFiles`` for the copies that outlive the registry.
public struct MinimumVersionTable: Sendable {
    let connection: RegistryConnection
    package var files: MinimumVersionFiles { MinimumVersionFiles(connection.registry.sandbox) }

    /// Returns all minimum versions by identifier, without those that only a file has.
    public func all() throws(AtriumError) -> [BundleIdentifier: SemanticVersion] {
        let rows = try connection.query("SELECT * FROM minimum_version") { try BundleIdentity($0) }
        return Dictionary(rows.map { ($0.identifier, $0.version) }) { $1 }
    }

    /// Returns the minimum version of a bundle.
    ///
    /// - Returns: `nil` when none of its versions has run here.
    public func version(of identifier: BundleIdentifier) throws(AtriumError) -> SemanticVersion? {
        let version = try connection.first("SELECT * FROM minimum_version WHERE identifier = ?", identifier) {
            try BundleIdentity($0).version
        }
        // The copy in the file outlives the registry, which may have been restored from an older backup.
        let kept = try files.minimumVersion(of: identifier)
        return [version, kept].compactMap { $0 }.max()
    }

    /// Raises a bundle's minimum version in the table.
    package func raise(to identity: BundleIdentity) throws(AtriumError) {
        let text: String? = try connection.value(
            "SELECT version FROM minimum_version WHERE identifier = ?", identity.identifier)
        // An unreadable one is replaced.
        if let version = text.flatMap({ SemanticVersion($0) }), version >= identity.version { return }
        try connection.execute(
            "INSERT OR REPLACE INTO minimum_version (identifier, version) VALUES (?, ?)", identity.identifier,
            identity.version.description)
    }

    /// Raises the minimum versions in the files, ignoring errors, because the files only matter when the registry is lost.
    package func mirror(_ identities: [BundleIdentity]) {
        for identity in identities { try? files.raise(identity) }
    }
}

extension BundleIdentity {
    /// Decodes an identifier and a version, from columns whose names may have a prefix.
    package init(_ row: borrowing Row, prefix: String = "") throws {
        let identifier: BundleIdentifier = try row["identifier"]
        self.init(
            identifier: identifier,
            version: try row.parse(prefix + "version", of: identifier) { SemanticVersion($0) })
    }
}

/// Copies of the minimum versions in files next to the registry, which survive the loss of the registry.
///
/// There is one file for each bundle, named by its identifier and containing a version such as `1.1.0`. The files are read in
/// addition to the registry, which may have been restored from an older backup, and when a new registry begins.
package struct MinimumVersionFiles: Sendable {
    /// The maximum size of a file, in bytes; larger files are ignored.
    private static let sizeLimit = 1 << 12

    private let sandbox: Sandbox
    private var folder: FilePath { sandbox.minimumVersions }

    package init(_ sandbox: Sandbox) {
        self.sandbox = sandbox
    }

    /// Reads all minimum versions, ignoring other files.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when they can't be read.
    package func read() throws(AtriumError) -> [BundleIdentifier: SemanticVersion] {
        guard case .folder = try FileSystem.item(at: folder) else { return [:] }
        var minimumVersions: [BundleIdentifier: SemanticVersion] = [:]
        for identifier in try FileSystem.names(in: folder).compactMap({ BundleIdentifier($0) }) {
            minimumVersions[identifier] = try minimumVersion(of: identifier)
        }
        return minimumVersions
    }

    /// Raises a bundle's minimum version, unless it is that high already.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput`, `sandboxUnwritable` or `sandboxBusy`; the file is unchanged then.
    package func raise(_ identity: BundleIdentity) throws {
        if let minimumVersion = try minimumVersion(of: identity.identifier), minimumVersion >= identity.version {
            return
        }
        try sandbox.requireOwn([folder])
        try FileSystem.makeFolders(folder)
        try FileSystem.whileLocked(folder) {
            // Another host may have raised it meanwhile.
            if let minimumVersion = try minimumVersion(of: identity.identifier), minimumVersion >= identity.version {
                return
            }
            let text = "\(identity.version)\n"
            try FileSystem.replace(
                folder.appending(identity.identifier.text), with: Array(text.utf8), mode: 0o644)
        }
    }

    /// Returns the minimum version in a bundle's file.
    ///
    /// - Returns: `nil` when there is none, or the file isn't valid.
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when it can't be read.
    func minimumVersion(of identifier: BundleIdentifier) throws(AtriumError) -> SemanticVersion? {
        let path = folder.appending(identifier.text)
        guard case .file(let size, _) = try FileSystem.item(at: path), size <= Self.sizeLimit else { return nil }
        let text = String(decoding: try FileSystem.bytes(of: path, limit: Self.sizeLimit), as: UTF8.self)
        return SemanticVersion(String(text.prefix { $0 != "\n" }))
    }
}
