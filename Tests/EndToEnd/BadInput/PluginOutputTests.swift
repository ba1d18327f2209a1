import PluginCore
import PluginTestKit
import Testing

@Suite("Output of plugins", .tags(.large))
struct PluginOutputTests {
    private static let library = Task {
        try await compiled(
            swift: """
                import Glibc

                final class Sample: BundleDelegate {
                    init(context: BundleContext) { print("at load") }

                    static var routes: some RouteSet<Sample> {
                        Page(RouteContract<NoValue, NoValue>("account", .page, name: "home")) { _, _, request in
                            print("for", request.uri.text)
                            return Moon()
                        }
                        Page(RouteContract<NoValue, NoValue>("account/user", .page, name: "user")) { _, _, request in
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

    private func scene() async throws -> Scene {
        let pages: KeyValuePairs = ["account": "home", "account/user": "user"]
        let scene = try Scene(with: try await Self.library.value, pages: pages)
        try await scene.does("install", Scene.account)
        return scene
    }

    @Test(
        "A plugin's standard output is written to standard error with the bundle's name, and --json prints one document"
    )
    func scripts() async throws {
        let scene = try await scene()
        let result = try await scene.does("open", "app://account", "--json")
        _ = try result.json(as: [String: JSONAnything].self)
        let lines = result.stderr.split(separator: "\n")
        #expect(lines.prefix(2) == ["\(Scene.account): at load", "\(Scene.account): for app://account"])
        // A page may be rendered more than once.
        #expect(Set(lines.dropFirst(2)) == ["\(Scene.account): for drawing"], "\(result)")
    }

    @Test("The output of a plugin in a process of its own is written to standard error with the bundle's name, too")
    func isolated() async throws {
        let scene = try await scene()
        let result = try await scene.does("open", "app://account", "--isolate", "--json")
        let lines = result.stderr.split(separator: "\n")
        #expect(lines.prefix(2) == ["\(Scene.account): at load", "\(Scene.account): for app://account"], "\(result)")
    }

    /// A JSON value of any type.
    private struct JSONAnything: Decodable { init(from decoder: any Decoder) {} }

    @Test("Output of a plugin and of its child processes precedes the page and has its control characters escaped")
    func order() async throws {
        let scene = try await scene()
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
}
