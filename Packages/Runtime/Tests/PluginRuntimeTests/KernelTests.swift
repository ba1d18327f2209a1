import PluginCore
import PluginRouter
import PluginRuntime
import Registry
import Testing

@Suite("The runtime alone, without a layer", .tags(.medium))
struct KernelTests {
    /// Creates a manager with the runtime's own answer to each port.
    private func manager(in folder: FilePath, services: HostServices) -> BundleManager {
        BundleManager(
            sandbox: Sandbox(root: folder.appending("sandbox")),
            catalog: DirectoryCatalog(folder: folder.appending("catalog")), choosing: .highest,
            verification: DevelopmentOnlyVerification(), libraryCheck: ManifestLibraryCheck(), services: services,
            routing: HostRouting(SilentNavigator()))
    }

    @Test(
        "Bundles of a local folder are installed, called, updated while they run, rolled back and removed without a layer"
    )
    func mainJob() async throws {
        try await withFolder { folder in
            let catalog = folder.appending("catalog")
            try catalog.makeFolder()
            for (version, library) in [("1.0.0", LoadTests.one), ("2.0.0", LoadTests.two)] {
                try await SamplePackage(
                    version: version, routes: ["shop"], targets: ["Shop"], library: library.value
                ).write(to: catalog)
            }
            let manager = manager(in: folder, services: HostServices(languages: ["en"]) { _, _, _ in })
            func answer() async throws -> String {
                try await manager.mediator.perform("act", on: "Shop", returning: String.self)
            }
            let first = try #require(SemanticVersion("1.0.0"))
            try await manager.install(TestHost.shop, version: first)
            #expect(try await answer() == "1.0.0")
            try await manager.update(TestHost.shop)
            #expect(try await answer() == "2.0.0")
            try await manager.rollBack(TestHost.shop)
            #expect(try await answer() == "1.0.0")
            try await manager.uninstall(TestHost.shop)
            await #expect(throws: AtriumError.self) { try await answer() }
        }
    }

    @Test("A plugin that demands a process of its own is not loaded in a host that starts none")
    func isolated() async throws {
        try await withFolder { folder in
            let catalog = folder.appending("catalog")
            try catalog.makeFolder()
            try await SamplePackage(targets: ["Shop"], isolation: "process", library: LoadTests.one.value)
                .write(to: catalog)
            let manager = manager(in: folder, services: HostServices(languages: ["en"]) { _, _, _ in })
            try await manager.install(TestHost.shop)
            let error = await #expect(throws: AtriumError.self) {
                try await manager.mediator.perform("act", on: "Shop", returning: String.self)
            }
            #expect(error?.code == .libraryIncompatible && error?.reason?.name == "processNeeded")
        }
    }

    @Test("A package that was changed after it was sealed is refused without a layer")
    func changed() async throws {
        try await withFolder { folder in
            let catalog = folder.appending("catalog")
            try catalog.makeFolder()
            let package = try SamplePackage().write(to: catalog)
            var bytes = try package.bytes
            bytes[bytes.count / 2] ^= 1
            try package.remove()
            try package.write(bytes)
            let manager = manager(in: folder, services: HostServices(languages: ["en"]) { _, _, _ in })
            await #expect(throws: AtriumError.self) { try await manager.install(TestHost.shop) }
            #expect(try manager.registry.active.identifiers().isEmpty)
        }
    }
}
