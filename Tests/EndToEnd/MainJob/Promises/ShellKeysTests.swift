import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("The shell on a terminal", .tags(.large))
    struct ShellKeysTests {
        /// Without colors, and without rlwrap.
        private static let plain = ["NO_COLOR": "1", "PATH": "/nowhere"]

        /// A plugin whose page has actions with the names of shell commands, and actions that do not end.
        private static let library = Task {
            try await compiled(
                routes: #"Route(PageRoute<NoValue>("sample")) { _ in ActionPage() }"#,
                with: """
                    final class ActionPage: Page {
                        let title = "Sample"
                        let content: [PageElement] = []
                        struct Order: Codable { var name = "", gift = false, pin = "" }
                        var actions: [PageAction] {
                            for name in ["quit", "exit", "help"] {
                                PageAction(name, title: name) { $0.show(notice: "page's \\(name)") }
                            }
                            PageAction("sleep", title: "sleep") { navigator in
                                navigator.show(notice: "sleeping")
                                print("begun")
                                try await Task.sleep(for: .seconds(3_600))
                            }
                            PageAction("stick", title: "stick") { _ in
                                print("begun")
                                await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
                            }
                            PageAction(
                                "order", title: "order", input: Order(),
                                fields: [
                                    PageField("name", label: "Name"), PageField("gift", label: "Gift"),
                                    PageField("pin", label: "Code"),
                                ]
                            ) { order, navigator in navigator.show(notice: "\\(order.gift),\\(order.name),\\(order.pin)") }
                        }
                    }

                    """)
        }

        private func scene() async throws -> Scene {
            try Scene(
                with: try await Self.library.value, pages: ["sample": "sample"], as: "com.example.app.sample")
        }

        @Test(
            "A page may have actions named quit, exit and help, and .quit leaves the shell",
            arguments: [".quit", ".exit"])
        func quitAction(leaving: String) async throws {
            let result = try await scene().host.run(
                "shell", "app://sample", input: "quit\nexit\nhelp\n.help\n\(leaving)\npages\n")
            #expect(result.status == 0 && !result.stderr.contains("error"), "\(result)")
            for word in ["quit", "exit", "help"] { #expect(result.lines.contains("page's \(word)"), "\(result)") }
            #expect(result.stdout.contains("open URL"))
            // Input after the command is not read.
            #expect(!result.lines.suffix(1).contains("Sample"), "\(result)")
        }

        @Test(
            "Control-C cancels or abandons the running action, and the shell continues",
            arguments: ["sleep", "stick"])
        func interrupt(action: String) async throws {
            let shell = try await scene().host.startOnTerminal("shell", "app://sample", environment: Self.plain)
            try await shell.wait(for: "> ")
            try await shell.send("\(action)\n")
            try await shell.wait(for: "begun")
            try await shell.send("\u{3}")
            try await shell.wait(for: "interrupted\r\n")
            try await shell.wait(for: "> ")
            try await shell.send("pages\n")
            try await shell.wait(for: "Sample\r\n> ")
            #expect(try await shell.end().status == 0)
        }

        @Test("An action that is typed without fields on a terminal asks for each", arguments: ["order", "6"])
        func fields(action: String) async throws {
            let shell = try await scene().host.startOnTerminal("shell", "app://sample", environment: Self.plain)
            try await shell.wait(for: "> ")
            try await shell.send("\(action)\n")
            try await shell.wait(for: "Name: ")
            try await shell.send("Ada \"A\" \\ pin=1\n")
            try await shell.wait(for: "Gift (true, false) [false]: ")
            try await shell.send("\n")
            try await shell.wait(for: "Code: ")
            try await shell.send("42\n")
            // A secret is not shown.
            #expect(try await shell.wait(for: "> ").hasPrefix("\r\nfalse,Ada \"A\" \\ pin=1,42\r\n"))
            // After Ctrl-C, a line is a command again.
            try await shell.send("\(action)\n")
            try await shell.wait(for: "Name: ")
            try await shell.send("\u{3}")
            try await shell.wait(for: "> ")
            try await shell.send("pages\n")
            try await shell.wait(for: "Sample\r\n> ")
            #expect(try await shell.end().status == 0)
        }

        @Test("Control-D that is typed before the first prompt ends the shell")
        func typedAhead() async throws {
            let shell = try await scene().host.startOnTerminal("shell", "app://sample", environment: Self.plain)
            #expect(try await shell.end().status == 0)
        }
    }
}
