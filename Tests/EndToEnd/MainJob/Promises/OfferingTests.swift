import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("Testing a plugin with the real host", .tags(.large))
    struct OfferingTests {
        private static let plugins = Workplace.root.appending("Plugins")

        @Test("A plugin of another team is signed with a key of that team")
        func ownTeam() async throws {
            let folder = try ThrowawayFolder()
            let file = Self.plugins.appending("Account/manifest.json").string
            let manifest = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
            let mine = manifest.replacing("com.example.app.account", with: "org.acme.account")
            try folder.write(mine, to: "Account/manifest.json")
            try Self.plugins.appending("Account/Resources").copy(to: folder.appending("Account/Resources"))
            let host = try await HostApp.offering(PluginFolder(root: folder.appending("Account")))
            let result = try await host.run("call", "Account", "isSignedIn")
            #expect(result.status == 0 && result.stdout == "false\n", "\(result)")
        }

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
