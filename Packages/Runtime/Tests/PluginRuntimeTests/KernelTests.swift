import Registry
import PluginCore
import PluginRuntime
import Testing

@Suite("The runtime alone, without a layer", .tags(.medium))
struct KernelTests {
    private let host: TestHost
    /// A manager with the runtime's own answer to each port.
    private let manager: BundleManager

    init() throws {
        host = try TestHost()
        manager = BundleManager(
            sandbox: host.sandbox, catalog: DirectoryCatalog(folder: host.catalog), choosing: .highest,
            verification: DevelopmentOnlyVerification(), libraryCheck: ManifestLibraryCheck(),
            services: HostServices(languages: ["en"]) { _, _, _ in }, routing: HostRouting(SilentNavigator()))
    }

    @Test("Bundles of a folder are installed, called, updated while they run, rolled back and removed without a layer")
    func mainJob() async throws {
        for (version, library) in [("1.0.0", LoadTests.one), ("2.0.0", LoadTests.two)] {
            try await host.offer(
                SamplePackage(version: version, routes: ["shop"], targets: ["Shop"], library: library.value))
        }
        func answer() async throws -> String {
            try await manager.mediator.perform("act", on: "Shop", returning: String.self)
        }
        try await manager.install(.shop, version: host.version("1.0.0"))
        #expect(try await answer() == "1.0.0")
        try await manager.update(.shop)
        #expect(try await answer() == "2.0.0")
        try await manager.rollBack(.shop)
        #expect(try await answer() == "1.0.0")
        try await manager.uninstall(.shop)
        await #expect(throws: AtriumError.self) { try await answer() }
    }

    @Test("A plugin that demands a process of its own is not loaded in a host that starts none")
    func isolated() async throws {
        try await host.offer(SamplePackage(targets: ["Shop"], isolation: "process", library: LoadTests.one.value))
        try await manager.install(.shop)
        try await failingAsync(.libraryIncompatible, because: "processNeeded") {
            try await manager.mediator.perform("act", on: "Shop", returning: String.self)
        }
    }

    @Test("A package that was changed after it was sealed is refused without a layer")
    func changed() async throws {
        let package = try SamplePackage().write(to: host.catalog)
        var bytes = try package.bytes
        bytes[bytes.count / 2] ^= 1
        try package.remove()
        try package.write(bytes)
        await #expect(throws: AtriumError.self) { try await manager.install(.shop) }
        #expect(try manager.registry.active.identifiers().isEmpty)
    }
}
