import PluginCatalog
import Doctor
import PluginCore
@testable import Registry
@testable import PluginRuntime
import Testing

@Suite("Startup tasks of a host", .tags(.large))
struct LaunchPreparationTests {
    private let host: TestHost

    init() throws { host = try TestHost() }

    private static func package(_ version: String) -> SamplePackage {
        SamplePackage(version: version, kind: "assets", library: nil)
    }

    /// Installs 1.0.0 from the catalog.
    private func installFirst() async throws {
        try host.offer(Self.package("1.0.0"))
        try await host.manager.install(.shop)
    }

    /// Returns a manager whose host ships packages of the given versions.
    private func shipping(_ versions: String...) throws -> BundleManager {
        try host.shipping(versions.map(Self.package))
    }

    @Test("Startup usually has nothing to do and then writes nothing")
    func nothing() async throws {
        #expect(try await host.manager.prepareForLaunch().isEmpty)
        #expect(!host.sandbox.root.exists)
        try await host.install(SamplePackage())
        let before = try host.tree
        #expect(try await host.restart().isEmpty)
        #expect(try host.tree == before)
    }

    @Test("A package that ships with the host is installed at startup if it is newer than the installed version")
    func builtIn() async throws {
        try await installFirst()
        let manager = try shipping("1.2.0")
        #expect(try await manager.prepareForLaunch().map(\.bundle.identity.version.description) == ["1.2.0"])
        #expect(try host.versions() == ["1.2.0", "1.0.0"])
        // The same packages are not examined again until a new one appears.
        let before = try host.tree
        #expect(try await manager.prepareForLaunch().isEmpty)
        #expect(try host.tree == before)
    }

    @Test("A package that ships with the host isn't installed if it is older or was rolled back")
    func notBuiltIn() async throws {
        try await installFirst()
        #expect(try await shipping("0.9.0").prepareForLaunch().isEmpty)
        try await shipping("1.2.0").prepareForLaunch()
        try await host.manager.rollBack(.shop)
        #expect(try await shipping("1.2.0", "1.1.0").prepareForLaunch().isEmpty)
        #expect(try host.versions() == ["1.0.0", "1.2.0"])
        // A version newer than any that the user has rolled back is installed.
        #expect(try await shipping("1.2.1").prepareForLaunch().count == 1)
    }

    @Test(
        "A shipped update that needs the catalog is tried again at the next start if the catalog could not be asked",
        arguments: [AtriumError.Code.catalogUnreachable, .catalogNotFetched, .catalogUntrusted, .downloadFailed])
    func builtInWithoutCatalog(code: AtriumError.Code) async throws {
        let money: BundleIdentifier = "com.example.lib.money"
        try await host.install(SamplePackage())
        let update = SamplePackage(version: "1.2.0", requires: [money: "^2.0.0"])
        let unavailable = try host.shipping([update], beside: UnavailableCatalog(AtriumError(code, "catalog")))
        #expect(try await unavailable.prepareForLaunch().isEmpty)
        #expect(try host.versions() == ["1.0.0", nil])
        try host.offer(SamplePackage(identifier: money, version: "2.3.0"))
        #expect(try await !host.shipping([]).prepareForLaunch().isEmpty)
        #expect(try host.versions() == ["1.2.0", "1.0.0"])
    }

    @Test("The newest shipped version that isn't quarantined is installed at startup")
    func builtInBlocked() async throws {
        try await installFirst()
        let manager = try shipping("1.2.0", "1.3.0")
        try host.block("1.3.0", in: host.root.appending("shipped"))
        #expect(try await manager.prepareForLaunch().count == 1)
        #expect(try host.versions() == ["1.2.0", "1.0.0"])
    }

    @Test(
        "Startup removes leftovers in the staging folder unless another process is changing the sandbox",
        arguments: [false, true])
    func remains(isBusy: Bool) async throws {
        try await installFirst()
        let folder = host.sandbox.staging.appending("rest")
        try folder.makeFolder()
        try folder.appending("file").write("half")
        let other = try host.another()
        if isBusy {
            try await host.writer.withWriterLock { try await other.manager.prepareForLaunch() }
        } else {
            try await other.manager.prepareForLaunch()
        }
        #expect(folder.exists == isBusy && other.log.isEmpty)
    }

    @Test("Staged versions and shipped packages wait, and the host starts, while another process changes the sandbox")
    func busy() async throws {
        try host.offer(Self.package("1.0.0"), Self.package("1.1.0"))
        try await host.install(version: "1.0.0")
        try await host.manager.change([.update(.shop)], staging: true)
        let other = try host.another()
        #expect(try await host.writer.withWriterLock { try await other.manager.prepareForLaunch().isEmpty })
        #expect(other.log.count == 1 && other.log[0].hasPrefix("activationPostponed("))
        #expect(try await other.manager.prepareForLaunch().count == 1)
        let manager = try shipping("1.2.0")
        #expect(try await host.writer.withWriterLock { try await manager.prepareForLaunch().isEmpty })
        #expect(try await manager.prepareForLaunch().count == 1)
    }
}

@Suite("Minimum version of a bundle", .tags(.medium))
struct MinimumVersionTests {
    private let host: TestHost

    init() throws { host = try TestHost() }

    @Test("The minimum version is the highest that has run successfully, survives an uninstall and blocks older ones")
    func survives() async throws {
        try host.offer(
            SamplePackage(version: "1.0.0"), SamplePackage(version: "1.1.0"), SamplePackage(version: "1.2.0"))
        let version = try host.version("1.1.0")
        let bundle = try await host.manager.install(.shop, version: version).bundle
        #expect(try host.registry.minimumVersions.version(of: .shop) == nil)
        try host.registry.recordSuccessfulRun(bundle)
        #expect(try host.registry.minimumVersions.version(of: .shop) == version)
        try await host.manager.uninstall(.shop, deleteData: true)
        #expect(try host.registry.minimumVersions.version(of: .shop) == version)
        let error = try await host.refusal(.downgrade) { try await host.install(version: "1.0.0") }
        #expect(error.reason?.description == "hasRun(version: 1.1.0)")
        try await host.manager.install(.shop)
        #expect(try host.versions() == ["1.2.0", nil])
    }

    @Test("A rollback below the minimum version to one that has run is allowed, doesn't lower it, and is reported")
    func rollBack() async throws {
        try await host.install(first: "1.0.0", offering: "1.1.0")
        try host.recordRun()
        try await host.manager.update(.shop)
        try host.recordRun()
        let found = { host.findings().filter { $0.severity != .fine }.map(\.subject) }
        #expect(found() == [])
        try await host.manager.rollBack(.shop)
        #expect(try host.versions() == ["1.0.0", "1.1.0"])
        #expect(try host.registry.minimumVersions.version(of: .shop)?.description == "1.1.0")
        #expect(found() == ["com.example.app.shop@1.0.0"])
    }

    @Test("A rollback below the minimum version fails if that version has never run successfully")
    func rollBackToUnknown() async throws {
        let new = try await host.install(SamplePackage(version: "1.0.0"), SamplePackage(version: "1.1.0"))
        try host.registry.recordSuccessfulRun(new)
        let error = try await host.refusal(.nothingToRollBack) { try await host.manager.rollBack(.shop) }
        #expect(error.reason?.description == "higherHasRun(minimum: 1.1.0, version: 1.0.0)")
    }

    @Test("A previous version that never ran is no rollback target once its successor has run, and is pruned later")
    func unreachable() async throws {
        try host.offer(
            SamplePackage(version: "1.0.0"), SamplePackage(version: "1.1.0"), SamplePackage(version: "1.2.0"))
        for version in ["1.0.0", "1.1.0"] { try await host.install(version: version) }
        let reason = { try host.manager.diagnosis(of: .shop).findings.first?.reason.description }
        #expect(try host.versions() == ["1.1.0", "1.0.0"])
        #expect(
            try reason()
                == "activeWithPreviousUntil(active: versionActive(version: 1.1.0), previous: 1.0.0, successor: 1.1.0)"
        )
        try host.recordRun()
        #expect(try host.versions() == ["1.1.0", nil])
        #expect(try reason() == "versionActive(version: 1.1.0)")
        // Until then it is intact and registered, and isn't a leftover.
        #expect(try host.folders() == ["1.0.0", "1.1.0"])
        #expect(host.findings().allSatisfy { $0.severity == .fine })
        try await host.manager.update(.shop)
        #expect(try host.versions() == ["1.2.0", "1.1.0"])
        #expect(try host.folders() == ["1.1.0", "1.2.0"])
    }

    @Test("Garbage collection removes a previous version that cannot be rolled back to, damaged or not")
    func unreachableCollected() async throws {
        let old = try await host.install(first: "1.0.0", offering: "1.1.0")
        try host.registry.recordSuccessfulRun(try await host.manager.update(.shop).bundle)
        try host.sandbox.folder(of: old).appending("extra").write("not sealed")
        let found = host.findings().filter { $0.severity != .fine }
        #expect(found.map(\.severity) == [.notice] && found.map(\.remedy) == [ErrorReason("collectGarbage")])
        #expect(try await host.collectGarbage().removed.map(\.string) == [host.sandbox.folder(of: old).string])
        #expect(try host.folders() == ["1.1.0"])
        #expect(try host.registry.history.all().last?.event == .pruned)
        #expect(host.findings().allSatisfy { $0.severity == .fine })
    }
}
