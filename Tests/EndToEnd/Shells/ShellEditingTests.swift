import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("Editing lines in the shell", .tags(.large), .timeLimit(.minutes(5)))
struct ShellEditingTests {
    private let home: ShellHome

    init() async throws { home = try await ShellHome() }

    private func start(_ words: String..., columns: Int = 80) async throws -> TerminalScreen {
        try await TerminalScreen(
            [home.host.build.appending("bin/hostapp").string, "shell"] + words, columns: columns,
            environment: home.environment.merging(["NO_COLOR": "1"]) { _, own in own })
    }

    @Test("The tab key completes actions, commands, identifiers and addresses, and lists what can follow")
    func completion() async throws {
        let screen = try await start("app://account")
        try await screen.wait(forLast: ">")
        try await screen.type("sig")
        try await screen.press("Tab")
        try await screen.wait(forLast: "> signIn")
        // The page has the action without a field, and the page that it opens has one.
        try await screen.press("Enter")
        try await screen.wait(forLast: ">")
        try await screen.type("sig")
        try await screen.press("Tab")
        try await screen.wait(forLast: "> signIn")
        try await screen.press("Tab")
        try await screen.wait(forLast: "> signIn name=")
        try await screen.type("Ada Lovelace")
        try await screen.press("Enter")
        try await screen.wait("Ada is not signed in") {
            $0.contains { $0.contains("Ada Lovelace") && !$0.hasPrefix(">") }
        }
        try await screen.wait(forLast: ">")
        try await screen.type("rollback com.example.app.sh")
        try await screen.press("Tab")
        try await screen.wait(forLast: "> rollback com.example.app.shop")
        try await screen.press("C-u")
        try await screen.type("open app://shop/i")
        try await screen.press("Tab")
        try await screen.wait(forLast: "> open app://shop/item/")
        try await screen.press("C-u")
        try await screen.type("install --")
        try await screen.press("Tab")
        let rows = try await screen.wait("no list") {
            $0.last == "> install --" && $0.contains { $0.hasPrefix("--stage") }
        }
        #expect(rows.suffix(2).first == "--stage    --dry-run  --json     --help")
        try await screen.end()
    }

    @Test("Lines can be edited, also with wide and combining characters, and Control-C clears them")
    func editing() async throws {
        let screen = try await start("app://account")
        try await screen.wait(forLast: ">")
        try await screen.type("pag 你好 e\u{301}s")
        try await screen.wait(forLast: "> pag 你好 e\u{301}s")
        try await screen.press("BSpace", "BSpace", "BSpace", "BSpace", "BSpace", "BSpace", "BSpace")
        try await screen.wait(forLast: "> pag")
        try await screen.type("e")
        try await screen.press("Home")
        try await screen.type("x")
        try await screen.press("C-a", "DC", "Enter")
        try await screen.wait("no page") { $0.contains("> page") && $0.last == ">" }
        try await screen.type("something")
        try await screen.wait(forLast: "> something")
        try await screen.press("C-c")
        try await screen.wait(forLast: ">")
        try await screen.press("C-c")
        try await screen.wait("no hint") { $0.suffix(2) == ["(\"quit\" or Ctrl-D leaves the session)", ">"] }
        try await screen.type("pages")
        try await screen.press("Enter")
        try await screen.wait("no title") { $0.suffix(3) == ["> pages", "Account", ">"] }
        try await screen.press("C-d")
        try await screen.wait("not ended") { $0.last?.hasPrefix("Pane is dead (status 0") == true }
        try await screen.end()
    }

    @Test("A line survives a change of the terminal's size")
    func resize() async throws {
        let screen = try await start("app://account")
        try await screen.wait(forLast: ">")
        let line = "info " + String(repeating: "word ", count: 12) + "end"
        try await screen.type(line)
        try await screen.wait(forLast: "> \(line)")
        try await screen.resize(columns: 50, rows: 20)
        let all = "> \(line)"
        let cut = all.index(all.startIndex, offsetBy: 50)
        let rows = [String(all[..<cut]), String(all[cut...])].map {
            String($0.reversed().drop { $0 == " " }.reversed())
        }
        try await screen.wait("the line is not whole") { $0.suffix(2) == rows }
        try await screen.end()
    }

    @Test("The history is kept over sessions, without secrets, and can be searched")
    func history() async throws {
        let first = try await start("app://account")
        try await first.wait(forLast: ">")
        for line in ["pages", "call Account isSignedIn", "signIn name=x password=geheim", " page"] {
            try await first.type(line)
            try await first.press("Enter")
            try await first.wait("not performed") { $0.last == ">" && $0.contains("> \(line)") }
        }
        try await first.press("C-d")
        try await first.wait("not ended") { $0.last?.hasPrefix("Pane is dead") == true }
        try await first.end()
        let file = home.sandbox.appending("Containers/Data/Host/Library/shell-history").string
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "pages\ncall Account isSignedIn\n")
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)

        let second = try await start("app://account")
        try await second.wait(forLast: ">")
        try await second.press("Up")
        try await second.wait(forLast: "> call Account isSignedIn")
        try await second.press("Up")
        try await second.wait(forLast: "> pages")
        try await second.press("C-c")
        try await second.wait(forLast: ">")
        try await second.press("C-r")
        try await second.type("isS")
        try await second.wait("not found") { $0.contains { $0.contains("call Account isSignedIn") } }
        try await second.press("Enter")
        try await second.wait("not performed") { $0.last == ">" && $0.contains("false") }
        try await second.end()
    }

    @Test("Text that arrives while the user types is shown above the line")
    func notices() async throws {
        let screen = try await start("app://shop", "--follow")
        try await screen.wait(forLast: ">")
        try await screen.type("half a li")
        try await screen.wait(forLast: "> half a li")
        let updated = try await home.host.hostapp.run(
            ["update", "com.example.app.shop"], environment: home.environment)
        try #require(updated.status == 0, "\(updated)")
        try await screen.wait("the page is not shown again") { rows in
            rows.contains("Welcome to the new shop") && rows.last == "> half a li"
        }
        try await screen.type("ne")
        try await screen.wait(forLast: "> half a line")
        try await screen.end()
    }

    @Test("libedit is opened by the shell on a terminal only")
    func libedit() async throws {
        for words in [["open", "app://account"], ["list"]] {
            let result = try await home.host.hostapp.run(
                words, environment: home.environment.merging(["LD_DEBUG": "files"]) { _, own in own })
            #expect(result.status == 0 && !result.stderr.contains("libedit") && result.stderr.contains("libPluginCore"))
        }
        let shell = try await home.host.hostapp.run(
            ["shell", "app://account"], input: "pages\n",
            environment: home.environment.merging(["LD_DEBUG": "files"]) { _, own in own })
        #expect(shell.status == 0 && !shell.stderr.contains("libedit"))
        #expect(
            !FileManager.default.fileExists(
                atPath: home.sandbox.appending("Containers/Data/Host/Library/shell-history").string))
    }
}
