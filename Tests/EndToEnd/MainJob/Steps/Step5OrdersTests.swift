import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("Step 5: buying, orders and signing in", .tags(.large))
    struct OrdersTests {
        @Test("The database is a single file after the host has ended, because Orders is deactivated")
        func closing() async throws {
            let fixture = try await Scene(installed: account, orders, shop)
            let documents = fixture.container(of: orders).appending("Documents")
            let shell = try fixture.host.start("shell", "app://shop/item/42")
            try await shell.wait(for: "(orders)\n")
            try await shell.send("buy\n")
            try await shell.wait(for: "(orders)\n")
            #expect(try FileTree(of: documents).files.contains("orders.sqlite-wal"), "the database is in use")
            #expect(try await shell.end().status == 0)
            #expect(try FileTree(of: documents).files == ["orders.sqlite"])
            try await fixture.run("open", "app://shop/item/42", "--tap", "buy")
            #expect(try FileTree(of: documents).files == ["orders.sqlite"])
        }

        @Test("A signed-out user is asked to sign in, and then the orders open")
        func signingIn() async throws {
            let fixture = try await Scene(installed: account, orders)
            let asked = try await fixture.open("app://orders")
            #expect(asked.page.title == "Sign in" && asked.waiting == true && asked.stack == ["Sign in"])
            let nameless = try await fixture.host.hostapp.run("open", "app://orders", "--tap", "signIn name=", "--json")
            #expect(try nameless.status == 65 && nameless.refusal.code == "fieldInvalid", "\(nameless)")
            let opening = try await fixture.open("app://orders", tapping: "signIn name=Ada Lovelace")
            #expect(opening.notices == ["Welcome, Ada Lovelace."])
            #expect(opening.page.title == "Orders" && opening.waiting == false && opening.stack == ["Orders"])
            // A later process is still signed in.
            #expect(try await fixture.open("app://orders").steps.elements.map(\.page.title) == ["Orders"])
            let page = try await fixture.open("app://account").page
            #expect(page.content.elements.map(\.text) == ["Signed in as Ada Lovelace."])
        }
    }
}
