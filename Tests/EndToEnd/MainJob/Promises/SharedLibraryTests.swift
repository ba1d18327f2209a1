import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("Libraries shared by plugins", .tags(.large))
    struct SharedLibraryTests {
        /// The line of that order in the list.
        private static func row(_ price: String) -> String { "  [1] 1 · Yacht  \(price), placed (app://orders/1)" }

        @Test("A library can be updated on its own, and plugins that link it use the new version")
        func update() async throws {
            let fixture = try await Scene(installed: "\(money)@1.0.0", orders, shop)
            // An order with a price above one thousand, and a user who may see it.
            try await fixture.run("call", "Orders", "place", "item=Yacht", "price=123456789")
            try await fixture.run("call", "Account", "requireSignIn", "--tap", "signIn name=Ada")
            #expect(try await fixture.run("open", "app://orders").lines.contains(Self.row("€1234567.89")))
            try await fixture.run("update", money)
            #expect(try await fixture.run("open", "app://orders").lines.contains(Self.row("€1,234,567.89")))
            #expect(try await fixture.open("app://shop/item/7").page.field("Price") == "€3.50, was €4.50")
            try await fixture.run("rollback", money)
            #expect(try await fixture.run("open", "app://orders").lines.contains(Self.row("€1234567.89")))
        }
    }
}
