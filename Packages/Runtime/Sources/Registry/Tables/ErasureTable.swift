package import PluginCore
internal import SQLite

/// The table of bundles whose data is to be deleted.
///
/// They are recorded with their removal, so that an interrupted deletion is completed later.
package struct ErasureTable: Sendable {
    let connection: RegistryConnection

    /// Returns the bundles whose data is still to be deleted, sorted.
    package func all() throws(AtriumError) -> [BundleIdentifier] {
        try connection.query("SELECT identifier FROM pending_erasure ORDER BY identifier", row: Self.identifier)
    }

    /// Decodes the identifier of a row.
    static func identifier(_ row: borrowing Row) throws -> BundleIdentifier { try row["identifier"] }

    /// Adds bundles.
    package func add(_ identifiers: [BundleIdentifier]) throws(AtriumError) {
        try connection.write { tables in
            for identifier in identifiers {
                try tables.connection.execute(
                    "INSERT OR IGNORE INTO pending_erasure (identifier) VALUES (?)", identifier)
            }
        }
    }

    /// Removes bundles.
    package func remove(_ identifiers: [BundleIdentifier]) throws(AtriumError) {
        try connection.write { tables in
            for identifier in identifiers {
                try tables.connection.execute("DELETE FROM pending_erasure WHERE identifier = ?", identifier)
            }
        }
    }
}
