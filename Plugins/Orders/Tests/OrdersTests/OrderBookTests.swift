import FoundationEssentials
import OrdersInterface
import PluginCore
import PluginTestKit
import SQLite
import Testing

@testable import Orders

@Suite("The database of orders", .tags(.medium))
@MainActor
struct OrderBookTests {
    private func file(in container: TestContainer) -> String {
        container.container.documents.appending("orders.sqlite").string
    }

    @Test("A placed order is announced by an event, and a service returns the sum of all orders")
    func announced() async throws {
        let bench = try await Bench()
        _ = try await PrincipalType(OrdersBundle.self).start(bench.host.context)
        for price in [1999, 8900, 450] {
            _ = try await bench.mediator.perform(OrdersActions.place, OrderForm(item: "Gift", price: price))
        }
        try bench.bundle.book.cancel(2)
        #expect(bench.host.events.posted.map(\.name) == Array(repeating: "Orders.placed", count: 3))
        #expect(bench.host.events.posted.compactMap { $0.payload as? Int } == [1, 2, 3])
        #expect(try await bench.host.services.service(OrdersServices.spending)() == 2449)
    }

    @Test("Orders survive the process")
    func persistence() async throws {
        let container = try TestContainer()
        let before = try await Bench(container: container)
        _ = try await before.mediator.perform(OrdersActions.place, OrderForm(item: "台灯", price: 1999))

        let after = try await Bench(container: container)
        #expect(try await after.mediator.perform(OrdersActions.count) == 1)
        #expect(try await after.page("app://orders/1").content.first == .field(label: "Item", value: "台灯"))
        #expect(try await after.mediator.perform(OrdersActions.place, OrderForm(item: "Chair", price: 8900)) == 2)
        #expect(try await before.mediator.perform(OrdersActions.count) == 2)
    }

    @Test("A database with the first schema is migrated and keeps its orders")
    func migration() async throws {
        let container = try TestContainer()
        let old = try Database(path: file(in: container))
        try old.execute(
            script: """
                CREATE TABLE orders (
                    number INTEGER PRIMARY KEY AUTOINCREMENT, item TEXT NOT NULL, price INTEGER NOT NULL
                ) STRICT;
                INSERT INTO orders (item, price) VALUES ('Chair', 8900);
                PRAGMA user_version = 1
                """
        )
        let bench = try await Bench(container: container)
        #expect(try await bench.mediator.perform(OrdersActions.count) == 1)
        _ = try await bench.host.object(at: "app://orders/cancel/1", of: bench.bundle)
        #expect(try await bench.mediator.perform(OrdersActions.count) == 0)
    }

    @Test(
        "A database of a newer version, or a damaged one, is left unchanged and prevents the load",
        arguments: [true, false])
    func unreadable(isNewer: Bool) async throws {
        let container = try TestContainer()
        if isNewer {
            try Database(path: file(in: container)).execute("PRAGMA user_version = 99")
        } else {
            try Data("not a database, but long enough to be looked at".utf8)
                .write(to: URL(filePath: file(in: container)))
        }
        await #expect(throws: (any Error).self) { _ = try await Bench(container: container) }
    }

    @Test(
        "An order without an item or with a negative price is rejected",
        arguments: [("", 100), ("Desk lamp", -1), ("Desk lamp", Int.min)]
    )
    func invalid(item: String, price: Int) async throws {
        let bench = try await Bench()
        let error = await #expect(throws: AtriumError.self) {
            try await bench.mediator.perform(OrdersActions.place, OrderForm(item: item, price: price))
        }
        #expect(error?.code.name == "orderInvalid")
        #expect(try await bench.mediator.perform(OrdersActions.count) == 0)
    }
}
