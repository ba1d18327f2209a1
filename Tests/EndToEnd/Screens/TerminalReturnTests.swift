import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

import Glibc

@Suite("The terminal after screens", .tags(.large))
struct TerminalReturnTests {
    /// A plugin that prints, and whose other page crashes, compiled once.
    private static let library = Task {
        try await compiled(
            swift: """
                final class Sample: BundleDelegate {
                    init(context: BundleContext) {}

                    static var routes: some RouteSet<Sample> {
                        Page(RouteContract("account", .page, name: "home")) { _ in
                            print("printed by the plugin")
                            return SamplePage { "Nobody is signed in" }
                        }
                        Page(RouteContract("account/crash", .page, name: "crash")) { _ in SamplePage { fatalError() } }
                        Page(RouteContract("account/overflow", .page, name: "overflow")) { _ in
                            Task.detached { overflow(0) }
                            return SamplePage { "It goes deep" }
                        }
                    }
                }

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
        try await scene.does("install", Scene.account)
        return scene
    }

    /// Runs screens from a shell with a page of the plugin, ends them, and expects the terminal to be as before.
    private func run(_ status: Int, _ end: (TerminalWindow, pid_t) async throws -> Void) async throws {
        let scene = try await scene()
        let folder = try ThrowawayFolder()
        try folder.write(
            """
            {"formatVersion": 1, "name": "Crashing", "start": "app://account", "bundles": []}
            """, to: "bundle.json")
        let file = try folder.write(
            """
            export SWIFT_BACKTRACE=interactive=no # On a terminal, Swift would wait half a minute for a key.
            stty -g >"$0.before"
            sh -c 'echo $$ >"$0.pid"; exec "$@"' "$0" "$@"
            echo "ended with $?"
            stty -g >"$0.after"
            echo "the shell again"
            exec cat

            """, to: "script")
        let host = scene.commandLine + ["--composition", folder.appending("bundle.json").string]
        func text(_ name: String) throws -> String {
            try String(contentsOfFile: folder.appending(name).string, encoding: .utf8)
        }
        try await TerminalWindow.run(["/bin/sh", file.string] + host) { window in
            try await window.wait(for: "Nobody is signed in")
            #expect(try await window.value(of: "alternate_on") == "1")
            #expect(try await window.value(of: "mouse_any_flag") == "1")
            let process = try #require(pid_t(try text("script.pid").split(separator: "\n").first ?? ""))
            try await end(window, process)
            let screen = try await window.wait(for: "the shell again")
            #expect(screen.contains("ended with \(status)"), "\(screen)")
            #expect(!screen.contains("Nobody is signed in"), "\(screen)")
            #expect(try await window.value(of: "alternate_on") == "0")
            #expect(try await window.value(of: "cursor_flag") == "1")
            #expect(try await window.value(of: "mouse_any_flag") == "0")
            #expect(try await window.value(of: "keypad_cursor_flag") == "0")
        }
        #expect(try text("script.before") == text("script.after"))
    }

    @Test("After q, the terminal is as before")
    func quit() async throws { try await run(0) { window, _ in try await window.press("q") } }

    @Test("After a crash of a plugin, the terminal is as before")
    func crash() async throws {
        try await run(128 + 4) { window, _ in
            try await window.press("o")
            try await window.wait(for: "Open an address")
            try await window.type("app://account/crash")
            try await window.press("Enter")
        }
    }

    @Test("After a stack overflow on a thread of the pool, the terminal is as before")
    func overflow() async throws {
        try await run(128 + 11) { window, _ in
            try await window.press("o")
            try await window.wait(for: "Open an address")
            try await window.type("app://account/overflow")
            try await window.press("Enter")
        }
    }

    @Test("What a plugin prints does not destroy the screen, and is on the page of messages")
    func messages() async throws {
        try await run(0) { window, _ in
            try await window.press("m")
            try await window.wait(
                until: { $0.contains("Messages") && $0.contains("printed by the plugin") }, "the messages")
            try await window.press("Escape", "q")
        }
    }
}
