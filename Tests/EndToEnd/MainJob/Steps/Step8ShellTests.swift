import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("8. The shell")
    struct ShellTests {
        private func lines(_ lines: String...) -> String { lines.map { $0 + "\n" }.joined() }

        @Test("begins where bundle.json says, pushes and pops pages, and takes actions by number or name")
        func walking() async throws {
            let house = try await House(with: account, orders, shop)
            let input = lines(
                "pages", "2", "pages", "back", "deals", "item-7", "pages", "back", "back", "back", "pages")
            let result = try await house.run("shell", input: input)
            #expect(result.stderr == "")
            let ways = result.lines.filter { $0 == "Shop" || $0.hasPrefix("Shop >") }
            // The page's own title stands between the ways.
            #expect(ways.filter { $0.contains(">") } == ["Shop > Desk lamp", "Shop > Deals > Notebook"])
            #expect(result.lines.contains("From: deals"))
            // Nothing lies below the first page: going back from it stays there.
            #expect(ways.last == "Shop")
            #expect(result.lines.filter { $0 == "Desk lamp" }.count == 1)
        }

        @Test("keeps what a page knows while other pages lie over it")
        func state() async throws {
            let house = try await House(with: account, orders, shop)
            let input = lines("buy", "buy", "orders", "signIn name=Ada", "order-1", "back", "back")
            let result = try await house.run("shell", "app://shop/item/42", input: input)
            let text = result.stdout
            #expect(text.contains("Bought Desk lamp: order 1\n") && text.contains("Bought Desk lamp: order 2\n"))
            let list = try #require(text.firstRange(of: " - 2 · Desk lamp  €19.99, placed"))
            let shownLater = text[list.upperBound...]
            #expect(shownLater.contains("Order 1\n=======\n"))
            let end = """
                Desk lamp
                =========
                Name: Desk lamp
                Price: €19.99
                Last order: 2

                  [1] Buy (buy)
                  [2] Orders (orders)

                """
            #expect(text.hasSuffix(end), "\(result)")
        }

        @Test("updates a bundle while its page is open: that page stays the old one, the next is the new one")
        func update() async throws {
            let house = try await House(with: "\(shop)@1.0.0")
            let shell = try house.host.start("shell", "app://shop")
            #expect(try await shell.wait(for: "(a1)\n").contains("Welcome to the shop\n"))
            try await shell.send("update \(shop)\n")
            #expect(try await shell.nextLine() == "Updated \(shop) from 1.0.0 to 1.1.0.")
            try await shell.send("page\n")
            #expect(try await shell.wait(for: "(a1)\n").contains("Welcome to the shop\n"))
            #expect(try await shell.mappedFiles(named: "libShop.so").count == 1)
            try await shell.send("open app://shop\n")
            #expect(try await shell.wait(for: "(a1)\n").contains("Welcome to the new shop\n"))
            #expect(
                try await shell.mappedFiles(named: "libShop.so").count == 2,
                "two versions of one module live in one process")
            try await shell.send("back\n")
            let old = try await shell.wait(for: "(a1)\n")
            #expect(old.contains("Welcome to the shop\n") && !old.contains("(deals)"))
            // The old page still works, and what it opens comes from the new version.
            try await shell.send("item-7\n")
            #expect(try await shell.wait(for: "(orders)\n").contains("Price: €3.50, was €4.50\n"))
            let result = try await shell.end()
            #expect(result.status == 0 && result.stderr == "")
        }

        @Test("rolls back in the same way")
        func rollback() async throws {
            let house = try await House(with: "\(shop)@1.0.0")
            // Only to what has run here can one go back from what has.
            try await house.run("open", "app://shop")
            try await house.run("update", shop)
            let input = lines("rollback \(shop)", "page", "open app://shop", "rollback \(shop)", "open app://shop")
            let result = try await house.run("shell", "app://shop", input: input)
            let (old, new) = ("Welcome to the shop", "Welcome to the new shop")
            #expect(result.lines.filter { $0.hasPrefix("Welcome") } == [new, new, old, new], "\(result)")
        }

        @Test("runs the host's other commands on its own sandbox and catalog")
        func commands() async throws {
            let house = try await House(with: account)
            let input = lines(
                "catalog", "install \(shop)", "list", "info \(shop)", "uninstall \(shop)", "history \(shop)",
                "install --help", "list --json")
            let result = try await house.run("shell", "app://account", input: input)
            let text = result.stdout
            for part in [
                "NAME     IDENTIFIER               VERSION", "Installed \(shop)@1.1.0.\n", "version          1.1.0\n",
                "Removed \(shop)@1.1.0; its data is kept.\n", "  uninstalled  \(shop)", "Usage: hostapp install <ID",
                "\"bundles\": [\n",
            ] {
                #expect(text.contains(part), "\(part) is missing: \(result)")
            }
            #expect(result.stderr == "")
        }

        @Test("opens what only the catalog has")
        func supply() async throws {
            let house = try House()
            let result = try await house.run("shell", input: lines("a1", "mediator", "greet"))
            #expect(result.lines.contains("C2 says: BJHL5岁啦"))
            #expect(
                result.stderr
                    == "installed \(money)@1.1.0\ninstalled \(shop)@1.1.0\ninstalled \(account)@1.0.0\n")
        }

        @Test("tells what goes wrong on standard error, and goes on")
        func mistakes() async throws {
            let house = try await House(with: account)
            let input = lines(
                "9", "opn app://account", "open app://acount", "open", "info nobody", "", "pages", "quit", "pages")
            let result = try await house.run("shell", "app://account", input: input)
            #expect(
                result.stderr.split(separator: "\n").filter { $0.hasPrefix("error: ") } == [
                    #"error: the page has no action "9"; did you mean "signIn"?"#,
                    #"error: the page has no action "opn": "help" lists what else can be typed; did you mean "open"?"#,
                    #"error: no plugin handles "app://acount"; did you mean "app://account"?"#,
                    "error: open needs <URL>",
                    #"error: there is no bundle "nobody""#,
                ])
            // `pages` once: nothing is read behind `quit`.
            #expect(result.lines.filter { $0 == "Account" }.count == 2)
        }

        @Test("explains itself")
        func help() async throws {
            let house = try await House(with: account)
            let result = try await house.run("shell", "app://account", input: lines("help"))
            for word in ["open URL", "back", "page ", "pages", "quit", "NUMBER", "catalog, install, outdated"] {
                #expect(result.stdout.contains(word), "\(word) is missing: \(result)")
            }
        }

        @Test(
            "ends at the end of input, also without a last line's end",
            arguments: ["", "pages", "pages\n", "quit\npages"])
        func endOfInput(input: String) async throws {
            let house = try await House(with: account)
            let result = try await house.run("shell", "app://account", input: input)
            #expect(result.lines.prefix(2) == ["Account", "======="])
            #expect(result.stderr == "")
        }

        @Test("asks on a terminal, in colours unless NO_COLOR is set, and ends at Control-D", arguments: [true, false])
        func terminal(isPlain: Bool) async throws {
            let house = try await House(with: account)
            let environment = isPlain ? ["NO_COLOR": "1"] : [:]
            let shell = try house.host.startOnTerminal("shell", "app://account", environment: environment)
            let page = try await shell.wait(for: "> ")
            #expect(page.contains("\u{1B}[1mAccount\u{1B}[") == !isPlain)
            #expect(page.contains("\u{1B}") == !isPlain)
            try await shell.send("pages\n")
            try await shell.wait(for: "Account\r\n")
            try await shell.wait(for: "> ")
            let result = try await shell.end()
            #expect(result.status == 0)
            // The user's own prompt begins on a line of its own.
            #expect(result.stdout.hasSuffix("> \r\n"), "\(result)")
        }

        @Test("writes no prompt and no escape where nobody types")
        func plain() async throws {
            let house = try await House(with: account)
            let result = try await house.run(
                "shell", "app://account", input: lines("pages"), environment: ["TERM": "xterm"])
            #expect(!result.stdout.contains("> ") && !result.stdout.contains("\u{1B}"))
        }
    }
}
