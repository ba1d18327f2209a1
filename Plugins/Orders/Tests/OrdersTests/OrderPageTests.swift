import OrdersInterface
import PluginCore
import PluginTestKit
import Testing

@testable import Orders

@Suite("The page of an order", .tags(.small))
@MainActor
struct OrderPageTests {
    private let bench: Bench

    init() async throws { bench = try await Bench() }

    @Test("The page shows item, price and state")
    func content() async throws {
        _ = try await bench.mediator.perform(OrdersActions.place, OrderForm(item: "Desk lamp", price: 1905))
        let page = try await bench.page("app://orders/1")
        #expect(page.title == "Order 1")
        let fields = ["Item": "Desk lamp", "Price": "€19.05", "State": "placed"] as KeyValuePairs
        #expect(page.content == fields.map { .field(label: $0, value: $1) })
    }

    @Test("An order can be canceled once")
    func cancel() async throws {
        _ = try await bench.mediator.perform(OrdersActions.place, OrderForm(item: "Desk lamp", price: 1999))
        let page = try await bench.page("app://orders/1")
        let navigator = FakeNavigator(showing: page)
        try await page.perform("cancel", input: [:], on: navigator)
        #expect(navigator.notices == ["Order 1 is canceled."])
        #expect(page.actions.isEmpty)
        #expect(try await bench.mediator.perform(OrdersActions.count) == 0)
        let error = await #expect(throws: AtriumError.self) {
            try await page.perform("cancel", input: [:], on: navigator)
        }
        #expect(error?.code == .pageActionUnknown)
    }

    @Test("The typed contracts open the page of an order and cancel the order")
    func contracts() async throws {
        _ = try await bench.mediator.perform(OrdersActions.place, OrderForm(item: "Desk lamp", price: 1999))
        bench.router.answer("orders/cancel/1") { opening in
            .handled(try await bench.host.object(at: opening.uri.text, of: bench.bundle))
        }
        try await bench.router.open(OrdersRoutes.list)
        try await bench.router.open(OrdersRoutes.order, 1)
        _ = try await bench.router.value(of: OrdersRoutes.cancel, 1)
        #expect(bench.router.openedAddresses == ["app://orders", "app://orders/1", "app://orders/cancel/1"])
        #expect(try await bench.mediator.perform(OrdersActions.count) == 0)
    }

    @Test(
        "The page of an order that does not exist is an error that names existing orders",
        arguments: ["app://orders/2", "app://orders/cancel/-1"]
    )
    func unknown(address: String) async throws {
        _ = try await bench.mediator.perform(OrdersActions.place, OrderForm(item: "Desk lamp", price: 1999))
        let error = await #expect(throws: AtriumError.self) {
            try await bench.host.resource(at: address, of: bench.bundle)
        }
        #expect(error?.code == .resourceUnknown)
        #expect(error?.subject == address)
        #expect(error?.nearest == ["app://orders/1"])
    }
}
