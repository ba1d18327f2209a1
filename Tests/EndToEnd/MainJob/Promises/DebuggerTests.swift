import PluginCore
import PluginTestKit
import Testing

@Suite("Debugging a plugin", .tags(.large))
struct DebuggerTests {
    @Test("A debugger stops at a breakpoint in a plugin and shows the backtrace and the source line")
    func breakpoint() async throws {
        let scene = try Scene()
        let folder = try ThrowawayFolder()
        let library = try await compiled(
            swift: """
                final class Moon: Page {
                    let title = "Moon"
                    var content: [PageElement] {
                        [.text("the moon is full")]
                    }
                }

                final class Sample: BundleDelegate {
                    init(context: BundleContext) {}
                    static var routes: some RouteSet<Sample> {
                        Page(RouteContract("account", .page, name: "home")) { _ in Moon() }
                    }
                }

                """, debuggedIn: folder)
        try scene.change(Scene.account) { $0.set(Scene.library, to: library) }
        try await scene.run("install", Scene.account)
        let debugger = Executable(
            "/bin/sh",
            leading: [
                // The program goes on after gdb has ended, and the pipe is open until it ends, too.
                "-c", "\"$@\" | cat", "sh",
                // The debugger must use neither the user's settings nor a debuginfod server.
                "gdb", "-nx", "-batch", "-iex", "set debuginfod enabled off", "-iex", "set complaints 0", "-ex",
                // Some versions of gdb crash or wait forever when a program with several threads ends, so it lets the program go.
                "set breakpoint pending on", "-ex", "break sample.swift:5", "-ex", "run", "-ex", "backtrace", "-ex",
                "detach", "--args", scene.host.hostapp.path.string, "--sandbox", scene.sandbox.root.string,
            ])
        let result = try await debugger.run("open", "app://account", folder: folder.path, timeout: .seconds(180))
        let lines = result.lines
        #expect(lines.contains { $0.contains(" hit Breakpoint 1") }, "\(result)")
        #expect(lines.contains { $0.hasSuffix("[.text(\"the moon is full\")]") }, "\(result)")
        // The backtrace must contain frames of the plugin and of the host.
        #expect(lines.contains { $0.hasPrefix("#0 ") && $0.contains("sample.swift:5") }, "\(result)")
        #expect(lines.contains { $0.hasPrefix("#") && $0.contains("Transcript.swift") }, "\(result)")
        #expect(lines.contains("the moon is full"), "\(result)")
    }
}
