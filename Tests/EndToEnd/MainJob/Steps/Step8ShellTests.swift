import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("Step 8: the shell", .tags(.large))
    struct ShellTests {
        private let fixture: Scene

        init() async throws { fixture = try await Scene(installed: account) }

        private func lines(_ lines: String...) -> String { lines.map { $0 + "\n" }.joined() }

        @Test("The shell starts at the composition's start page, pushes and pops pages, and accepts numbers and names")
        func walking() async throws {
            let fixture = try await Scene(installed: account, orders, shop)
            let input = lines(
                "pages", "2", "pages", "back", "deals", "1", "pages", "back", "back", "back", "pages")
            let result = try await fixture.run("shell", input: input)
            #expect(result.stderr == "")
            let ways = result.lines.filter { $0 == "Shop" || $0.hasPrefix("Shop >") }
            // The title of the page itself is printed between the paths.
            #expect(ways.filter { $0.contains(">") } == ["Shop > Desk lamp", "Shop > Deals > Notebook"])
            #expect(result.lines.contains("From: deals"))
            // Going back from the first page has no effect.
            #expect(ways.last == "Shop")
            #expect(result.lines.filter { $0 == "Desk lamp" }.count == 1)
        }

        @Test("The shell reports errors on standard error and continues")
        func mistakes() async throws {
            let input = lines(
                "9", "opn app://account", "open app://acount", "open", "info nobody", "", "pages", "quit", "pages")
            let result = try await fixture.run("shell", "app://account", input: input)
            #expect(
                result.stderr.split(separator: "\n").filter { $0.hasPrefix("error: ") } == [
                    #"error: the page has no action "9"; did you mean "signIn"?"#,
                    #"error: the page has no action "opn": "help" lists the commands; did you mean "open"?"#,
                    #"error: no plugin handles "app://acount"; did you mean "app://account"?"#,
                    "error: open needs <URL>",
                    #"error: there is no bundle "nobody""#,
                ])
            // `pages` runs once, because nothing is read after `quit`.
            #expect(result.lines.filter { $0 == "Account" }.count == 2)
        }

        @Test(
            "The shell ends at the end of input, and prints neither prompts nor escape sequences without a terminal",
            arguments: ["", "pages", "pages\n", "quit\npages"])
        func endOfInput(input: String) async throws {
            let result = try await fixture.run("shell", "app://account", input: input, environment: ["TERM": "xterm"])
            #expect(result.lines.prefix(2) == ["Account", "======="])
            #expect(result.stderr == "" && !result.stdout.contains("> ") && !result.stdout.contains("\u{1B}"))
        }

        @Test(
            "On a terminal, the shell shows a prompt, uses colors unless NO_COLOR is set, and ends at Control-D",
            arguments: [true, false])
        func terminal(isPlain: Bool) async throws {
            // Without rlwrap.
            let environment = ["PATH": "/nowhere"].merging(isPlain ? ["NO_COLOR": "1"] : [:]) { $1 }
            let shell = try fixture.host.startOnTerminal("shell", "app://account", environment: environment)
            let page = try await shell.wait(for: "> ")
            #expect(page.contains("\u{1B}[1mAccount\u{1B}[") == !isPlain)
            #expect(page.contains("\u{1B}") == !isPlain)
            try await shell.send("pages\n")
            try await shell.wait(for: "Account\r\n")
            try await shell.wait(for: "> ")
            let result = try await shell.end()
            #expect(result.status == 0)
            // The shell of the user must start on a new line.
            #expect(result.stdout.hasSuffix("> \r\n"), "\(result)")
        }
    }
}
