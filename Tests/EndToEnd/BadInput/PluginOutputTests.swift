import PluginCore
import PluginTestKit
import Testing

@Suite("Output of plugins", .tags(.large))
struct PluginOutputTests {
    private static let library = Task {
        try await compiled(
            swift: """
                final class Sample: BundleDelegate {
                    init(context: BundleContext) { print("at load") }

                    static var routes: some RouteSet<Sample> {
                        Route(PageRoute<NoValue>("account", name: "home")) { _, _, request in
                            print("for", request.uri.text)
                            return Moon()
                        }
                        Route(PageRoute<NoValue>("account/profile", name: "profile")) { _, _, request in
                            print("for", request.uri.text)
                            for number in 0..<50_000 { print("line", number, "of very many that a plugin prints for nobody") }
                            return Moon()
                        }
                        Route(PageRoute<NoValue>("account/last", name: "last")) { _, _, _ in
                            print("last words", terminator: "")
                            return SamplePage("Silent")
                        }
                        Route(PageRoute<NoValue>("account/user", name: "user")) { _, _, request in
                            print("for", request.uri.text)
                            system("echo from a child")
                            puts("not\\u{1B}[2J steering\\u{202E}")
                            print("without an end", terminator: "")
                            return Moon()
                        }
                    }
                }

                final class Moon: Page {
                    let title = "Moon"
                    var content: [PageElement] {
                        print("for drawing")
                        return []
                    }
                }

                """)
    }

    private static let lantern = "com.example.app.lantern"

    private let scene: Scene

    /// Creates a scene with two bundles that have the same code.
    init() async throws {
        let library = try await Self.library.value
        let pages: KeyValuePairs = [
            "account": "home", "account/profile": "profile", "account/last": "last", "account/user": "user",
        ]
        scene = try Scene(with: library, pages: pages)
        try scene.change(Scene.account) { package in
            try package.rename(identifier: Self.lantern)
            try package.setManifest("routes", to: #"[{"pattern": "lantern", "page": "home"}]"#)
        }
        for bundle in [Scene.account, Self.lantern] { try await scene.run("install", bundle) }
    }

    @Test(
        "A plugin's standard output is written to standard error with the bundle's name, and --json prints one document",
        arguments: [[], ["--isolate"]])
    func scripts(options: [String]) async throws {
        let result = try await scene.host.hostapp.run(["open", "app://account", "--json"] + options)
        #expect(try result.json(as: JSON.self).page.title == "Moon", "\(result)")
        let lines = result.stderr.split(separator: "\n")
        #expect(lines.prefix(2) == ["\(Scene.account): at load", "\(Scene.account): for app://account"])
        // A page may be rendered more than once.
        #expect(Set(lines.dropFirst(2)) == ["\(Scene.account): for drawing"], "\(result)")
    }

    @Test("Output of a plugin and of its child processes precedes the page and has its control characters escaped")
    func order() async throws {
        let result = try await scene.host.startOnTerminal("open", "app://account/user", columns: 100).result()
        #expect(result.status == 0, "\(result)")
        let lines = result.stdout.split(whereSeparator: \.isNewline).map(String.init)
        #expect(
            lines.prefix(5) == [
                "\(Scene.account): at load", "\(Scene.account): for app://account/user", "from a child",
                "\(Scene.account): not\\u{1B}[2J steering\\u{202E}", "\(Scene.account): without an endfor drawing",
            ], "\(lines)")
        let page = try #require(lines.firstIndex { $0.hasPrefix("\u{1B}[1mMoon") }, "\(lines)")
        #expect(!lines[page...].contains { $0.contains(Scene.account) }, "\(lines)")
    }

    @Test("Output without a line feed precedes the page, too")
    func lastWords() async throws {
        let result = try await scene.host.startOnTerminal("open", "app://account/last", columns: 100).result()
        let lines = result.stdout.split(whereSeparator: \.isNewline).map(String.init)
        let page = try #require(lines.firstIndex { $0.hasPrefix("\u{1B}[1mSilent") }, "\(lines)")
        #expect(lines[..<page].contains("\(Scene.account): last words"), "\(lines)")
    }

    @Test("Output is attributed to the bundle whose code is running")
    func several() async throws {
        let shell = try scene.host.start("shell")
        for line in ["open app://account", "open app://lantern", "open app://account"] {
            try await shell.send(line + "\n")
        }
        let result = try await shell.end()
        let lines = result.stderr.split(separator: "\n").filter { $0.contains("for app:") }
        #expect(
            lines == [
                "\(Scene.account): for app://account", "\(Self.lantern): for app://lantern",
                "\(Scene.account): for app://account",
            ], "\(result)")
    }

    @Test("Output of a plugin may have any length")
    func long() async throws {
        let result = try await scene.run("open", "app://account/profile")
        #expect(result.stdout == "Moon\n====\n")
        #expect(result.stderr.split(separator: "\n").count { $0.contains("of very many") } == 50_000)
    }
}
