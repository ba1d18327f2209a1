import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("Crashes of plugins in processes of their own", .tags(.large))
struct IsolatedCrashTests {
    private static let faulty = "com.example.app.faulty"

    private static let library = Task {
        try await compiled(
            swift: """
                final class Sample: BundleDelegate {
                    init(context: BundleContext) {}
                    static var routes: some RouteSet<Sample> {
                        Page(RouteContract("faulty", .page, name: "page")) { _ in SamplePage() }
                    }
                }

                final class SamplePage: Page {
                    let title = "Moon"
                    let content: [PageElement] = [.text("It shines.")]
                    let actions = [PageAction("fall", title: "Fall")]
                    func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws {
                        var numbers = [1]
                        numbers.removeFirst()
                        _ = numbers[0]
                    }
                }

                """)
    }

    /// Creates a scene with the plugin, which asks for a process in its manifest if `asks`.
    private func scene(asks: Bool = false) async throws -> Scene {
        let scene = try Scene()
        let library = try await Self.library.value
        try scene.change(Scene.account) { package in
            try package.rename(identifier: Self.faulty)
            try package.setManifest("targets", to: "[]")
            try package.setManifest("routes", to: #"[{"pattern": "faulty", "page": "page"}]"#)
            if asks { try package.setManifest("isolation", to: #""process""#) }
            package.set(LibraryTests.library, to: library)
        }
        try await scene.does("install", Self.faulty)
        return scene
    }

    @Test(
        "The host survives the crash of a plugin that is isolated by its manifest or by an option",
        arguments: [true, false])
    func crash(asks: Bool) async throws {
        let scene = try await scene(asks: asks)
        let words = ["open", "app://faulty", "--tap", "fall"] + (asks ? [] : ["--isolate"])
        let result = try await scene.host.hostapp.run(words)
        #expect(result.status == 70, "\(result)")
        #expect(result.stderr.contains("crashed in its process"), "\(result)")
        #expect(try await scene.host.run("open", "app://faulty", "--isolate").status == 0)
    }

    @Test("In the shell, the page of the crashed plugin says so, and starts the plugin again")
    func restart() async throws {
        let scene = try await scene()
        let result = try await scene.host.run("shell", "app://faulty", "--isolate", input: "fall\nrestart\nquit\n")
        let pages = result.stdout.components(separatedBy: "Moon\n====\n").dropFirst()
        #expect(pages.count == 3, "\(result)")
        #expect(pages.first?.contains("It shines.") == true && pages.last?.contains("It shines.") == true)
        #expect(result.stdout.contains("crashed in its process"), "\(result)")
        #expect(result.stdout.contains("(restart)"), "\(result)")
    }
}
