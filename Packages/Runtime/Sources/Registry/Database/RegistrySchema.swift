import HostSystem
import PluginCore
import SQLite

/// The tables of the registry.
enum RegistrySchema {
    /// The version of the tables, which SQLite stores as `user_version`. No release had a lower one.
    static let version = 13

    /// Creates the tables in an empty database; one with another version is left as it is.
    ///
    /// - Throws: ``AtriumError`` with code `registryNewer` for a higher version, and `registryDamaged` for a lower one, from which the
    ///   installed versions can be recovered.
    static func apply(to database: Database, at path: FilePath) throws {
        if try isApplied(to: database, at: path) { return }
        try database.transaction {
            // Another process may have created them meanwhile.
            if try isApplied(to: database, at: path) { return }
            try database.execute(script: tables)
            try database.execute("PRAGMA user_version = \(version)")
        }
    }

    private static func isApplied(to database: Database, at path: FilePath) throws -> Bool {
        let found = try database.value("PRAGMA user_version", as: Int.self) ?? 0
        if found == version { return true }
        if found == 0, try database.value("SELECT count(*) FROM sqlite_schema", as: Int.self) == 0 { return false }
        throw AtriumError(
            found > version ? .registryNewer : .registryDamaged, path.string, reason: "registryVersion",
            ["version": .integer(found)])
    }

    private static let tables = """
        CREATE TABLE bundle (
            identifier TEXT NOT NULL, version TEXT NOT NULL, digest TEXT NOT NULL, json TEXT NOT NULL,
            manifest BLOB NOT NULL,
            PRIMARY KEY (identifier, version, digest)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE active (
            identifier TEXT PRIMARY KEY NOT NULL,
            version TEXT NOT NULL, digest TEXT NOT NULL, previous_version TEXT, previous_digest TEXT,
            FOREIGN KEY (identifier, version, digest) REFERENCES bundle,
            FOREIGN KEY (identifier, previous_version, previous_digest) REFERENCES bundle
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE staged (
            identifier TEXT PRIMARY KEY NOT NULL, version TEXT NOT NULL, digest TEXT NOT NULL,
            waits_for_data INTEGER NOT NULL,
            FOREIGN KEY (identifier, version, digest) REFERENCES bundle
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE route (number INTEGER PRIMARY KEY, owner TEXT NOT NULL, json TEXT NOT NULL) STRICT;
        CREATE INDEX route_owner ON route (owner);
        CREATE TABLE route_expansion (
            canonical_key TEXT PRIMARY KEY NOT NULL, first_segment TEXT NOT NULL,
            route INTEGER NOT NULL REFERENCES route ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX route_expansion_first_segment ON route_expansion (first_segment);
        CREATE INDEX route_expansion_route ON route_expansion (route);

        -- Other declarations of active versions, and what the layers above keep of bundles: indices, choices of the user, decisions
        -- of the trust store.
        CREATE TABLE layer_record (
            layer TEXT NOT NULL, key TEXT NOT NULL, owner TEXT NOT NULL, json TEXT NOT NULL,
            PRIMARY KEY (layer, key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX layer_record_owner ON layer_record (owner, layer);

        CREATE TABLE history (
            sequence INTEGER PRIMARY KEY, at INTEGER NOT NULL, identifier TEXT NOT NULL,
            event TEXT NOT NULL, version TEXT NOT NULL, before TEXT, data_version INTEGER
        ) STRICT;
        CREATE INDEX history_identifier ON history (identifier);
        CREATE TABLE state (fact TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE quarantine (
            identifier TEXT NOT NULL, version TEXT NOT NULL, digest TEXT NOT NULL, json TEXT NOT NULL,
            PRIMARY KEY (identifier, version, digest)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE bundle_note (identifier TEXT PRIMARY KEY NOT NULL, json TEXT NOT NULL) STRICT, WITHOUT ROWID;
        CREATE INDEX bundle_note_mark ON bundle_note (identifier) WHERE \(NoteTable.hasMark);
        """
}
