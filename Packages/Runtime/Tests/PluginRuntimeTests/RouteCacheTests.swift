import PluginCore
import PluginRouter
import SQLite
import Testing

@testable import HostSystem
@testable import Registry
@testable import PluginRuntime

@Suite("Caches of the registry", .tags(.medium))
struct RouteCacheTests {
    private let host: TestHost

    init() throws { host = try TestHost() }

    private func patterns(_ registry: Registry, _ address: String) async throws -> [String] {
        try await registry.routes.matches(for: try ResourceURI(address)).map(\.route.pattern.text)
    }

    @Test("The cache always reflects the installed routes, whichever host changed them")
    func fresh() async throws {
        let other = try host.another()
        try host.offer(
            SamplePackage(version: "1.0.0", routes: ["shop/:old"]),
            SamplePackage(version: "2.0.0", routes: ["shop/:new"]))
        func expect(_ expected: [String], _ location: SourceLocation = #_sourceLocation) async throws {
            for registry in [host.registry, other.registry] {
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
        let third = try host.another().registry
        #expect(try await patterns(third, "app://shop/1") == ["shop/:old"])
        try host.sandbox.root.remove()
        try await expect([])
        try await host.manager.install(.shop)
        #expect(try await patterns(third, "app://shop/1") == ["shop/:new"])
        try await expect(["shop/:new"])
    }

    @Test("Whoever sees that a bundle is installed finds its routes at once", .timeLimit(.minutes(5)))
    func withCommit() async throws {
        try host.offer(SamplePackage(routes: ["shop"]))
        let version = try host.registry.placed(try await host.manager.install(.shop).bundle)
        let registry = host.registry
        for _ in 0..<200 {
            try registry.commit([.remove(.shop)])
            // Fills the cache with the absence of the route.
            #expect(try registry.routes.routes(withFirstSegments: ["shop"]).isEmpty)
            async let write = registry.commit([.activate(version)])
            // Without a pause, the reader could keep the writer from the connection.
            while try registry.active.bundle(.shop) == nil { try await Task.sleep(for: .microseconds(20)) }
            #expect(try registry.routes.routes(withFirstSegments: ["shop"]).count == 1)
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

    @Test("The cache evicts the least recently used routes to stay within its limit")
    func bounded() throws {
        let cache = RouteCache(room: 10)
        let generation = RegistryGeneration(connection: 1, writes: 0, version: 1)
        func store(_ count: Int, _ firstSegment: String) throws {
            let route = Route(
                pattern: try RoutePattern(firstSegment), kind: .page, owner: "x",
                service: .declared(name: "", layout: nil))
            let list = RouteList(Array(repeating: route, count: count))
            cache.store(.init(numbers: Array(0..<count), list: list), firstSegment, in: generation)
        }
        try store(11, "large")
        #expect(cache.group("large", in: generation) == nil)
        try store(4, "asked")
        for number in 0..<1_000 {
            try store(number % 3, "h\(number)")
            #expect(cache.group("asked", in: generation)?.numbers.count == 4)
            #expect(cache.group("h\(number)", in: generation) != nil)
            #expect(cache.cost <= 20)
        }
        #expect(cache.group("h0", in: generation) == nil)
        #expect(cache.group("asked", in: RegistryGeneration(connection: 1, writes: 1, version: 1)) == nil)
    }

    @Test(
        "The cache of active versions sees every change by another process, however soon it comes and whatever the file times say"
    )
    func others() async throws {
        let bundle = try await host.install(SamplePackage())
        let other = try host.another().registry
        for number in 100..<400 {
            try other.versions.save([VersionStamp(bundle: bundle, part: .library, text: "\(number)")])
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
}
