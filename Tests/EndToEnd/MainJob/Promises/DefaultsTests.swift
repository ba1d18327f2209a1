import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

@Suite("Defaults of plugins", .tags(.large))
struct DefaultsTests {
    /// A plugin that counts how often it was opened.
    private static let library = Task {
        try await compiled(
            swift: """
                extension DefaultsKey<Int> {
                    static var opened: Self { Self("opened", default: 0) }
                }

                final class Sample: BundleDelegate {
                    private let context: BundleContext
                    init(context: BundleContext) { self.context = context }

                    static var routes: some RouteSet<Sample> {
                        Page(RouteContract<NoValue, NoValue>("account", .page, name: "home")) { sample in
                            let count = try sample.context.defaults.update(.opened) { $0 += 1 }
                            return CountPage(title: "\\(sample.context.identity.version) was opened \\(count) times")
                        }
                    }
                }

                final class CountPage: Page {
                    let title: String
                    let content: [PageElement] = []
                    init(title: String) { self.title = title }
                }

                """)
    }

    /// Creates a scene whose catalog has the plugin in some versions.
    private static func scene(_ versions: String...) async throws -> Scene {
        let scene = try Scene()
        let library = try await Self.library.value
        for version in versions {
            try scene.offer(version, with: library)
        }
        return scene
    }

    private static func opened(_ scene: Scene) async throws -> String {
        try await String(scene.does("open", "app://account").stdout.prefix { $0 != "\n" })
    }

    @Test("Defaults survive the process, an update, a rollback and an uninstall, and are erased with the plugin's data")
    func survive() async throws {
        let scene = try await Self.scene("1.1.0", "1.2.0")
        try await scene.does("install", "\(Scene.account)@1.1.0")
        #expect(try await Self.opened(scene) == "1.1.0 was opened 1 times")
        #expect(try await Self.opened(scene) == "1.1.0 was opened 2 times")
        try await scene.does("update", Scene.account)
        #expect(try await Self.opened(scene) == "1.2.0 was opened 3 times")
        try await scene.does("rollback", Scene.account)
        #expect(try await Self.opened(scene) == "1.1.0 was opened 4 times")
        try await scene.does("uninstall", Scene.account)
        try await scene.does("install", "\(Scene.account)@1.2.0")
        #expect(try await Self.opened(scene) == "1.2.0 was opened 5 times")
        let erased = try await scene.does("uninstall", Scene.account, "--delete-data").stdout
        #expect(erased == "Removed \(Scene.account)@1.2.0; its data is deleted.\n")
        try await scene.does("install", "\(Scene.account)@1.2.0")
        #expect(try await Self.opened(scene) == "1.2.0 was opened 1 times")
    }
}
