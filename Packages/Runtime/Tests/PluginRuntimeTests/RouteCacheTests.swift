import BundleFormat
import PluginCore
import PluginRouter
import SQLite
import Testing
@testable import HostSystem
@testable import PluginRuntime
@testable import Registry

@Suite("Caches of the registry, and custom route converters", .tags(.medium))
struct RouteCacheTests {
    /// A host that registers a converter.
    private let host = TestHost(converters: Self.converters)

    private func patterns(_ registry: Registry, _ address: String) async throws -> [String] {
        try await registry.routes.matches(for: try ResourceURI(address)).map(\.route.pattern.text)
    }

    @Test("The caches always reflect the active versions and their routes, whichever host changed them")
    func fresh() async throws {
        let other = host.another()
        try host.offer(
            SamplePackage(version: "1.0.0", routes: ["shop/:old"]),
            SamplePackage(version: "2.0.0", routes: ["shop/:new"]))
        func expect(_ expected: [String], _ location: SourceLocation = #_sourceLocation) async throws {
            for registry in [host.registry, other.registry] {
                let active = try registry.active.identifiers()
                #expect(active == (expected.isEmpty ? [] : [.shop]), sourceLocation: location)
                for _ in 0..<3 {
                    #expect(try await patterns(registry, "app://shop/1") == expected, sourceLocation: location)
                    let listed = try registry.routes.routes(withFirstSegments: ["shop", ""]).map(\.pattern.text)
                    #expect(listed == expected, sourceLocation: location)
                }
            }
        }
        try await expect([])
        try await host.install(version: "1.0.0")
        try await expect(["shop/:old"])
        try await host.manager.update(.shop)
        try await expect(["shop/:new"])
        try await other.manager.rollBack(.shop)
        try await expect(["shop/:old"])
        try await other.manager.uninstall(.shop)
        try await expect([])
        try await host.install(version: "1.0.0")
        try await expect(["shop/:old"])
        // This registry's cache is filled before the file is replaced.
        let third = host.another().registry
        #expect(try await patterns(third, "app://shop/1") == ["shop/:old"])
        try host.sandbox.root.remove()
        try await expect([])
        try await other.manager.install(.shop)
        #expect(try await patterns(third, "app://shop/1") == ["shop/:new"])
        try await expect(["shop/:new"])
    }

    @Test("Whoever sees that a bundle is installed finds its routes at once", .timeLimit(.minutes(5)))
    func withCommit() async throws {
        try host.offer(SamplePackage(routes: ["shop"]))
        let version = try host.registry.versions.placed(try await host.manager.install(.shop).bundle)
        let registry = host.registry
        for _ in 0..<200 {
            try registry.commit([.remove(.shop)])
            // Fills the cache with the absence of the route.
            #expect(try await patterns(registry, "app://shop") == [])
            async let write = registry.commit([.activate(version)])
            // Without a pause, the reader could keep the writer from the connection.
            while try registry.active.bundle(.shop) == nil { try await Task.sleep(for: .microseconds(20)) }
            #expect(try await patterns(registry, "app://shop") == ["shop"])
            _ = try await write
        }
    }

    @Test("A route is returned once and in order, even if its pattern matches with and without the first segment")
    func once() async throws {
        try await host.install(SamplePackage(routes: ["(/en)(/:page)/:x", "en/:y/z", ":any/b/z"]))
        for _ in 0..<3 {
            #expect(try await patterns(host.registry, "en/b/z") == ["en/:y/z", "(/en)(/:page)/:x", ":any/b/z"])
            #expect(try await patterns(host.registry, "en/b") == ["(/en)(/:page)/:x"])
        }
    }

    @Test("The cache discards its routes to stay within its limit, and when the registry changes")
    func bounded() throws {
        let cache = GenerationCache<String, Int>(room: 10)
        let generation = RegistryGeneration(connection: 1, writes: 0, version: 1)
        cache.store(11, for: "large", cost: 11, in: generation)
        #expect(cache.value(of: "large", in: generation) == nil)
        for number in 0..<1_000 {
            cache.store(number, for: "h\(number)", cost: 1 + number % 3, in: generation)
            #expect(cache.value(of: "h\(number)", in: generation) == number)
            #expect(cache.cost <= 10)
        }
        #expect(cache.value(of: "h0", in: generation) == nil)
        #expect(cache.value(of: "h999", in: RegistryGeneration(connection: 1, writes: 1, version: 1)) == nil)
    }

    @Test("The cache of active versions sees every change by another process, whatever the file times say")
    func others() async throws {
        let bundle = try await host.install(SamplePackage())
        let other = host.another().registry
        for number in 100..<400 {
            try other.versions.save(.library, "\(number)", of: bundle)
            #expect(try host.registry.active.version(of: .shop)?.seal.libraryStamp == "\(number)")
        }
    }

    @Test("An unchanged registry isn't queried again")
    func untouched() async throws {
        try await host.install(SamplePackage())
        while try FileStamp(ofFile: host.sandbox.registry)?.isStable != true { await Task.yield() }
        let expected = try host.registry.active.version(of: .shop)
        let database = try host.database()
        // A query would fail as busy.
        try database.execute("BEGIN EXCLUSIVE")
        #expect(try host.registry.active.version(of: .shop) == expected)
        try database.execute("ROLLBACK")
    }

    private static let package = SamplePackage(
        kind: "assets",
        routes: [
            #"{"pattern": "shop/:item<slug>", "page": "item", "layout": "main/item"}"#,
            #"{"pattern": "shop/:other", "page": "other", "layout": "main/other"}"#,
        ],
        library: nil,
        files: [
            "Resources/Pages/main.json": """
            {"pages": {"item": {"title": "item {item}", "content": []}, "other": {"title": "other {other}", "content": []}}}
            """
        ])

    private static var converters: RouteConverters {
        var converters = RouteConverters.standard
        converters.register(
            RouteConverter("slug", example: "red-socks") { $0.allSatisfy { $0.isLowercase || $0 == "-" } })
        return converters
    }

    /// Returns the title of the page that an address opens on a host.
    private func title(at address: String, on host: TestHost) async throws -> String? {
        try await host.router.open(address)
        return await host.navigator.pages.last?.title
    }

    @Test("A converter that the host registers decides which addresses match, and another host names the pattern")
    func registered() async throws {
        try host.offer(Self.package)
        try await host.manager.install(.shop)
        #expect(try await title(at: "app://shop/red-socks", on: host) == "item red-socks")
        #expect(try await title(at: "app://shop/42", on: host) == "other 42")
        let installed = try #require(try host.registry.active.bundle(.shop))
        #expect(try host.registry.versions.manifest(of: installed.active).routes.count == 2)
        let other = host.another()
        let error = try await other.refusal(.patternMalformed) { try await title(at: "app://shop/42", on: other) }
        #expect(error.subject == "shop/:item<slug>")
        #expect(error.reason?.values["owner"] == "com.example.app.shop")
    }

    @Test("A custom converter decides which addresses install a plugin on demand")
    func installedOnDemand() async throws {
        var package = Self.package
        package.routes.removeLast()
        try host.offer(package)
        try await host.refusal(.routeUnknown, of: "app://shop/42") { try await title(at: "app://shop/42", on: host) }
        #expect(try await title(at: "app://shop/red-socks", on: host) == "item red-socks")
    }

    @Test("A plugin that uses an unregistered converter is rejected with the known converters")
    func unregistered() async throws {
        let host = host.another()
        try host.offer(Self.package)
        let error = try await host.refusal(.manifestInvalid) { try await host.manager.install(.shop) }
        #expect(
            error.problems.map(\.description) == [
                "at(place: routes[0].pattern, problem: patternFlaw(pattern: shop/:item<slug>, problem: "
                    + "converterUnknown(known: [bool, double, int, string, uuid], name: slug)))"
            ])
        let listing = try host.manager.offers.catalog.listing()
        #expect(listing.packages.isEmpty && listing.problems.map(\.code) == [.manifestInvalid])
    }
}
