import PluginCore
import PluginRouter
import PluginRuntime
import SQLite
import Testing
@testable import Registry

@Suite("Migration of old registries")
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
        INSERT INTO history SELECT * FROM now.history;
        INSERT INTO route SELECT number, pattern, kind, name, layout, guards, owner FROM now.route;
        INSERT INTO route_shape SELECT * FROM now.route_shape;
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
            let other = try host.another()
            let (router, _) = await other.connect(onDemandProvider: nil)
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
            #expect(shop.owner == TestHost.shop)
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
            #expect(try registry.targets.target(named: "Shop")?.owner == TestHost.shop)
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
}
