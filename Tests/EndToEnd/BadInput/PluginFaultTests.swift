import PluginCore
import PluginTestKit
import Testing

@Suite("Errors raised by plugins", .tags(.large))
struct PluginFaultTests {
    private static let moon = "the \u{1B}[31mmoon is full"
    private static let identifier = "com.example.app.faulty"
    private static let pages: KeyValuePairs = [
        "faulty/foreign": "foreign", "faulty/own": "own", "faulty/words": "words", "faulty/chain": "chain",
        "faulty/page": "page", "faulty/unknown": "unknown",
    ]

    /// One plugin with all faults, compiled once.
    private static let library = Task {
        try await compiled(
            swift: """
                struct Foreign: Error, CustomStringConvertible { var description: String { "the \\u{1B}[31mmoon is full" } }

                final class Sample: BundleDelegate {
                    let context: BundleContext

                    init(context: BundleContext) throws {
                        self.context = context
                        if context.identity.identifier.text.hasSuffix("refusing") { throw Foreign() }
                    }

                    static var routes: some RouteSet<Sample> {
                        Route(PageRoute<NoValue>("faulty/foreign", name: "foreign")) { _ in throw Foreign() }
                        Route(PageRoute<NoValue>("faulty/own", name: "own")) { _ in
                            throw AtriumError(.init("moonIsFull"), "the moon", reason: .verbatim("it shines"))
                        }
                        Route(PageRoute<NoValue>("faulty/words", name: "words")) { _ in
                            throw AtriumError(
                                .init("noteEmpty"), "", message: "a note needs a text", remedy: "add &text=...")
                        }
                        Route(PageRoute<NoValue>("faulty/chain", name: "chain")) { sample in
                            try await sample.context.router.page(for: "app://faulty/foreign")
                        }
                        Route(PageRoute<NoValue>("faulty/page", name: "page")) { _ in MoonPage() }
                    }
                }

                final class MoonPage: Page {
                    let title = "Moon"
                    var content: [PageElement] { [] }
                    var actions: [PageAction] { PageAction("howl", title: "Howl") { _ in throw Foreign() } }
                }

                """)
    }

    @Test(
        "An error of a plugin is reported with the plugin and the chain of requests",
        arguments: [
            ("foreign", 70, "pluginFailed", moon, ["app://faulty/foreign"]),
            ("chain", 70, "pluginFailed", moon, ["app://faulty/chain", "app://faulty/foreign"]),
            // An error with a plugin's own code is rejected input, with the plugin's message if it has one.
            ("own", 65, "moonIsFull", "refused \"the moon\" with the code \"moonIsFull\"", ["app://faulty/own"]),
            ("words", 65, "noteEmpty", "a note needs a text", ["app://faulty/words"]),
            // The manifest names it, but the code does not know it.
            ("unknown", 66, "resourceUnknown", "asked for by app://faulty/unknown", ["app://faulty/unknown"]),
        ] as [(String, Int32, String, String, [String])])
    func reported(page: String, status: Int32, code: String, words: String, chain: [String]) async throws {
        let scene = try Scene(with: try await Self.library.value, pages: Self.pages, as: Self.identifier)
        try await scene.run("install", Self.identifier)
        let refusal = try await scene.refuses(
            ["open", "app://faulty/\(page)"], status: status, code: code, saying: words, usingPlugin: true)
        #expect(refusal.plugin?.bundle == "\(Self.identifier)@1.0.0" && refusal.plugin?.chain == chain, "\(refusal)")
    }

    @Test("An error of an action is reported with the action and its page")
    func action() async throws {
        let scene = try Scene(with: try await Self.library.value, pages: Self.pages, as: Self.identifier)
        try await scene.run("install", Self.identifier)
        let refusal = try await scene.refuses(
            ["open", "app://faulty/page", "--tap", "howl"], status: 70, code: "pluginFailed", saying: Self.moon,
            after: "Moon\n====\n\n  [1] Howl (howl)\n\n> howl\n", usingPlugin: true)
        #expect(refusal.plugin?.chain == ["app://faulty/page", "howl"], "\(refusal)")
    }

    @Test("A plugin that refuses to start is reported, and removed again if it was installed on demand")
    func refusesToStart() async throws {
        let identifier = "com.example.app.refusing"
        let scene = try Scene(with: try await Self.library.value, pages: Self.pages, as: identifier)
        try await scene.refuses(
            ["open", "app://faulty/page"], status: 77, code: "bundleRefused",
            saying: "refused to start: \(Self.moon)",
            remarks: "installed \(identifier)@1.0.0\nremoved \(identifier)@1.0.0 again\n")
        #expect(try scene.sandbox.tree().isEmpty)
    }
}
