import PluginCore
import PluginRuntime
import Testing

@Suite("The outlook of an installed bundle")
struct OutlookTests {
    private static let lib = "com.example.lib"

    /// Version, where an update leads, what is newest, and why these differ.
    private func outlook(_ host: TestHost, _ identifier: String) throws -> [String] {
        let outlook = try #require(host.manager.outlooks(of: [identifier]).first)
        return [
            outlook.active.identity.version.description, outlook.reachable?.description ?? "?",
            outlook.newest?.description ?? "none", outlook.obstacle?.code.name ?? "free",
        ]
    }

    @Test("is the newest version, when nothing stands in its way, and nothing when that is there")
    func free() async throws {
        try await withHost { host in
            try host.offer(SamplePackage())
            try await host.manager.install(TestHost.shop)
            #expect(try outlook(host, TestHost.shop) == ["1.0.0", "1.0.0", "1.0.0", "free"])
            try host.offer(SamplePackage(version: "1.9.0"), SamplePackage(version: "1.10.0"))
            #expect(try outlook(host, TestHost.shop) == ["1.0.0", "1.10.0", "1.10.0", "free"])
            #expect(try host.manager.outlooks().map(\.isOutdated) == [true])
        }
    }

    @Test("is as far as the others let it go, with who holds it back")
    func heldBack() async throws {
        try await withHost { host in
            let libraries = ["1.0.0", "1.5.0", "2.0.0"].map { SamplePackage(identifier: Self.lib, version: $0) }
            try host.offer(libraries[0], SamplePackage(requires: [Self.lib: "^1.0.0"]))
            try await host.manager.install(Self.lib)
            try await host.manager.install(TestHost.shop)
            for library in libraries { try host.offer(library) }
            #expect(try outlook(host, Self.lib) == ["1.0.0", "1.5.0", "2.0.0", "dependencyConflict"])
            let obstacle = try host.manager.outlooks(of: [Self.lib]).first?.obstacle
            #expect(obstacle?.problems.first == "\(TestHost.shop)@1.0.0 (installed) needs \(Self.lib) ^1.0.0")
            // With a newer one of who holds it back, both can go.
            try host.offer(SamplePackage(version: "1.1.0", requires: [Self.lib: "*"]))
            #expect(try outlook(host, Self.lib) == ["1.0.0", "2.0.0", "2.0.0", "free"])
        }
    }

    @Test("leaves out what is broken, for another Core, or in somebody's way, and says so")
    func unfit() async throws {
        try await withHost { host in
            try host.offer(SamplePackage(), SamplePackage(identifier: Self.lib, routes: ["taken"]))
            try await host.manager.install(TestHost.shop)
            try await host.manager.install(Self.lib)
            try host.offer(SamplePackage(version: "1.1.0"), SamplePackage(version: "1.2.0", coreABI: 99))
            #expect(try outlook(host, TestHost.shop) == ["1.0.0", "1.1.0", "1.2.0", "libraryIncompatible"])
            try host.offer(SamplePackage(version: "1.3.0", routes: ["taken"]))
            #expect(try outlook(host, TestHost.shop) == ["1.0.0", "1.1.0", "1.3.0", "routeConflict"])
            try host.catalog.appending("\(TestHost.shop)-1.4.0.zip").write("no zip")
            #expect(try outlook(host, TestHost.shop) == ["1.0.0", "1.1.0", "1.4.0", "packageInvalid"])
        }
    }

    @Test("is that nothing is on offer, when it is not")
    func gone() async throws {
        try await withHost { host in
            let packages = try host.offer(SamplePackage())
            try await host.manager.install(TestHost.shop)
            try packages[0].remove()
            #expect(try outlook(host, TestHost.shop) == ["1.0.0", "1.0.0", "none", "free"])
        }
    }

    @Test("is unknown when the catalog cannot be reached")
    func offline() async throws {
        try await withHost { host in
            try host.offer(SamplePackage())
            try await host.manager.install(TestHost.shop)
            try host.catalog.remove()
            #expect(try outlook(host, TestHost.shop) == ["1.0.0", "?", "none", "catalogUnreachable"])
            #expect(try host.manager.outlooks().map(\.isKnown) == [false])
        }
    }

    @Test("is told of what is installed only")
    func notInstalled() async throws {
        try await withHost { host in
            let outlooks = try host.manager.outlooks()
            #expect(outlooks.isEmpty)
            let error = #expect(throws: AtriumError.self) { try host.manager.outlooks(of: [TestHost.shop]) }
            #expect(error?.code == .bundleNotInstalled)
        }
    }
}
