import PluginRouter
import HostSystem
import ConfinementReporting
@testable import BundleFormat
import Doctor
import PluginCore
@testable import Registry
@testable import PluginRuntime
import Testing

@Suite("Lost registry", .tags(.medium))
struct LostRegistryTests {
    private let host: TestHost

    init() throws { host = try TestHost() }

    /// A way in which a registry loses its content.
    enum Loss: CaseIterable { case removed, emptied }

    private func lose(_ loss: Loss) throws {
        host.registry.disconnect()
        try host.sandbox.registry.remove()
        if loss == .emptied { try host.sandbox.registry.write("") }
    }

    /// Installs two versions, the second of which runs successfully, and offers another bundle.
    private func installVersions() async throws {
        try host.offer(SamplePackage(identifier: "com.example.app.other"))
        let bundle = try await host.install(SamplePackage(version: "1.0.0"), SamplePackage(version: "1.1.0"))
        try host.registry.recordSuccessfulRun(bundle)
    }

    @Test(
        "The checkup reports a lost registry, and doesn't report the versions on disk as leftovers",
        arguments: Loss.allCases)
    func doctor(loss: Loss) async throws {
        try await installVersions()
        try lose(loss)
        let found = host.findings().filter { $0.severity != .fine }
        #expect(found.map(\.check) == [.registry, .versions, .requirements, .staged, .quarantine, .leftovers])
        #expect(found.allSatisfy { $0.severity == .wrong && $0.remedy == ErrorReason("rebuildRegistry") })
    }

    /// The queries and tasks that would otherwise report an empty sandbox.
    private static let readers: [@Sendable (BundleManager) async throws -> Int] = [
        { try $0.transactions.maintenance.verify().count }, { try $0.offers.updateReports().count },
        { try $0.registry.active.all().count },
        { try $0.registry.active.identifiers().count }, { try $0.registry.history.all().count },
        { try $0.registry.routes.all().count },
        { try await $0.registry.routes.matches(for: ResourceURI("app://shop")).count },
        { try $0.registry.staged.all().count }, { try $0.registry.quarantine.all().count },
        { try $0.transactions.staged.reports().count }, { try $0.registry.targets.targets().count },
        { try await $0.prepareForLaunch().count },
        { try await $0.transactions.maintenance.collectGarbage().removed.count },
        { try $0.registry.active.keys(of: [TestHost.shop]).keys.count },
    ]

    @Test("Every query and task of a new process fails if the registry is lost", arguments: Loss.allCases)
    func readers(loss: Loss) async throws {
        try await installVersions()
        try lose(loss)
        for read in Self.readers + [{ try $0.diagnosis(of: .shop).findings.count }] {
            // Each is the first access of a new process.
            let other = try host.another()
            try await failingAsync(.registryDamaged) { _ = try await read(other.manager) }
        }
    }

    @Test("A sandbox without versions isn't treated as having lost its registry")
    func empty() async throws {
        for read in Self.readers { #expect(try await read(host.manager) == 0) }
        try host.offer(SamplePackage())
        // Folders without versions don't count.
        _ = try host.sandbox.prepare()
        for read in Self.readers { #expect(try await read(host.manager) == 0) }
        try await host.manager.install(.shop)
        try await host.manager.uninstall(.shop)
        host.registry.disconnect()
        try host.sandbox.registry.remove()
        for read in Self.readers { #expect(try await read(host.another().manager) == 0) }
    }

    @Test("Nothing changes a sandbox with a lost registry until it is rebuilt", arguments: Loss.allCases)
    func refusals(loss: Loss) async throws {
        try await installVersions()
        try lose(loss)
        // The checkup opens the empty database and creates its tables.
        _ = host.findings()
        let (manager, shop) = (host.manager, TestHost.shop)
        try await host.refusal(.registryDamaged) { try await manager.transactions.maintenance.collectGarbage() }
        try await host.refusal(.registryDamaged) { try await manager.install("com.example.app.other") }
        try await host.refusal(.registryDamaged) { try await manager.install(shop, version: host.version("1.0.0")) }
        try await host.refusal(.registryDamaged) { try await manager.update(shop) }
        try await host.refusal(.registryDamaged) { try await manager.rollBack(shop) }
        try await host.refusal(.registryDamaged) {
            try await manager.transactions.uninstall.run([shop], deleteData: true)
        }
        #expect(try await RegistryRebuild(of: manager).run().active.map(\.identity.description) == ["\(shop)@1.1.0"])
        #expect(try host.versions() == ["1.1.0", nil])
        #expect(Checkup(of: manager).findings().allSatisfy { $0.severity != .wrong })
    }

    @Test("Minimum versions survive a lost registry even if no version is left", arguments: Loss.allCases)
    func minimumVersions(loss: Loss) async throws {
        try await installVersions()
        try await host.manager.uninstall(.shop)
        try lose(loss)
        let other = try host.another()
        await #expect(throws: AtriumError.self) {
            try await other.manager.install(.shop, version: host.version("1.0.0"))
        }
        // A registry that was created for another bundle knows the minimum version too.
        try await other.manager.install("com.example.app.other")
        #expect(try other.registry.minimumVersions.all()[TestHost.shop]?.description == "1.1.0")
        #expect(try await other.manager.install(.shop).bundle.identity.version.description == "1.1.0")
    }

    @Test("An interrupted first install doesn't look like a lost registry, because the registry is created first")
    func interrupted() async throws {
        try host.offer(SamplePackage())
        _ = try host.sandbox.prepare()
        let path = host.catalog.appending("com.example.app.shop-1.0.0.zip")
        let package = try SealedPackage(opening: path, converters: .standard)
        let installer = host.manager.transactions.install.installer
        var killed: Tree?
        #expect(throws: AtriumError.self) {
            try installer.install([package]) { _ throws(AtriumError) in
                #expect((try? host.sandbox.versionFolders())?.count == 1)
                #expect((try? host.registry.requireKept()) != nil)
                killed = try? host.tree
                throw AtriumError(.inputOutput, "")
            }
        }
        #expect(killed?.paths.contains("./Containers/Bundle/registry.sqlite") == true)
        #expect(!host.sandbox.registry.exists)
        #expect(try host.sandbox.versionFolders() == [])
    }
}
