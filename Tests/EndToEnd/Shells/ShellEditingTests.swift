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

    @Test("The tab key completes actions, commands, identifiers and addresses, and lists what can follow")
    func completion() async throws {
        try await shell("app://account") { screen in
            try await screen.type("sig", "Tab", untilLastRow: "> signIn")
            // The page has the action without a field, and the page that it opens has one.
            try await screen.press("Enter", untilLastRow: ">")
            try await screen.type("sig", "Tab", untilLastRow: "> signIn")
            try await screen.press("Tab", untilLastRow: "> signIn name=")
            try await screen.type("Ada Lovelace")
            try await screen.press("Enter")
            try await screen.wait(forRows: "the page of a person") {
                $0.contains { $0.contains("Ada Lovelace") && !$0.hasPrefix(">") }
            }
            try await screen.wait(forLastRow: ">")
            try await screen.type("rollback com.example.app.sh", "Tab", untilLastRow: "> rollback com.example.app.shop")
            try await screen.press("C-u")
            try await screen.type("open app://shop/i", "Tab", untilLastRow: "> open app://shop/item/")
            try await screen.press("C-u")
            try await screen.type("install --")
            try await screen.press("Tab")
            let rows = try await screen.wait(forRows: "the list of options") {
                $0.last == "> install --" && $0.contains { $0.hasPrefix("--stage") }
            }
            #expect(rows.suffix(2).first == "--stage        --no-way-back  --dry-run      --json         --help")
        }
    }

    @Test("Lines can be edited, also with wide and combining characters, and Control-C clears them")
    func editing() async throws {
        try await shell("app://account") { screen in
            try await screen.type("pag 你好 e\u{301}s", untilLastRow: "> pag 你好 e\u{301}s")
            for _ in 0..<6 { try await screen.press("BSpace") }
            try await screen.press("BSpace", untilLastRow: "> pag")
            try await screen.type("e")
            try await screen.press("Home")
            try await screen.type("x")
            try await screen.press("C-a", "DC", "Enter")
            try await screen.wait(forRows: "the page") { $0.contains("> page") && $0.last == ">" }
            try await screen.type("something", untilLastRow: "> something")
            try await screen.press("C-c", untilLastRow: ">")
            try await screen.press("C-c")
            try await screen.wait(forRows: "the hint") {
                $0.suffix(2) == ["(\"quit\" or Ctrl-D leaves the session)", ">"]
            }
            try await screen.type("pages")
            try await screen.press("Enter")
            try await screen.wait(forRows: "the title") { $0.suffix(3) == ["> pages", "Account", ">"] }
            try await screen.press("C-d")
            #expect(try await screen.status() == "0")
        }
    }

    @Test("A line survives a change of the terminal's size")
    func resize() async throws {
        try await shell("app://account") { screen in
            let line = "info " + String(repeating: "word ", count: 12) + "end"
            try await screen.type(line, untilLastRow: "> \(line)")
            try await screen.resize(columns: 50, rows: 20)
            let all = "> \(line)"
            let cut = all.index(all.startIndex, offsetBy: 50)
            let rows = [String(all[..<cut]), String(all[cut...])].map {
                String($0.reversed().drop { $0 == " " }.reversed())
            }
            try await screen.wait(forRows: "the whole line") { $0.suffix(2) == rows }
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

    @Test("After a crash while the user types a line, the terminal is as before", arguments: [SIGSEGV, SIGABRT])
    func crash(signal: Int32) async throws {
        let program = try WatchedProgram(then: "echo \"the shell again\"\nexec cat")
        let words = [home.host.build.appending("bin/hostapp").string, "shell", "app://account"]
        try await TerminalWindow.run(program.words(words), environment: environment) { screen in
            try await screen.wait(forLastRow: ">")
            try await screen.type("half a li", untilLastRow: "> half a li")
            kill(try program.number, signal)
            try await screen.wait(for: "ended with \(128 + signal)")
            try await screen.wait(for: "the shell again")
        }
        program.expectSameMode()
    }

    @Test("libedit is opened by the shell on a terminal only")
    func libedit() async throws {
        for words in [["open", "app://account"], ["list"], ["shell", "app://account"]] {
            let result = try await home.host.hostapp.run(
                words, input: "pages\n", environment: home.environment.merging(["LD_DEBUG": "files"]) { $1 })
            #expect(result.status == 0 && !result.stderr.contains("libedit") && result.stderr.contains("libPluginCore"))
        }
        #expect(
            !home.sandbox.appending("Containers/Data/Host/Library/shell-history").exists)
    }
}
