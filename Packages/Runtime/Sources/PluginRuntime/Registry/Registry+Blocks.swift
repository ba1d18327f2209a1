import PluginCore
import SQLite

/// Blocks: contents that crashed or hung a host and may not be installed again until somebody lifts the block. A block names the
/// content by the digest of its seal, so the same version packed again with other content is free.
extension Registry {
    /// Lifts blocks, and tells so in the history.
    func unblock(_ blocked: [QuarantinedVersion]) throws(AtriumError) {
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
