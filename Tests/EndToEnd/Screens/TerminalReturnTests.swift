import PluginCore
import PluginTestKit
import Testing

@Suite("The terminal after screens", .tags(.large))
struct TerminalReturnTests {
    /// A plugin that prints, and whose other page crashes, compiled once.
    private static let library = Task {
        try await compiled(
            routes: """
                Route(PageRoute<NoValue>("account", name: "home")) { _ in
                    print("printed by the plugin")
                    return SamplePage { "Nobody is signed in" }
                }
                Route(PageRoute<NoValue>("account/crash", name: "crash")) { _ in SamplePage { fatalError() } }
                Route(PageRoute<NoValue>("account/overflow", name: "overflow")) { _ in
                    Task.detached { overflow(0) }
                    return SamplePage { "It goes deep" }
                }
                """,
            with: """
                @inline(never)
                func overflow(_ depth: Int) -> Int {
                    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 16) { room in
                        room[0] = 1
                        return overflow(depth + 1) + Int(room[0])
                    }
                }
                """)
    }

    private func scene() async throws -> Scene {
        let pages: KeyValuePairs = [
            "account": "home", "account/crash": "crash", "account/overflow": "overflow",
        ]
        let scene = try Scene(with: try await Self.library.value, pages: pages)
        try await scene.run("install", Scene.account)
        return scene
    }

    /// Runs screens from a shell with a page of the plugin, ends them, and expects the terminal to be as before.
    private func run(_ status: Int, _ end: (TerminalWindow) async throws -> Void) async throws {
        let scene = try await scene()
        let program = try WatchedProgram(then: "echo \"the shell again\"\nexec cat")
        let composition = try program.folder.write(
            #"{"formatVersion": 1, "name": "Crashing", "start": "app://account", "bundles": []}"#, to: "bundle.json")
        let host = program.words(scene.commandLine + ["--composition", composition.string])
        try await TerminalWindow.run(host) { window in
            try await window.wait(for: "Nobody is signed in")
            #expect(try await window.value(of: "alternate_on") == "1")
            #expect(try await window.value(of: "mouse_any_flag") == "1")
            try await end(window)
            let screen = try await window.wait(for: "the shell again")
            #expect(screen.contains("ended with \(status)"), "\(screen)")
            #expect(!screen.contains("Nobody is signed in"), "\(screen)")
            #expect(try await window.value(of: "alternate_on") == "0")
            #expect(try await window.value(of: "cursor_flag") == "1")
            #expect(try await window.value(of: "mouse_any_flag") == "0")
            #expect(try await window.value(of: "keypad_cursor_flag") == "0")
        }
        program.expectSameMode()
    }

    @Test("After q, the terminal is as before")
    func quit() async throws { try await run(0) { window in try await window.press("q") } }

    // The overflow is one of the stack of a thread of the pool.
    @Test("After a crash of a plugin, the terminal is as before", arguments: [("crash", 4), ("overflow", 11)])
    func crash(page: String, signal: Int) async throws {
        try await run(128 + signal) { window in try await window.open("app://account/\(page)") }
    }

    @Test("What a plugin prints does not destroy the screen, and is on the page of messages")
    func messages() async throws {
        try await run(0) { window in
            try await window.press("m")
            try await window.wait(
                until: { $0.contains("Messages") && $0.contains("printed by the plugin") }, "the messages")
            try await window.press("Escape", "q")
        }
    }
}
