import SQLite

/// The registry's tables. Every step that was once released stays as it is; a change is a new step.
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
        )
    ])
}
