import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("Step 6: installs on demand", .tags(.large))
    struct InstallOnDemandTests {
        @Test("Opening an address installs its plugin and passes the original parameters")
        func address() async throws {
            let fixture = try HostFixture()
            let result = try await fixture.run("open", "app://account/profile?name=Grace%20Hopper&age=46")
            #expect(result.lines.prefix(4) == ["Profile", "=======", "Name: Grace Hopper", "Age: 46"])
            #expect(result.stderr == "installed \(account)@1.0.0\n")
            let list: List = try await fixture.answer("list")
            #expect(list.bundles.map(\.identifier) == [account])
        }

        @Test("The path and the query arrive with their original escapes")
        func parameters() async throws {
            let url = "app://shop/item/42?from=%E5%95%86%E5%BA%97%20%26%20co"
            let opening = try await HostFixture().open(url)
            #expect(opening.url == url && opening.page?.title == "Desk lamp")
            #expect(opening.page?.value(of: "From") == "商店 & co")
        }

        @Test("A call by mediator installs its plugin and then performs the action")
        func target() async throws {
            let fixture = try await HostFixture(with: shop)
            let opening = try await fixture.open("app://shop/gift", tapping: "choose", "greet")
            #expect(opening.page?.value(of: "Name") == "Ann" && opening.page?.value(of: "Age") == "30")
            #expect(opening.notices == ["On the card: Happy birthday, Ann! You are 30 today."])
            let list: List = try await fixture.answer("list")
            #expect(list.bundles.map(\.identifier) == [account, shop, money])
        }

        @Test("A page can open an address of a plugin that is not installed, with a closure")
        func userInfo() async throws {
            let fixture = try await HostFixture(with: shop)
            let result = try await fixture.run("open", "app://shop/gift", "--tap", "look-up", "--tap", "greet")
            #expect(result.stderr == "installed \(account)@1.0.0\n")
            #expect(result.lines.contains("On the card: Happy birthday, Ann! You are 30 today."))
        }

        @Test("A guard's plugin is installed on demand, so that one command can lead from nothing to the orders")
        func everything() async throws {
            let fixture = try HostFixture()
            let result = try await fixture.run(
                "open", "app://shop/item/42", "--tap", "buy", "--tap", "orders", "--tap", "signIn name=Ada")
            #expect(result.lines.contains("  [1] 1 · Desk lamp  €19.99, placed (order-1)"))
            // The library that Shop links is installed in the same step and also used by Orders.
            let names = ["\(money)@1.1.0", "\(shop)@1.1.0", "\(orders)@1.0.0", "\(account)@1.0.0"]
            #expect(result.stderr == names.map { "installed \($0)\n" }.joined())
        }

        @Test("An install on demand shows its progress on a terminal and leaves a line above the page")
        func progress() async throws {
            let result = try await HostFixture().host.startOnTerminal("open", "app://account", columns: 100).result()
            #expect(result.status == 0)
            #expect(result.stdout.contains("\(account)@1.0.0  [####################] 100%"), "\(result)")
            #expect(result.stdout.contains("\r\u{1B}[Kinstalled \(account)@1.0.0\r\n\u{1B}[1mAccount"), "\(result)")
        }

        @Test(
            "An install on demand selects the newest version and loads it in the same process",
            inHostProcess)
        func newest() async throws {
            let fixture = try HostFixture()
            let result = try await fixture.run("open", "app://shop", environment: ["LD_DEBUG": "files"])
            #expect(result.lines.contains("Welcome to the new shop"))
            // These are the plugin's library and the one that it links.
            #expect(result.openedPlugins.count == 2)
            let history: History = try await fixture.answer("history")
            #expect(
                history.history.map { "\($0.event) \($0.identifier)@\($0.version)" } == [
                    "installed \(money)@1.1.0", "installed \(shop)@1.1.0",
                ])
        }

        @Test("An installed version is not replaced on demand")
        func older() async throws {
            let fixture = try await HostFixture(with: "\(shop)@1.0.0")
            let opening = try await fixture.open("app://shop")
            #expect(opening.page?.headings == ["Welcome to the shop"])
            #expect(try fixture.versions(of: shop).count == 1)
        }
    }
}
