import BundleFormat
import PluginCore
import PluginRouter
import PluginRuntime
import SQLite
import Testing
@testable import Registry

@Suite("Migration of old registries", .tags(.medium))
struct RegistryMigrationTests {
    /// The schema of the second release.
    private static let second = """
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
        CREATE TABLE target (name TEXT PRIMARY KEY NOT NULL, owner TEXT NOT NULL) STRICT, WITHOUT ROWID;
        CREATE INDEX target_owner ON target (owner);
        CREATE TABLE history (
            sequence INTEGER PRIMARY KEY, at INTEGER NOT NULL, identifier TEXT NOT NULL,
            event TEXT NOT NULL, version TEXT NOT NULL, before TEXT
        ) STRICT;
        CREATE INDEX history_identifier ON history (identifier);
        CREATE TABLE route (
            number INTEGER PRIMARY KEY, pattern TEXT NOT NULL, kind TEXT NOT NULL,
            name TEXT NOT NULL, layout TEXT, guards TEXT NOT NULL, owner TEXT NOT NULL
        ) STRICT;
        CREATE TABLE route_shape (
            shape TEXT PRIMARY KEY NOT NULL, head TEXT NOT NULL,
            route INTEGER NOT NULL REFERENCES route ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX route_owner ON route (owner);
        CREATE INDEX route_shape_head ON route_shape (head);
        CREATE INDEX route_shape_route ON route_shape (route);
        """

    private static let copy = """
        INSERT INTO bundle
            SELECT identifier, version, digest, name, summary, kind, entry, app_groups, size, installed_at, manifest
            FROM now.bundle;
        INSERT INTO active SELECT * FROM now.active;
        INSERT INTO target SELECT name, owner FROM now.target;
        INSERT INTO history SELECT sequence, at, identifier, event, version, before FROM now.history;
        INSERT INTO route SELECT number, pattern, kind, name, layout, guards, owner FROM now.route;
        INSERT INTO route_shape SELECT canonical_key, first_segment, route FROM now.route_expansion;
        DETACH now;
        PRAGMA user_version = 2;
        """

    /// Replaces the registry by one that the second release would have written.
    private func age(_ registry: FilePath, _ change: String = "") throws {
        let bytes = try registry.bytes
        let now = FilePath(registry.string + "-now")
        try now.write(bytes)
        try registry.remove()
        try Database(path: registry.string).execute(
            script: Self.second + "ATTACH '\(now.string)' AS now;" + Self.copy + change)
        try now.remove()
    }

    private static let package = SamplePackage(
        kind: "assets",
        routes: [
            #"{"pattern": "shop/:id", "page": "item", "layout": "main/item"}"#, "app://Shop", "(/en)/:page(/x)",
        ],
        targets: [#"{"name": "Shop", "actions": ["price", "stock"]}"#, #"{"name": "Till", "actions": []}"#],
        library: nil,
        files: ["Resources/Pages/main.json": #"{"pages": {"item": {"title": "item {id}", "content": []}}}"#])

    @Test("Migration preserves routes, but unsigned versions aren't shown")
    func routes() async throws {
        try await withHost { host in
            try host.offer(Self.package)
            try await host.manager.install(TestHost.shop)
            try age(host.sandbox.registry)
            let other = try host.another(installsOnDemand: false)
            let router = other.router
            let error = try await #require(throws: AtriumError.self) { try await router.open("app://shop/42") }
            #expect(error.code == .unsigned)
            #expect(try other.registry.routes.patterns() == ["(/en)/:page(/x)", "app://Shop", "shop/:id"])
            let routes = try other.registry.routes.routes(withFirstSegments: ["shop"])
            let route = try #require(routes.first { $0.pattern.text == "shop/:id" })
            #expect((route.priority, route.exposure, route.mayDecline) == (0, .plugins, false))
            #expect(route.deadline == nil)
        }
    }

    @Test("Migration lists the actions of each target with the default exposure")
    func actions() async throws {
        try await withHost { host in
            try host.offer(Self.package, SamplePackage(identifier: "com.example.app.other", targets: ["Other"]))
            try await host.manager.install(TestHost.shop)
            try await host.manager.install("com.example.app.other")
            try age(host.sandbox.registry)
            let registry = try host.another().registry
            let shop = try #require(try registry.targets.target(named: "Shop"))
            #expect(shop.actions == ["price", "stock"])
            #expect(shop.owner == TestHost.shop.text)
            #expect(try registry.targets.target(named: "Till")?.actions == [])
            #expect(try registry.targets.target(named: "Other")?.actions == ["act"])
        }
    }

    @Test("Migration preserves targets even if a manifest is unreadable")
    func unreadable() async throws {
        try await withHost { host in
            try host.offer(Self.package)
            try await host.manager.install(TestHost.shop)
            try age(host.sandbox.registry, "UPDATE bundle SET manifest = x'FEFF007B007D';")
            let registry = try host.another().registry
            #expect(try registry.targets.target(named: "Shop")?.owner == TestHost.shop.text)
            #expect(try registry.routes.routes(withFirstSegments: ["shop"]).count == 2)
        }
    }

    @Test("A migrated registry supports updates, rollbacks and uninstalls")
    func goesOn() async throws {
        try await withHost { host in
            try host.offer(Self.package, SamplePackage(version: "2.0.0", services: ["Stock"]))
            try await host.manager.install(TestHost.shop, version: host.version("1.0.0"))
            try age(host.sandbox.registry)
            let other = try host.another()
            try await other.manager.update(TestHost.shop)
            #expect(try other.registry.services.services() == ["Stock"])
            #expect(try other.registry.targets.target(named: "Shop") == nil)
            try await other.manager.rollBack(TestHost.shop)
            #expect(try other.registry.targets.target(named: "Shop")?.actions == ["price", "stock"])
            try await other.manager.uninstall(TestHost.shop)
            #expect(try other.registry.routes.patterns() == [])
        }
    }

    @Test(
        "A migrated registry knows which installed plugins ask for a process of their own", arguments: [nil, "process"])
    func isolation(asked: String?) async throws {
        try await withHost { host in
            try host.offer(SamplePackage(isolation: asked))
            try await host.manager.install(TestHost.shop)
            try host.database().restoreFifthSchema()
            let active = try host.another().registry.active.version(of: TestHost.shop)
            #expect(active?.isolation == (asked == nil ? .host : .process))
        }
    }
}

extension Database {
    /// Replaces the tables of a registry by those that it had after the fifth migration.
    func restoreFifthSchema() throws {
        try execute(
            script: """
                CREATE TABLE note (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
                INSERT INTO note SELECT 'begun', CAST(begun_at AS TEXT) FROM state;
                DROP TABLE state; DROP TABLE pending_erasure; DROP TABLE on_demand_install; DROP TABLE trust_decision;
                ALTER TABLE minimum_version RENAME TO floor;
                ALTER TABLE bundle RENAME COLUMN has_run_since TO proven_at;
                ALTER TABLE route_expansion RENAME COLUMN canonical_key TO shape;
                ALTER TABLE route_expansion RENAME COLUMN first_segment TO head;
                ALTER TABLE route_expansion RENAME TO route_shape;
                DROP TABLE install_reason; DROP TABLE pin; DROP TABLE uninstalled;
                DROP TABLE extension_type; DROP TABLE extension; DROP TABLE extension_point; DROP TABLE extension_choice;
                ALTER TABLE bundle DROP COLUMN isolation;
                ALTER TABLE bundle DROP COLUMN data_version;
                ALTER TABLE history DROP COLUMN data_version;
                ALTER TABLE staged DROP COLUMN waits_for_data;
                PRAGMA user_version = 5;
                """)
    }
}

@Suite("Migration of the table of notes", .tags(.medium))
struct NoteMigrationTests {
    /// The schema after the sixth migration, with a row in each table that the seventh changes.
    private static let sixth = """
        CREATE TABLE bundle (
            identifier TEXT NOT NULL, version TEXT NOT NULL, digest TEXT NOT NULL,
            name TEXT NOT NULL, summary TEXT NOT NULL, kind TEXT NOT NULL, entry TEXT,
            app_groups TEXT NOT NULL, size INTEGER NOT NULL, installed_at INTEGER NOT NULL,
            manifest BLOB NOT NULL,
            team TEXT NOT NULL DEFAULT '', key_id TEXT NOT NULL DEFAULT '', library_digest TEXT, library_stamp TEXT,
            proven_at INTEGER, seal_stamp TEXT,
            PRIMARY KEY (identifier, version, digest)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE active (
            identifier TEXT PRIMARY KEY NOT NULL,
            version TEXT NOT NULL, digest TEXT NOT NULL, previous_version TEXT, previous_digest TEXT,
            FOREIGN KEY (identifier, version, digest) REFERENCES bundle,
            FOREIGN KEY (identifier, previous_version, previous_digest) REFERENCES bundle
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE target (name TEXT PRIMARY KEY NOT NULL, owner TEXT NOT NULL) STRICT, WITHOUT ROWID;
        CREATE INDEX target_owner ON target (owner);
        CREATE TABLE history (
            sequence INTEGER PRIMARY KEY, at INTEGER NOT NULL, identifier TEXT NOT NULL,
            event TEXT NOT NULL, version TEXT NOT NULL, before TEXT
        ) STRICT;
        CREATE INDEX history_identifier ON history (identifier);
        CREATE TABLE route (
            number INTEGER PRIMARY KEY, pattern TEXT NOT NULL, kind TEXT NOT NULL,
            name TEXT NOT NULL, layout TEXT, guards TEXT NOT NULL, owner TEXT NOT NULL,
            priority INTEGER NOT NULL DEFAULT 0, exposure TEXT NOT NULL DEFAULT 'plugins', deadline REAL,
            may_decline INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE TABLE route_shape (
            shape TEXT PRIMARY KEY NOT NULL, head TEXT NOT NULL,
            route INTEGER NOT NULL REFERENCES route ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX route_owner ON route (owner);
        CREATE INDEX route_shape_head ON route_shape (head);
        CREATE INDEX route_shape_route ON route_shape (route);
        CREATE TABLE action (
            target TEXT NOT NULL REFERENCES target ON DELETE CASCADE, position INTEGER NOT NULL,
            name TEXT NOT NULL, exposure TEXT NOT NULL,
            PRIMARY KEY (target, position)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE service (name TEXT PRIMARY KEY NOT NULL, owner TEXT NOT NULL) STRICT, WITHOUT ROWID;
        CREATE INDEX service_owner ON service (owner);
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
        CREATE TABLE install_reason (identifier TEXT PRIMARY KEY NOT NULL, reason TEXT NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE pin (
            identifier TEXT PRIMARY KEY NOT NULL, versions TEXT, skipped_through TEXT, at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE uninstalled (identifier TEXT PRIMARY KEY NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        INSERT INTO bundle VALUES (
            'com.example.app.shop', '1.2.0', 'd1', 'Shop', '', 'app', NULL, 'group.example', 7, 8, x'7b7d', 'com.example',
            'K', NULL, NULL, 9, NULL);
        INSERT INTO active VALUES ('com.example.app.shop', '1.2.0', 'd1', NULL, NULL);
        INSERT INTO route (number, pattern, kind, name, guards, owner)
            VALUES (1, 'shop/:id', 'page', 'item', '', 'com.example.app.shop');
        INSERT INTO route_shape VALUES ('shop/:', 'shop', 1);
        INSERT INTO floor VALUES ('com.example.app.shop', '1.2.0');
        INSERT INTO note VALUES ('begun', '123');
        INSERT INTO note VALUES ('built-in', 'stamp');
        INSERT INTO note VALUES ('loadable', 'stamp' || char(10) || 'com.example.app.shop com.example K - key');
        PRAGMA user_version = 6;
        """

    /// Opens a registry of the sixth schema.
    private func withRegistry(notes: String = "", _ body: (Registry) throws -> Void) throws {
        try withFolderNow { folder in
            let sandbox = Sandbox(root: folder)
            try sandbox.registry.parent.makeFolder()
            try Database(path: sandbox.registry.string).execute(script: Self.sixth + notes)
            try body(Registry(sandbox))
        }
    }

    @Test("Migration preserves versions, routes and minimum versions under the new names")
    func renamed() throws {
        try withRegistry { registry in
            let bundle = try #require(try registry.active.version(of: TestHost.shop))
            #expect(bundle.identity.version.description == "1.2.0")
            #expect(bundle.hasRunSince == 9)
            #expect(bundle.appGroups == ["group.example"])
            #expect(try registry.minimumVersions.all()[TestHost.shop]?.description == "1.2.0")
            #expect(try registry.routes.routes(withFirstSegments: ["shop"]).map(\.pattern.text) == ["shop/:id"])
            #expect(try registry.damage() == [])
        }
    }

    @Test(
        "Migration preserves pending deletions of data and the tokens of on-demand installs",
        arguments: [[], ["com.example.app.a"], ["com.example.app.a", "com.example.app.b", "com.example.app.c"]])
    func notes(erased: [BundleIdentifier]) throws {
        let erase =
            erased.isEmpty ? "" : "INSERT INTO note VALUES ('erase', '\(erased.map(\.text).joined(separator: "\n"))');"
        let supplied = "INSERT INTO note VALUES ('supplied com.example.app.shop', 'token 1');"
        try withRegistry(notes: erase + supplied) { registry in
            let migrated = try registry.erasures.all()
            #expect(migrated == erased)
            #expect(try registry.onDemandInstalls.token(of: TestHost.shop) == "token 1")
            #expect(try registry.onDemandInstalls.token(of: "com.example.app.a") == nil)
        }
    }

    @Test("A migrated registry without versions has begun, and its derived notes are determined again")
    func begun() throws {
        let emptied = "DELETE FROM active; DELETE FROM bundle;"
        try withRegistry(notes: emptied) { registry in
            let hasBegun = try registry.hasBegun
            #expect(hasBegun)
            #expect(try registry.state.builtInStamp() == nil)
            #expect(try registry.trustDecisions.all(for: "stamp") == [])
        }
        try withRegistry(notes: emptied + "DELETE FROM note;") { registry in
            let hasBegun = try registry.hasBegun
            #expect(!hasBegun)
        }
    }
}
