import HostSystem
import PluginCore
@testable import Registry
@testable import PluginRuntime
import Testing

@Suite("Lifecycle events of a version", .tags(.medium))
struct LifecycleTests {
    private let host: TestHost

    init() throws { host = try TestHost() }

    private func install(_ versions: String...) async throws {
        for version in versions { try await host.install(SamplePackage(version: version)) }
    }

    @Test("A version that was never loaded is reported as replaced, and as removed when it is pruned")
    func replaced() async throws {
        try await install("1.0.0", "1.1.0", "1.2.0")
        #expect(host.life(of: "1.0.0").suffix(3) == [.installed(.new), .retired(.replaced), .removed])
        #expect(host.life(of: "1.1.0").suffix(2) == [.installed(.new), .retired(.replaced)])
    }

    @Test("A rollback reports the version that returns and the one it replaces")
    func rollBack() async throws {
        try await install("1.0.0", "1.1.0")
        try await host.manager.rollBack(TestHost.shop)
        #expect(host.life(of: "1.0.0").suffix(2) == [.retired(.replaced), .installed(.returned)])
        #expect(host.life(of: "1.1.0").suffix(2) == [.installed(.new), .retired(.replaced)])
    }

    @Test("Staging and activation at the next start are reported and recorded in the history")
    func staged() async throws {
        try await install("1.0.0")
        try host.offer(SamplePackage(version: "1.1.0"))
        try await host.manager.change([.update(TestHost.shop)], staging: true)
        #expect(host.life(of: "1.1.0").suffix(2) == [.verified(team: "com.example"), .waiting])
        let next = try host.another()
        try await next.manager.prepareForLaunch()
        #expect(next.life(of: "1.1.0") == [.installed(.adopted)])
        #expect(next.life(of: "1.0.0") == [.retired(.replaced)])
        #expect(try host.registry.history.all().map(\.event) == [.installed, .staged, .updated])
    }

    @Test("Quarantine is reported with its reason, along with the version that returns")
    func quarantined() async throws {
        try await install("1.0.0", "1.1.0")
        try host.recordCrash(TestHost.shop)
        let next = try host.another()
        try await next.manager.prepareForLaunch()
        let reason = ErrorReason("crashedHost", ["signal": "SIGABRT", "phase": .reason(ErrorReason("whileLoaded"))])
        #expect(next.life(of: "1.1.0") == [.quarantined(reason: reason), .removed])
        #expect(next.life(of: "1.0.0") == [.installed(.returned)])
        #expect(try host.registry.history.all().map(\.event) == [.installed, .updated, .quarantined, .rolledBack])
    }

    @Test("An uninstall is reported for the active and the staged version")
    func uninstalled() async throws {
        try await install("1.0.0")
        try host.offer(SamplePackage(version: "1.1.0"))
        try await host.manager.change([.update(TestHost.shop)], staging: true)
        try await host.manager.uninstall(TestHost.shop)
        for version in ["1.0.0", "1.1.0"] {
            #expect(host.life(of: version).suffix(2) == [.retired(.withdrawn), .removed])
        }
        #expect(try host.registry.history.all().map(\.event) == [.installed, .staged, .uninstalled])
    }

    @Test("A version that another host used is reported as removed when it is collected")
    func collected() async throws {
        try await install("1.0.0", "1.1.0")
        let other = try host.another()
        try await host.manager.rollBack(TestHost.shop)
        _ = try await other.manager.resources(of: TestHost.shop)
        try await host.manager.uninstall(TestHost.shop)
        #expect(host.life(of: "1.0.0").last == .retired(.withdrawn))
        await other.manager.deactivateAll()
        try await host.collectGarbage()
        #expect(host.life(of: "1.0.0").last == .removed)
    }

    @Test("A version that is rejected after staging is reported as removed")
    func refused() async throws {
        try await install("1.0.0")
        var package = SamplePackage(version: "1.1.0")
        package.library = Array("no library".utf8)
        try host.offer(package)
        try await host.refusal(.libraryUnloadable) { try await host.manager.update(TestHost.shop) }
        #expect(host.life(of: "1.1.0").suffix(2) == [.staged, .removed])
        #expect(host.life(of: "1.0.0").last == .installed(.new))
    }
}

extension TestHost {
    /// Returns the states that one version of the shop went through.
    fileprivate func life(of version: String) -> [BundleState] {
        events.filter { $0.identity.description == "\(TestHost.shop)@\(version)" }.map(\.state)
    }
}
