import PluginCore
import PluginTestKit
import Testing

@Suite("Crash reports", .tags(.large))
struct CrashReportTests {
    /// A plugin whose page crashes or hangs when its address says so, compiled once.
    private static let library = Task {
        try await compiled(
            swift: """
                import Glibc

                @inline(never)
                func explode() -> String { fatalError() }

                @inline(never)
                func giveUp() -> String { abort() }

                @inline(never)
                func waitForever() -> String { while true { usleep(1000) } }

                final class Sample: BundleDelegate {
                    init(context: BundleContext) {}

                    static var routes: some RouteSet<Sample> {
                        Page(RouteContract("account", .page, name: "home")) { _ in SamplePage { "Account" } }
                        Page(RouteContract("account/crash", .page, name: "crash")) { _ in SamplePage(text: explode) }
                        Page(RouteContract("account/abort", .page, name: "abort")) { _ in SamplePage(text: giveUp) }
                        Page(RouteContract("account/hang", .page, name: "hang")) { _ in SamplePage(text: waitForever) }
                    }
                }

                final class SamplePage: Page {
                    let title = "Account"
                    let text: () -> String
                    var content: [PageElement] { [.text(text())] }
                    init(text: @escaping () -> String) { self.text = text }
                }

                """)
    }

    private struct List: Decodable {
        let crashes: [Report]
    }

    private struct Report: Decodable {
        struct Call: Decodable {
            let owner: String
            let function: String?
        }

        let name: String
        let event: String
        let signal: Int?
        let bundle: String?
        let calls: [Call]?
    }

    private func scene(isolation: String? = nil) async throws -> Scene {
        let pages: KeyValuePairs = [
            "account": "home", "account/crash": "crash", "account/abort": "abort", "account/hang": "hang",
        ]
        let scene = try Scene(with: try await Self.library.value, pages: pages, isolation: isolation)
        try await scene.does("open", "app://account")
        return scene
    }

    private func newest(_ scene: Scene) async throws -> Report {
        let list = try await scene.does("crashes", "--json").json(as: List.self)
        let report = try #require(list.crashes.first)
        #expect(list.crashes.count == 1)
        let shown = try await scene.does("crashes", "show", "--json").json(as: Report.self)
        #expect(shown.name == report.name && shown.event == report.event && shown.bundle == report.bundle)
        return shown
    }

    @Test("A crash of a plugin leaves a report with the functions on the stack, also when the plugin has run before")
    func crash() async throws {
        let scene = try await scene()
        #expect(try await scene.does("crashes").stdout == "Nothing has crashed.\n")
        let crashed = try await scene.host.hostapp.run("open", "app://account/crash")
        #expect(crashed.status == 132, "\(crashed)")

        let report = try await newest(scene)
        #expect(report.event == "SIGILL" && report.signal == 4)
        #expect(report.bundle == "\(Scene.account)@1.0.0")
        let own = (report.calls ?? []).filter { $0.owner == report.bundle }
        #expect(own.first?.function?.contains("explode") == true, "\(report)")
        let text = try await scene.does("crashes", "show", report.name).stdout
        #expect(text.contains("SIGILL in process ") && text.contains("explode"), "\(text)")

        #expect(try await scene.does("crashes", "clear").stdout == "1 report was removed.\n")
        #expect(try await scene.does("crashes").stdout == "Nothing has crashed.\n")
        let unknown = try await scene.host.hostapp.run("crashes", "show", report.name, "--json")
        #expect(unknown.status == 66, "\(unknown)")
    }

    @Test(
        "A crash leaves a report with the functions on the stack, in the host's process and in one of the plugin's own",
        arguments: [
            ("host", "crash", "SIGILL", "explode"), ("host", "abort", "SIGABRT", "giveUp"),
            ("process", "crash", "SIGILL", "explode"), ("process", "abort", "SIGABRT", "giveUp"),
        ])
    func process(isolation: String, way: String, event: String, function: String) async throws {
        let scene = try await scene(isolation: isolation)
        let crashed = try await scene.host.hostapp.run("open", "app://account/\(way)")
        #expect(crashed.status != 0, "\(crashed)")
        let report = try await newest(scene)
        #expect(report.event == event && report.bundle == "\(Scene.account)@1.0.0")
        let own = (report.calls ?? []).filter { $0.owner == report.bundle }
        #expect(own.first?.function?.contains(function) == true, "\(report)")
    }

    @Test("A hang of a plugin leaves a report with the functions on the stack")
    func hang() async throws {
        let scene = try await scene()
        let hung = try await scene.host.hostapp.run("open", "app://account/hang")
        #expect(hung.status == 70, "\(hung)")
        let report = try await newest(scene)
        #expect(report.event == "hang" && report.signal == nil && report.bundle == "\(Scene.account)@1.0.0")
        #expect((report.calls ?? []).contains { $0.function?.contains("waitForever") == true }, "\(report)")
    }
}
