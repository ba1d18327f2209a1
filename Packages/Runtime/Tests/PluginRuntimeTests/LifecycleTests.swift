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

    @Test("A version that was never loaded is reported as replaced, as returned, and as removed when it is pruned")
    func replaced() async throws {
        try await install("1.0.0", "1.1.0", "1.2.0")
        #expect(host.life(of: "1.0.0").suffix(3) == [.installed(.new), .retired(.replaced), .removed])
        try await host.manager.rollBack(.shop)
        #expect(host.life(of: "1.1.0").suffix(3) == [.installed(.new), .retired(.replaced), .installed(.returned)])
        #expect(host.life(of: "1.2.0").suffix(2) == [.installed(.new), .retired(.replaced)])
    }

    @Test("A staged version becomes active at the next start and not before, which is reported and recorded")
    func staged() async throws {
        try await install("1.0.0")
        try host.offer(SamplePackage(version: "1.1.0"))
        let report = try #require(try await host.manager.change([.update(.shop)], staging: true).first)
        #expect(report.isStaged && report.bundle.identity.version.description == "1.1.0")
        #expect(host.life(of: "1.1.0").suffix(2) == [.verified(team: "com.example"), .waiting])
        #expect(try host.versions() == ["1.0.0", nil] && host.staged == ["1.1.0"])
        // A staged version is no garbage.
        #expect(try await host.collectGarbage().removed == [])
        let next = try host.another()
        #expect(try await next.manager.prepareForLaunch().map(\.bundle.identity.version.description) == ["1.1.0"])
        #expect(try host.versions() == ["1.1.0", "1.0.0"] && host.staged == [])
        #expect(next.life(of: "1.1.0") == [.installed(.adopted)])
        #expect(next.life(of: "1.0.0") == [.retired(.replaced)])
        #expect(try host.history == [.installed, .staged, .updated])
    }

    @Test("Quarantine is reported with its reason, along with the version that returns")
    func quarantined() async throws {
        try await install("1.0.0", "1.1.0")
        try host.recordCrash(.shop)
        let next = try host.another()
        try await next.manager.prepareForLaunch()
        let reason = ErrorReason("crashedHost", ["signal": "SIGABRT", "phase": .reason(ErrorReason("whileLoaded"))])
        #expect(next.life(of: "1.1.0") == [.quarantined(reason: reason), .removed])
        #expect(next.life(of: "1.0.0") == [.installed(.returned)])
        #expect(try host.history == [.installed, .updated, .quarantined, .rolledBack])
    }

    @Test("An uninstall is reported for the active and the staged version")
    func uninstalled() async throws {
        try await install("1.0.0")
        try host.offer(SamplePackage(version: "1.1.0"))
        try await host.manager.change([.update(.shop)], staging: true)
        try await host.manager.uninstall(.shop)
        for version in ["1.0.0", "1.1.0"] {
            #expect(host.life(of: version).suffix(2) == [.retired(.withdrawn), .removed])
        }
        #expect(try host.history == [.installed, .staged, .uninstalled])
    }

    @Test("A version that is rejected after staging is reported as removed")
    func refused() async throws {
        try await install("1.0.0")
        var package = SamplePackage(version: "1.1.0")
        package.library = Array("no library".utf8)
        try host.offer(package)
        try await host.refusal(.libraryUnloadable) { try await host.manager.update(.shop) }
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
