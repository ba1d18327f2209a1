import PluginCore
import PluginTestKit
import Testing

@Suite("Crash reports", .tags(.large))
struct CrashReportTests {
    /// A plugin whose page crashes or hangs when its address says so, compiled once.
    private static let library = Task {
        try await compiled(
            routes: """
                Route(PageRoute<NoValue>("account", name: "home")) { _ in SamplePage() }
                Route(PageRoute<NoValue>("account/crash", name: "crash")) { _ in SamplePage("Account", explode) }
                Route(PageRoute<NoValue>("account/abort", name: "abort")) { _ in SamplePage("Account", giveUp) }
                Route(PageRoute<NoValue>("account/hang", name: "hang")) { _ in SamplePage("Account", waitForever) }
                """,
            with: """
                @inline(never) func explode() -> String { fatalError() }
                @inline(never) func giveUp() -> String { abort() }
                @inline(never) func waitForever() -> String { while true { usleep(1000) } }
                """, isDebuggable: true)
    }

    private func scene(isolation: String? = nil) async throws -> Scene {
        let pages: KeyValuePairs = [
            "account": "home", "account/crash": "crash", "account/abort": "abort", "account/hang": "hang",
        ]
        let scene = try Scene(with: try await Self.library.value, pages: pages, isolation: isolation)
        try await scene.run("open", "app://account")
        return scene
    }

    @Test(
        "A crash or a hang leaves a report with the functions on the stack, in the host's process and in one of its own",
        arguments: [
            ("host", "crash", "SIGILL", "explode"), ("host", "abort", "SIGABRT", "giveUp"),
            ("process", "crash", "SIGILL", "explode"), ("process", "abort", "SIGABRT", "giveUp"),
            ("host", "hang", "hang", "waitForever"),
        ])
    func report(isolation: String, way: String, event: String, function: String) async throws {
        let scene = try await scene(isolation: isolation)
        #expect(try await scene.run("crashes").stdout == "Nothing has crashed.\n")
        let ended = try await scene.host.hostapp.run("open", "app://account/\(way)")
        #expect(ended.status != 0, "\(ended)")
        let list = try await scene.run("crashes", "--json").json(as: JSON.self).crashes.elements
        let report = try await scene.run("crashes", "show", "--json").json(as: JSON.self)
        #expect(list.map(\.name) == [report.name])
        #expect(report.event.string == event && report.bundle.string == "\(Scene.account)@1.0.0")
        // A hang is interrupted in a function of the system.
        let own = report.calls.elements.first { $0.owner == report.bundle }
        #expect(own?.function.string.contains(function) == true, "\(report)")
        if way == "crash" { try await name(report, of: scene, function) }
        let text = try await scene.run("crashes", "show", report.name.string).stdout
        #expect(text.contains(event) && text.contains(function), "\(text)")

        #expect(try await scene.run("crashes", "clear").stdout == "1 report was removed.\n")
        let unknown = try await scene.host.hostapp.run("crashes", "show", report.name.string)
        #expect(unknown.status == 66, "\(unknown)")
    }

    /// Names the line of a user's report on a machine without the plugin, by the debug files that `pack` has kept.
    private func name(_ report: JSON, of scene: Scene, _ function: String) async throws {
        let folder = try ThrowawayFolder()
        let library = folder.appending("libSample.so")
        try folder.write(try await Self.library.value, to: library.lastComponent)
        try folder.write(
            """
            {"formatVersion": 1, "identifier": "\(Scene.account)", "version": "1.0.0", "name": "Account", "kind": "app",
            "entry": "\(library.lastComponent)", "coreABI": 3}
            """, to: "manifest.json")
        let packed = try await scene.host.bundletool.run(
            "pack", folder.path.string, "--library", library.string, "--output", folder.appending("packed").string,
            "--json"
        ).succeeded().json(as: JSON.self)
        let symbols = packed.symbols.string
        let reports = scene.sandbox.root.appending("Containers/Bundle/CrashReports")
        let file = folder.appending("report")
        try reports.appending(report.name.string).copy(to: file)
        let author = try HostApp.find().with(sandbox: ThrowawaySandbox())
        let words = ["crashes", "show", file.string, "--symbols", symbols]
        let shown = try await author.hostapp.run(words + ["--json"]).succeeded().json(as: JSON.self)
        let own = shown.calls.elements.first { $0.function.string.contains(function) }
        #expect(own?.line.string.wholeMatch(of: /[A-Za-z]+\.swift:[1-9][0-9]*/) != nil, "\(shown)")
        #expect(own?.build.string.count ?? 0 > 8 && own?.library.string.isEmpty == true, "\(shown)")
        let text = try await author.hostapp.run(words).succeeded().stdout
        #expect(text.contains("  \(own?.line.string ?? "-")"), "\(text)")
        let wrong = try await author.hostapp.run("crashes", "show", file.string, "--symbols", folder.path.string)
        #expect(wrong.status == 64 && wrong.stderr.contains(".build-id"), "\(wrong)")
    }
}
