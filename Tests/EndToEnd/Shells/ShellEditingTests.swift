import Foundation
import Glibc
import PluginCore
import PluginTestKit
import Testing

@Suite("Editing lines in the shell", .tags(.large), .timeLimit(.minutes(5)))
struct ShellEditingTests {
    private let home: ShellHome

    init() async throws { home = try await ShellHome() }

    /// Runs a shell that shows its prompt.
    private func shell(_ words: String..., body: (TerminalWindow) async throws -> Void) async throws {
        try await TerminalWindow.run(
            [home.host.build.appending("bin/hostapp").string, "shell"] + words, environment: environment
        ) { screen in
            try await screen.wait(forLastRow: ">")
            try await body(screen)
        }
    }

    private var environment: [String: String] { home.environment.merging(["NO_COLOR": "1"]) { $1 } }

    @Test("The tab key completes commands, identifiers and addresses, and Control-C clears the line")
    func keys() async throws {
        try await shell("app://account") { screen in
            try await screen.type("rollb", "Tab", untilLastRow: "> rollback")
            try await screen.type(" com.example.app.sh", "Tab", untilLastRow: "> rollback com.example.app.shop")
            try await screen.press("C-c", untilLastRow: ">")
            try await screen.type("open app://shop/i", "Tab", untilLastRow: "> open app://shop/item/")
            try await screen.press("C-c", untilLastRow: ">")
            try await screen.type("pag 你好 e\u{301}s", untilLastRow: "> pag 你好 e\u{301}s")
            // A letter goes with its accent.
            for _ in 0..<5 { try await screen.press("BSpace") }
            try await screen.press("BSpace", untilLastRow: "> pag")
            try await screen.type("es")
            try await screen.press("Enter")
            try await screen.wait(forRows: "the title") { $0.suffix(3) == ["> pages", "Account", ">"] }
            try await screen.press("C-d")
            #expect(try await screen.status() == "0")
        }
    }

    @Test("The history is kept over sessions, without secrets, and can be searched")
    func history() async throws {
        try await shell("app://account") { first in
            for line in ["pages", "call Account isSignedIn", "signIn name=x password=geheim", " page"] {
                try await first.type(line)
                try await first.press("Enter")
                try await first.wait(forRows: "the answer") { $0.last == ">" && $0.contains("> \(line)") }
            }
            try await first.press("C-d")
            #expect(try await first.status() == "0")
        }
        let file = home.sandbox.appending("Containers/Data/Host/Library/shell-history").string
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "pages\ncall Account isSignedIn\n")
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)

        try await shell("app://account") { second in
            try await second.press("Up", untilLastRow: "> call Account isSignedIn")
            try await second.press("Up", untilLastRow: "> pages")
            try await second.press("C-c", untilLastRow: ">")
            try await second.press("C-r")
            try await second.type("isS")
            try await second.wait(forRows: "the found line") { $0.contains { $0.contains("call Account isSignedIn") } }
            try await second.press("Enter")
            try await second.wait(forRows: "the answer") { $0.last == ">" && $0.contains("false") }
        }
    }

    @Test("Text that arrives while the user types is shown above the line")
    func notices() async throws {
        try await shell("app://shop", "--follow") { screen in
            try await screen.type("half a li", untilLastRow: "> half a li")
            try await home.host.hostapp.run(
                ["update", "com.example.app.shop"], environment: home.environment
            ).succeeded()
            try await screen.wait(forRows: "the new page") { rows in
                rows.contains("Welcome to the new shop") && rows.last == "> half a li"
            }
            try await screen.type("ne", untilLastRow: "> half a line")
        }
    }

    @Test("After the host has died while the user types a line, the terminal is as before")
    func death() async throws {
        let program = try WatchedProgram(then: "echo \"the shell again\"\nexec cat")
        let words = [home.host.build.appending("bin/hostapp").string, "shell", "app://account"]
        try await TerminalWindow.run(program.words(words), environment: environment) { screen in
            try await screen.wait(forLastRow: ">")
            try await screen.type("half a li", untilLastRow: "> half a li")
            let editor = try program.number
            let children = try String(contentsOfFile: "/proc/\(editor)/task/\(editor)/children", encoding: .utf8)
            kill(try #require(children.split(separator: " ").first.flatMap { Int32($0) }), SIGKILL)
            try await screen.wait(for: "ended with \(128 + SIGKILL)")
            try await screen.wait(for: "the shell again")
        }
        program.expectSameMode()
    }

    @Test("Without a terminal, lines are read as they come, and there is no history")
    func plain() async throws {
        let result = try await home.host.hostapp.run(
            ["shell", "app://account"], input: "pages\n", environment: home.environment)
        #expect(result.status == 0 && result.stdout.contains("Account"))
        #expect(!home.sandbox.appending("Containers/Data/Host/Library/shell-history").exists)
    }
}
