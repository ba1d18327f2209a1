import PluginCore
import PluginTestKit
import Testing

@Suite("Errors raised by plugins", .tags(.large))
struct PluginFaultTests {
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
                        Page(RouteContract("faulty/foreign", .page, name: "foreign")) { _ in throw Foreign() }
                        Page(RouteContract("faulty/own", .page, name: "own")) { _ in
                            throw AtriumError(.init("moonIsFull"), "the moon", reason: .verbatim("it shines"))
                        }
                        Page(RouteContract("faulty/words", .page, name: "words")) { _ in
                            throw AtriumError(
                                .init("noteEmpty"), "", message: "a note needs a text", remedy: "add &text=...")
                        }
                        Handler(RouteContract<NoValue, NoValue>("faulty/chain", .handler, name: "chain")) { sample in
                            try await sample.context.router.open("app://faulty/foreign")
                        }
                        Page(RouteContract("faulty/page", .page, name: "page")) { _ in SamplePage() }
                    }
                }

                final class SamplePage: Page {
                    let title = "Moon"
                    var content: [PageElement] { [] }
                    var actions: [PageAction] { [PageAction("howl", title: "Howl")] }
                    func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws {
                        throw Foreign()
                    }
                }

                """)
    }

    /// Creates a scene whose catalog contains the faulty plugin.
    private func scene(_ identifier: String = "com.example.app.faulty") async throws -> Scene {
        let scene = try Scene()
        let library = try await Self.library.value
        try scene.change(Scene.account) { package in
            try package.rename(identifier: identifier)
            try package.setManifest("targets", to: "[]")
            try package.setManifest(
                "routes",
                to: """
                    [{"pattern": "faulty/foreign", "page": "foreign"}, {"pattern": "faulty/own", "page": "own"},
                     {"pattern": "faulty/words", "page": "words"}, {"pattern": "faulty/chain", "handler": "chain"},
                     {"pattern": "faulty/page", "page": "page"}, {"pattern": "faulty/unknown", "page": "unknown"}]
                    """)
            package.set(LibraryTests.library, to: library)
        }
        return scene
    }

    private static let faulty = "com.example.app.faulty@1.0.0"

    /// The report of an error type of the plugin, thrown while it served a request.
    private static func foreign(_ request: String, chain: [String]) -> Refusal {
        Refusal(
            status: 70, code: "pluginFailed", subject: faulty,
            message: "\"\(faulty)\" failed while it served \"\(request)\": the \u{1B}[31mmoon is full",
            remedy: "send this message to the plugin's author, and say what you did",
            plugin: Refusal.Plugin(bundle: faulty, request: request, chain: chain))
    }

    @Test("An error of an unknown type is reported with the plugin and the address or action")
    func foreignError() async throws {
        let scene = try await scene()
        try await scene.does("install", "com.example.app.faulty")
        try await scene.refuses(
            "open", "app://faulty/foreign", with: Self.foreign("app://faulty/foreign", chain: ["app://faulty/foreign"]),
            usingPlugin: true)
        try await scene.refuses(
            "open", "app://faulty/page", "--tap", "howl",
            with: Self.foreign(
                "the page action \"howl\" of app://faulty/page", chain: ["app://faulty/page", "howl"]),
            after: "Moon\n====\n\n  [1] Howl (howl)\n\n> howl\n", usingPlugin: true)
    }

    @Test("An error of a plugin is reported with the chain of requests")
    func chain() async throws {
        let scene = try await scene()
        try await scene.does("install", "com.example.app.faulty")
        try await scene.refuses(
            "open", "app://faulty/chain",
            with: Self.foreign("app://faulty/foreign", chain: ["app://faulty/chain", "app://faulty/foreign"]),
            usingPlugin: true)
    }

    @Test("An error with a plugin's own code is reported as rejected input, with the plugin's message if it has one")
    func ownCode() async throws {
        let scene = try await scene()
        try await scene.does("install", "com.example.app.faulty")
        func plugin(_ request: String) -> Refusal.Plugin {
            Refusal.Plugin(bundle: Self.faulty, request: request, chain: [request])
        }
        try await scene.refuses(
            "open", "app://faulty/own",
            with: Refusal(
                status: 65, code: "moonIsFull", subject: "the moon",
                message: "\"\(Self.faulty)\" refused \"the moon\" with the code \"moonIsFull\": it shines",
                remedy: "correct the input; the plugin's author can say what is allowed",
                plugin: plugin("app://faulty/own")), usingPlugin: true)
        try await scene.refuses(
            "open", "app://faulty/words",
            with: Refusal(
                status: 65, code: "noteEmpty", subject: "", message: "a note needs a text", remedy: "add &text=...",
                plugin: plugin("app://faulty/words")), usingPlugin: true)
    }

    @Test("A page that the plugin's manifest names but its code does not know is reported")
    func unknownPage() async throws {
        let scene = try await scene()
        try await scene.does("install", "com.example.app.faulty")
        try await scene.refuses(
            "open", "app://faulty/unknown",
            with: Refusal(
                status: 66, code: "resourceUnknown", subject: "unknown",
                message: "there is no resource \"unknown\": asked for by app://faulty/unknown",
                remedy: "correct the address or name; if the manifest names it, the plugin's author must correct it",
                plugin: .init(bundle: Self.faulty, request: "app://faulty/unknown", chain: ["app://faulty/unknown"])),
            usingPlugin: true)
    }

    @Test("A plugin that refuses to start is reported, and removed again if it was installed on demand")
    func refusesToStart() async throws {
        let scene = try await scene("com.example.app.refusing")
        let refusal = Refusal(
            status: 77, code: "bundleRefused", subject: "com.example.app.refusing@1.0.0",
            message: "\"com.example.app.refusing@1.0.0\" refused to start: the \u{1B}[31mmoon is full",
            remedy: "do what the plugin says, or ask its author; \"hostapp install ID\" installs another version")
        try await scene.refuses(
            "open", "app://faulty/page", with: refusal,
            remarks: "installed com.example.app.refusing@1.0.0\nremoved com.example.app.refusing@1.0.0 again\n")
        #expect(try scene.sandbox.tree().isEmpty)
    }

    @Test("A missing page of a layout is reported with the existing pages")
    func pageMissing() async throws {
        let scene = try Scene()
        try scene.change(Scene.account) { try $0.replaceInManifest("help/about", with: "help/abuot") }
        try await scene.does("install", Scene.account)
        try await scene.refuses(
            "open", "app://account/about",
            with: Refusal(
                status: 66, code: "resourceUnknown", subject: "help/abuot",
                message: "there is no resource \"help/abuot\": Pages/help.json has no such page; "
                    + "did you mean \"about\"?",
                remedy: "correct the address or name; if the manifest names it, the plugin's author must correct it",
                plugin: .init(bundle: Scene.account, request: "app://account/about", chain: ["app://account/about"])),
            usingPlugin: true)
    }
}
