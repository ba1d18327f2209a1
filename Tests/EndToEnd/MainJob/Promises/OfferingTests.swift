import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("Testing a plugin with the real host", .tags(.large))
    struct OfferingTests {
        private static let plugins = Workplace.root.appending("Plugins")

        @Test("The packages of linked libraries can be given")
        func dependencies() async throws {
            let catalog = try HostApp.find().catalog
            let money = catalog.appending("com.example.lib.money-1.0.0.zip")
            let others = ["account", "orders"].map { catalog.appending("com.example.app.\($0)-1.0.0.zip") }
            let host = try await HostApp.offering(
                PluginFolder(root: Self.plugins.appending("Shop")), dependencies: [money], beside: others)
            let result = try await host.run("open", "app://shop/item/42")
            #expect(result.status == 0 && result.lines.first == "Desk lamp", "\(result)")
        }
    }
}
