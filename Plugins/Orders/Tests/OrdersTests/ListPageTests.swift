import OrdersInterface
import PluginCore
import PluginTestKit
import Testing

@testable import Orders

@Suite("The list of orders")
@MainActor
struct ListPageTests {
    @Test(
        "says that there are none, in the user's language",
        arguments: [("en", "Orders", "There are no orders yet."), ("zh-Hans", "订单", "还没有订单。")]
    )
    func empty(language: String, title: String, text: String) async throws {
        let page = try await Bench(language: language).page("app://orders")
        #expect(page.title == title)
        #expect(page.content == [.text(text)])
        #expect(page.actions.map(\.identifier) == ["help"])
    }

    @Test(
        "shows the newest first, what it costs and what became of it, in the user's language",
        arguments: [
            ("en", "€89.00, placed", "€19.99, cancelled"), ("zh-Hans", "89.00 欧元，已下单", "19.99 欧元，已取消"),
            ("de", "89,00\u{A0}€, placed", "19,99\u{A0}€, cancelled"),
        ]
    )
    func list(language: String, placed: String, cancelled: String) async throws {
        let bench = try await Bench(language: language)
        let page = try await bench.page("app://orders")
        _ = try await bench.mediator.placeOrder(item: "Desk lamp", price: 1999)
        _ = try await bench.mediator.placeOrder(item: "Chair", price: 8900)
        _ = try await bench.host.object(at: "app://orders/cancel/1", of: bench.bundle)
        #expect(
            page.content == [
                .list([PageRow("2 · Chair", detail: placed), PageRow("1 · Desk lamp", detail: cancelled)])
            ])
    }

    @Test("opens an order, and the help", arguments: [("order-1", "app://orders/1"), ("help", "app://orders/help")])
    func open(action: String, address: String) async throws {
        let bench = try await Bench()
        _ = try await bench.mediator.placeOrder(item: "Desk lamp", price: 1999)
        let page = try await bench.page("app://orders")
        #expect(page.actions.map(\.identifier) == ["order-1", "help"])
        try await page.perform(action, input: [:], on: FakeNavigator(showing: page))
        #expect(bench.router.openedAddresses == [address])
    }

    @Test("does not open an order that is not there")
    func unknown() async throws {
        let page = try await Bench().page("app://orders")
        let error = await #expect(throws: AtriumError.self) {
            try await page.perform("order-9", input: [:], on: FakeNavigator(showing: page))
        }
        #expect(error?.code == .pageActionUnknown)
    }
}
