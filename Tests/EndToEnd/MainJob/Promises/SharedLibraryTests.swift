import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("Libraries shared by plugins", .tags(.large))
    struct SharedLibraryTests {
        /// Places an order with a price above one thousand, and signs in so that all orders can be shown.
        private func order(in fixture: HostFixture) async throws {
            try await fixture.run("call", "Orders", "place", "item=Yacht", "price=123456789")
            try await fixture.run("call", "Account", "requireSignIn", "--tap", "signIn name=Ada")
        }

        /// The line of that order in the list.
        private static func row(_ price: String) -> String { "  [1] 1 · Yacht  \(price), placed (order-1)" }

        @Test("A library is installed with the first plugin that needs it, and formats prices in the user's language")
        func brought() async throws {
            let fixture = try await HostFixture(with: orders)
            let list: List = try await fixture.answer("list")
            #expect(list.bundles.map(\.identifier) == [orders, money])
            #expect(list.bundles.map(\.kind) == ["app", "lib"])
            try await order(in: fixture)
            #expect(try await fixture.run("open", "app://orders").lines.contains(Self.row("€1,234,567.89")))
            let german = try await fixture.run("open", "app://orders", "--language", "de")
            #expect(german.lines.contains(Self.row("1.234.567,89\u{A0}€")))
        }

        @Test("A library is loaded once for all plugins that link it")
        func once() async throws {
            let fixture = try await HostFixture(with: account, orders, shop)
            let shell = try fixture.host.start("shell", "app://account")
            try await shell.wait(for: "(signIn)\n")
            #expect(try await shell.mappedFiles(named: "libMoney.so").isEmpty)
            try await shell.send("open app://shop/item/7\n")
            try await shell.wait(for: "(orders)\n")
            #expect(try await shell.mappedFiles(named: "libMoney.so").count == 1)
            try await shell.send("buy\n")
            try await shell.wait(for: "(orders)\n")
            for name in ["libShop.so", "libOrders.so", "libMoney.so"] {
                #expect(try await shell.mappedFiles(named: name).count == 1, "\(name)")
            }
            #expect(try await shell.end().status == 0)
        }

        @Test("A library can be updated on its own, and plugins that link it use the new version")
        func update() async throws {
            let fixture = try await HostFixture(with: "\(money)@1.0.0", orders, shop)
            try await order(in: fixture)
            #expect(try await fixture.run("open", "app://orders").lines.contains(Self.row("€1234567.89")))
            try await fixture.run("update", money)
            #expect(try await fixture.run("open", "app://orders").lines.contains(Self.row("€1,234,567.89")))
            #expect(try await fixture.open("app://shop/item/7").page?.value(of: "Price") == "€3.50, was €4.50")
            try await fixture.run("rollback", money)
            #expect(try await fixture.run("open", "app://orders").lines.contains(Self.row("€1234567.89")))
        }

        @Test(
            "After an update of a loaded library, plugins that need the new version require a restart",
            inHostProcess)
        func restart() async throws {
            let fixture = try await HostFixture(with: account, "\(money)@1.0.0", orders, shop)
            let shell = try fixture.host.start("shell", "app://shop/item/7")
            try await shell.wait(for: "(orders)\n")
            try await fixture.run("update", money)
            try await shell.send("buy\n")
            try await shell.wait(
                forError: "\(orders)@1.0.0 needs its libMoney.so, and \(money)@1.0.0 was loaded for \(shop)@1.1.0")
            try await shell.send("page\n")
            #expect(try await shell.wait(for: "(orders)\n").contains("Price: €3.50, was €4.50\n"))
            _ = try await shell.end()
            #expect(try await fixture.open("app://shop/item/7", tapping: "buy").notices == ["Bought Notebook: order 1"])
        }

        @Test("A library has no page, and its address is unknown")
        func noPrincipal() async throws {
            let fixture = try await HostFixture(with: money)
            let refusal = try await fixture.refusal("open", "app://money", status: 66)
            #expect(refusal.code == "routeUnknown")
        }
    }
}
