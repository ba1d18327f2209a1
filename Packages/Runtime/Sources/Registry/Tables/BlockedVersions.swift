import HostSystem
public import PluginCore
import SQLite

/// A version whose content crashed or hung the host and is blocked.
///
/// It is neither installed nor loaded until a user lifts the block. The same version with different content isn't blocked.
public struct QuarantinedVersion: Hashable, Sendable, Codable {
    /// The blocked version.
    public let identity: BundleIdentity
    /// The SHA-256 of its seal.
    public let digest: String
    /// The reason for the block, such as a crash.
    public let reason: ErrorReason
    /// The time when that was found, in seconds since 1970.
    public let at: Int64
}

extension QuarantinedVersion {
    package init(_ bundle: PluginBundle, because reason: ErrorReason, at time: Int64) {
        self.init(identity: bundle.identity, digest: bundle.digest, reason: reason, at: time)
    }

    package var key: VersionKey { .init(identity: identity, digest: digest) }
}

/// The table of blocks: contents that can't be installed again until a user lifts the block.
///
/// A block identifies the content by the digest of its seal, so the same version with different content isn't blocked. See
/// Documentation/Decisions/0030-block-content-not-versions.md.
public struct QuarantineTable: Sendable {
    let connection: RegistryConnection

    /// Returns the blocked versions, sorted by identifier and version.
    public func all() throws(AtriumError) -> [QuarantinedVersion] {
        try connection.records("SELECT * FROM quarantine ORDER BY identifier, version")
    }

    /// Blocks the content of a version, and records that in the history.
    func block(_ bundle: PluginBundle, _ reason: ErrorReason) throws(AtriumError) {
        try set(QuarantinedVersion(bundle, because: reason, at: Clock.now()))
        try connection.history.add(.quarantined, bundle.identity)
    }

    /// Stores a block.
    package func set(_ version: QuarantinedVersion) throws(AtriumError) {
        try connection.execute(
            "INSERT OR REPLACE INTO quarantine VALUES (?, ?, ?, ?)",
            arguments: version.key.arguments([RecordJSON.text(of: version)]))
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
