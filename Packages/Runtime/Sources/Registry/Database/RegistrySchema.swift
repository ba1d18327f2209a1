import SQLite

/// The tables of the registry; released migrations never change, and every change is a new migration.
enum RegistrySchema {
    static let migrations = Migrations([
        Migration(
            "bundles, what is active, their routes and targets, history",
            sql: """
                CREATE TABLE bundle (
                    identifier TEXT NOT NULL, version TEXT NOT NULL, digest TEXT NOT NULL,
                    name TEXT NOT NULL, summary TEXT NOT NULL, kind TEXT NOT NULL, entry TEXT,
                    app_groups TEXT NOT NULL, size INTEGER NOT NULL, installed_at INTEGER NOT NULL,
                    manifest BLOB NOT NULL,
                    PRIMARY KEY (identifier, version, digest)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE active (
                    identifier TEXT PRIMARY KEY NOT NULL,
                    version TEXT NOT NULL, digest TEXT NOT NULL, previous_version TEXT, previous_digest TEXT,
                    FOREIGN KEY (identifier, version, digest) REFERENCES bundle,
                    FOREIGN KEY (identifier, previous_version, previous_digest) REFERENCES bundle
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE route (
                    shape TEXT PRIMARY KEY NOT NULL, head TEXT NOT NULL, pattern TEXT NOT NULL, kind TEXT NOT NULL,
                    name TEXT NOT NULL, layout TEXT, guards TEXT NOT NULL, owner TEXT NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX route_head ON route (head);
                CREATE INDEX route_owner ON route (owner);
                CREATE TABLE target (
                    name TEXT PRIMARY KEY NOT NULL, owner TEXT NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX target_owner ON target (owner);
                CREATE TABLE history (
                    sequence INTEGER PRIMARY KEY, at INTEGER NOT NULL, identifier TEXT NOT NULL,
                    event TEXT NOT NULL, version TEXT NOT NULL, before TEXT
                ) STRICT;
                CREATE INDEX history_identifier ON history (identifier);
                """
        ),
        // Before this migration, every pattern had one canonical key, in the present format.
        Migration(
            "a route has a shape and a head for each choice of its pattern's optional groups",
            sql: """
                ALTER TABLE route RENAME TO route_before;
                DROP INDEX route_head;
                DROP INDEX route_owner;
                CREATE TABLE route (
                    number INTEGER PRIMARY KEY, pattern TEXT NOT NULL, kind TEXT NOT NULL,
                    name TEXT NOT NULL, layout TEXT, guards TEXT NOT NULL, owner TEXT NOT NULL
                ) STRICT;
                CREATE TABLE route_shape (
                    shape TEXT PRIMARY KEY NOT NULL, head TEXT NOT NULL,
                    route INTEGER NOT NULL REFERENCES route ON DELETE CASCADE
                ) STRICT, WITHOUT ROWID;
                INSERT INTO route (pattern, kind, name, layout, guards, owner)
                    SELECT pattern, kind, name, layout, guards, owner FROM route_before ORDER BY shape;
                INSERT INTO route_shape
                    SELECT before.shape, before.head, route.number FROM route_before AS before
                    JOIN route ON route.pattern = before.pattern AND route.owner = before.owner;
                DROP TABLE route_before;
                CREATE INDEX route_owner ON route (owner);
                CREATE INDEX route_shape_head ON route_shape (head);
                CREATE INDEX route_shape_route ON route_shape (route);
                """
        ),
        // Before this migration, manifests couldn't declare any of this, so the columns have the default values. An action was
        // only a name. If SQLite can't read a manifest (JSON may be UTF-16), its actions aren't listed, and unlisted actions
        // are exposed to plugins, as before.
        Migration(
            "what routes say of priority, exposure, deadline and declining; actions and services",
            sql: """
                ALTER TABLE route ADD COLUMN priority INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE route ADD COLUMN exposure TEXT NOT NULL DEFAULT 'plugins';
                ALTER TABLE route ADD COLUMN deadline REAL;
                ALTER TABLE route ADD COLUMN may_decline INTEGER NOT NULL DEFAULT 0;
                CREATE TABLE action (
                    target TEXT NOT NULL REFERENCES target ON DELETE CASCADE, position INTEGER NOT NULL,
                    name TEXT NOT NULL, exposure TEXT NOT NULL,
                    PRIMARY KEY (target, position)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE service (
                    name TEXT PRIMARY KEY NOT NULL, owner TEXT NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX service_owner ON service (owner);
                INSERT OR IGNORE INTO action
                    SELECT target.name, listed.key, listed.value, 'plugins'
                    FROM target
                    JOIN active ON active.identifier = target.owner
                    JOIN bundle USING (identifier, version, digest)
                    JOIN json_each(
                        CASE WHEN json_valid(CAST(manifest AS TEXT)) THEN CAST(manifest AS TEXT) ELSE '{}' END,
                        '$.targets'
                    ) AS declared
                    JOIN json_each(declared.value, '$.actions') AS listed
                    WHERE declared.value ->> '$.name' = target.name AND listed.type = 'text';
                """
        ),
        // Before this migration, nothing was sealed: existing versions have no team, and loading reports them as unsigned.
        Migration(
            "who sealed a version, and how its library is known; requirements, floors, quarantine, staged versions",
            sql: """
                ALTER TABLE bundle ADD COLUMN team TEXT NOT NULL DEFAULT '';
                ALTER TABLE bundle ADD COLUMN key_id TEXT NOT NULL DEFAULT '';
                ALTER TABLE bundle ADD COLUMN library_digest TEXT;
                ALTER TABLE bundle ADD COLUMN library_stamp TEXT;
                ALTER TABLE bundle ADD COLUMN proven_at INTEGER;
                CREATE TABLE requirement (
                    owner TEXT NOT NULL, bundle TEXT NOT NULL, versions TEXT NOT NULL, on_demand INTEGER NOT NULL,
                    PRIMARY KEY (owner, bundle)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX requirement_bundle ON requirement (bundle);
                CREATE TABLE floor (identifier TEXT PRIMARY KEY NOT NULL, version TEXT NOT NULL) STRICT, WITHOUT ROWID;
                CREATE TABLE quarantine (
                    identifier TEXT NOT NULL, version TEXT NOT NULL, digest TEXT NOT NULL,
                    reason TEXT NOT NULL, at INTEGER NOT NULL,
                    PRIMARY KEY (identifier, version, digest)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE staged (
                    identifier TEXT PRIMARY KEY NOT NULL, version TEXT NOT NULL, digest TEXT NOT NULL,
                    FOREIGN KEY (identifier, version, digest) REFERENCES bundle
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE note (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
                INSERT OR IGNORE INTO requirement
                    SELECT active.identifier, declared.value ->> '$.bundle', declared.value ->> '$.versions', 1
                    FROM active JOIN bundle USING (identifier, version, digest)
                    JOIN json_each(
                        CASE WHEN json_valid(CAST(manifest AS TEXT)) THEN CAST(manifest AS TEXT) ELSE '{}' END,
                        '$.requires'
                    ) AS declared
                    WHERE declared.value ->> '$.bundle' IS NOT NULL AND declared.value ->> '$.versions' IS NOT NULL;
                """
        ),
        Migration(
            "how the seal of a version is known", sql: "ALTER TABLE bundle ADD COLUMN seal_stamp TEXT;"
        ),
        // Before this migration, no reason was stored. Libraries that another bundle requires count as required; everything
        // else counts as requested, so that it isn't removed automatically. Bundles whose last change was a rollback are pinned
        // as a rollback pins now.
        Migration(
            "why a bundle is installed, which versions it is pinned to, and what was uninstalled by name",
            sql: """
                CREATE TABLE install_reason (
                    identifier TEXT PRIMARY KEY NOT NULL, reason TEXT NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE pin (
                    identifier TEXT PRIMARY KEY NOT NULL, versions TEXT, skipped_through TEXT, at INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE uninstalled (
                    identifier TEXT PRIMARY KEY NOT NULL, at INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                INSERT INTO install_reason
                    SELECT active.identifier,
                        CASE WHEN kind = 'lib' AND EXISTS (
                            SELECT 1 FROM requirement
                            WHERE requirement.bundle = active.identifier AND owner <> active.identifier AND on_demand = 0
                        ) THEN 'required' ELSE 'requested' END
                    FROM active JOIN bundle USING (identifier, version, digest);
                INSERT INTO pin
                    SELECT identifier, NULL, previous_version, 0 FROM active
                    WHERE previous_version IS NOT NULL AND 'rolledBack' = (
                        SELECT event FROM history
                        WHERE history.identifier = active.identifier AND event NOT IN ('staged', 'pruned')
                        ORDER BY sequence DESC LIMIT 1
                    );
                """
        ),
        // Before this migration, the table "note" had texts of several kinds by name. The decisions about loads and the stamp of
        // built-in packages among them aren't migrated, because the next load and the next start determine them again. The other
        // tables are only renamed, so damage in them doesn't prevent the migration.
        Migration(
            "a table for each kind of note; names of tables and columns",
            sql: """
                CREATE TABLE state (
                    id INTEGER PRIMARY KEY CHECK (id = 1), begun_at INTEGER, built_in_stamp TEXT
                ) STRICT;
                CREATE TABLE pending_erasure (identifier TEXT PRIMARY KEY NOT NULL) STRICT, WITHOUT ROWID;
                CREATE TABLE on_demand_install (
                    identifier TEXT PRIMARY KEY NOT NULL, token TEXT NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE trust_decision (
                    identifier TEXT NOT NULL, team TEXT NOT NULL, key_id TEXT NOT NULL, app_groups TEXT NOT NULL,
                    stamp TEXT NOT NULL, key TEXT NOT NULL,
                    PRIMARY KEY (identifier, team, key_id, app_groups)
                ) STRICT, WITHOUT ROWID;
                INSERT INTO state (id, begun_at) SELECT 1, CAST(value AS INTEGER) FROM note WHERE name = 'begun';
                WITH RECURSIVE line (text, rest) AS (
                    SELECT NULL, value || char(10) FROM note WHERE name = 'erase'
                    UNION ALL
                    SELECT substr(rest, 1, instr(rest, char(10)) - 1), substr(rest, instr(rest, char(10)) + 1)
                    FROM line WHERE rest <> ''
                )
                INSERT OR IGNORE INTO pending_erasure SELECT text FROM line WHERE text <> '';
                INSERT INTO on_demand_install
                    SELECT substr(name, length('supplied ') + 1), value FROM note WHERE name GLOB 'supplied *';
                DROP TABLE note;
                ALTER TABLE floor RENAME TO minimum_version;
                ALTER TABLE bundle RENAME COLUMN proven_at TO has_run_since;
                ALTER TABLE route_shape RENAME TO route_expansion;
                ALTER TABLE route_expansion RENAME COLUMN shape TO canonical_key;
                ALTER TABLE route_expansion RENAME COLUMN head TO first_segment;
                """
        ),
        // Before this migration, manifests couldn't declare extensions, so no version has any.
        Migration(
            "extensions with the types that they require, extension points, and what the user has chosen",
            sql: """
                CREATE TABLE extension (
                    identifier TEXT PRIMARY KEY NOT NULL, owner TEXT NOT NULL, position INTEGER NOT NULL,
                    point TEXT NOT NULL, entry TEXT NOT NULL, name TEXT NOT NULL, activation TEXT,
                    start REAL, request REAL, "end" REAL, idle REAL,
                    memory INTEGER, file_size INTEGER, open_files INTEGER
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX extension_owner ON extension (owner);
                CREATE INDEX extension_by_point ON extension (point);
                CREATE TABLE extension_type (
                    point TEXT NOT NULL, type TEXT NOT NULL,
                    extension TEXT NOT NULL REFERENCES extension ON DELETE CASCADE,
                    PRIMARY KEY (point, type, extension)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX extension_type_extension ON extension_type (extension);
                CREATE TABLE extension_point (
                    identifier TEXT PRIMARY KEY NOT NULL, owner TEXT NOT NULL,
                    start REAL NOT NULL, request REAL NOT NULL, "end" REAL NOT NULL, idle REAL NOT NULL,
                    memory INTEGER NOT NULL, file_size INTEGER NOT NULL, open_files INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX extension_point_owner ON extension_point (owner);
                CREATE TABLE extension_choice (
                    identifier TEXT PRIMARY KEY NOT NULL, owner TEXT NOT NULL, is_enabled INTEGER NOT NULL,
                    position INTEGER, has_content INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX extension_choice_owner ON extension_choice (owner);
                """
        ),
        Migration(
            "the process in which a plugin asks to run",
            sql: """
                ALTER TABLE bundle ADD COLUMN isolation TEXT;
                UPDATE bundle SET isolation = json_extract(CAST(manifest AS TEXT), '$.isolation')
                    WHERE json_valid(CAST(manifest AS TEXT));
                """
        ),
        // Before this migration, manifests couldn't declare a data version, so each version has number 0.
        Migration(
            "the data versions of versions, of the history, and staged versions that wait for the end of a use",
            sql: """
                ALTER TABLE bundle ADD COLUMN data_version INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE history ADD COLUMN data_version INTEGER;
                ALTER TABLE staged ADD COLUMN waits_for_data INTEGER NOT NULL DEFAULT 0;
                """
        ),
    ])
}
