import PluginCore
import PluginRuntime
import Testing

@Suite("An uninstall")
struct UninstallTests {
    /// What could be the way to another folder.
    static let ways = [
        "", ".", "..", "./", "/", "../Host", "../../../../outside", "/tmp", "com.example.app.shop/",
        "com.example.app.shop/..",
        "com.example.app.shop/../com.example.app.other", "com.example..app", "com.example.app.shop\0", "a/b", "shop",
    ]

    @Test("takes no folder for a bundle's data but one that an identifier names", arguments: ways)
    func hostile(way: String) async throws {
        try await withHost { host in
            try host.offer(SamplePackage(), SamplePackage(identifier: "com.example.app.other"))
            for identifier in [TestHost.shop, "com.example.app.other"] { try await host.manager.install(identifier) }
            try host.sandbox.container(of: TestHost.shop).appending("Documents/diary").write("kept")
            try host.sandbox.hostData.appending("Documents/own").write("kept")
            let outside = host.root.appending("outside/file")
            try outside.write("kept")
            try await host.refusal(.bundleNotInstalled) { try await host.manager.uninstall([way], deleteData: true) }
            try await host.refusal(.bundleNotInstalled) {
                try await host.manager.uninstall([TestHost.shop, way], deleteData: true)
            }
            #expect(outside.exists)
            #expect(throws: AtriumError.self) { try host.sandbox.container(of: way) }
            #expect(throws: AtriumError.self) { try host.sandbox.group(way) }
        }
    }

    @Test("deletes the data of what is gone, and never of what another host has installed meanwhile")
    func installedMeanwhile() async throws {
        try await withHost { host in
            try host.offer(
                SamplePackage(), SamplePackage(identifier: "com.example.app.other", requires: [TestHost.shop: "^1.0.0"])
            )
            try await host.manager.install(TestHost.shop)
            try await host.manager.uninstall(TestHost.shop)
            let diary = try host.sandbox.container(of: TestHost.shop).appending("Documents/diary")
            try diary.write("kept")
            let other = try host.another()
            // It waits for the lock while the other one installs what needs the bundle.
            let uninstall = try await other.manager.whileAlone {
                let uninstall = Task { try await host.manager.uninstall([TestHost.shop], deleteData: true) }
                try await other.manager.install("com.example.app.other")
                return uninstall
            }
            let error = await #expect(throws: AtriumError.self) { try await uninstall.value }
            #expect(error?.code == .bundleNeeded)
            #expect(try diary.text == "kept")
        }
    }
}
