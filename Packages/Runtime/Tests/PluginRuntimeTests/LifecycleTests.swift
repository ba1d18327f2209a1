import PluginCore
@testable import PluginRuntime
import Testing

@Suite("The life of a version is told")
struct LifecycleTests {
    private static func package(_ version: String, routes: [String] = []) -> SamplePackage {
        SamplePackage(version: version, routes: routes)
    }

    private static func withShop(_ versions: String..., body: (TestHost) async throws -> Void) async throws {
        try await withHost { host in
            for version in versions {
                try host.offer(package(version))
                try await host.manager.install(TestHost.shop)
            }
            try await body(host)
        }
    }

    @Test("from the catalog to its place, with the team that has sealed it")
    func arrival() async throws {
        try await Self.withShop("1.0.0") { host in
            let states = host.life(of: "1.0.0").filter { if case .downloading = $0 { false } else { true } }
            #expect(states == [.known, .staged, .verified(team: "com.example"), .installed(.new)])
        }
    }

    @Test("when another takes its place that never was loaded, and when it is let go of")
    func replaced() async throws {
        try await Self.withShop("1.0.0", "1.1.0", "1.2.0") { host in
            #expect(host.life(of: "1.0.0").suffix(3) == [.installed(.new), .retired(.replaced), .removed])
            #expect(host.life(of: "1.1.0").suffix(2) == [.installed(.new), .retired(.replaced)])
        }
    }

    @Test("when it is gone back to, and of the one that goes")
    func rollBack() async throws {
        try await Self.withShop("1.0.0", "1.1.0") { host in
            try await host.manager.rollBack(TestHost.shop)
            #expect(host.life(of: "1.0.0").suffix(2) == [.retired(.replaced), .installed(.returned)])
            #expect(host.life(of: "1.1.0").suffix(2) == [.installed(.new), .retired(.replaced)])
        }
    }

    @Test("when it waits for the next start, and then becomes active; the history has both")
    func staged() async throws {
        try await Self.withShop("1.0.0") { host in
            try host.offer(Self.package("1.1.0"))
            try await host.manager.change([.update(TestHost.shop)], staging: true)
            #expect(host.life(of: "1.1.0").suffix(2) == [.verified(team: "com.example"), .waiting])
            let next = try host.another()
            try await next.manager.settle()
            #expect(next.life(of: "1.1.0") == [.installed(.adopted)])
            #expect(next.life(of: "1.0.0") == [.retired(.replaced)])
            #expect(try host.registry.history().map(\.event) == [.installed, .staged, .updated])
        }
    }

    @Test("when it is put away, with the reason, and of the one that comes in its place")
    func quarantined() async throws {
        try await Self.withShop("1.0.0", "1.1.0") { host in
            try host.blame(TestHost.shop)
            let next = try host.another()
            try await next.manager.settle()
            let reason = "crashed the host (SIGABRT) while it was loaded"
            #expect(next.life(of: "1.1.0") == [.quarantined(reason: reason), .removed])
            #expect(next.life(of: "1.0.0") == [.installed(.returned)])
            #expect(
                try host.registry.history().map(\.event) == [.installed, .updated, .quarantined, .rolledBack])
        }
    }

    @Test("when it is uninstalled, and when it waits at that time")
    func uninstalled() async throws {
        try await Self.withShop("1.0.0") { host in
            try host.offer(Self.package("1.1.0"))
            try await host.manager.change([.update(TestHost.shop)], staging: true)
            try await host.manager.uninstall(TestHost.shop)
            for version in ["1.0.0", "1.1.0"] {
                #expect(host.life(of: version).suffix(2) == [.retired(.withdrawn), .removed])
            }
            #expect(try host.registry.history().map(\.event) == [.installed, .staged, .uninstalled])
        }
    }

    @Test("when garbage is collected that another host had in use")
    func collected() async throws {
        try await Self.withShop("1.0.0", "1.1.0") { host in
            let other = try host.another()
            try await host.manager.rollBack(TestHost.shop)
            _ = try await other.manager.resources(of: TestHost.shop)
            try await host.manager.uninstall(TestHost.shop)
            #expect(host.life(of: "1.0.0").last == .retired(.withdrawn))
            await other.manager.deactivateAll()
            _ = try await host.manager.collectGarbage()
            #expect(host.life(of: "1.0.0").last == .removed)
        }
    }

    @Test("also when it is refused on its way, and what of it was there is gone")
    func refused() async throws {
        try await Self.withShop("1.0.0") { host in
            var package = Self.package("1.1.0")
            package.library = Array("no library".utf8)
            try host.offer(package)
            try await host.refusal(.libraryUnloadable) { try await host.manager.update(TestHost.shop) }
            #expect(host.life(of: "1.1.0").suffix(2) == [.staged, .removed])
            #expect(host.life(of: "1.0.0").last == .installed(.new))
        }
    }
}

extension TestHost {
    /// What one version of the shop went through.
    fileprivate func life(of version: String) -> [BundleState] {
        events.filter { $0.identity.description == "\(TestHost.shop)@\(version)" }.map(\.state)
    }
}
