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
    }
}
