package import PluginCore
import SQLite

/// Blocks: contents that crashed or hung a host and can't be installed again until a user lifts the block.
///
/// A block identifies the content by the digest of its seal, so the same version with different content isn't blocked. See
/// Documentation/Decisions/0030-block-content-not-versions.md.
extension Registry {
    /// Lifts blocks, and records that in the history.
    package func unblock(_ blocked: [QuarantinedVersion]) throws(AtriumError) {
        if blocked.isEmpty { return }
        try write { database in
            for version in blocked {
                try database.execute(
                    "DELETE FROM quarantine WHERE identifier = ? AND version = ? AND digest = ?",
                    version.identity.identifier, version.identity.version.description, version.digest)
                try Self.record(.unblocked, version.identity, nil, in: database)
            }
        }
    }

    /// Lifts all blocks of a bundle, within a transaction.
    static func unblock(_ identifier: String, in database: Database) throws {
        try database.execute("DELETE FROM quarantine WHERE identifier = ?", identifier)
    }
}
