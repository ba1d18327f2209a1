import OrdersInterface
import PluginCore
import PluginTestKit
import Testing

@testable import Orders

@Suite("The list of orders", .tags(.small))
@MainActor
struct ListPageTests {
    @Test("An empty list says that there are no orders")
    func empty() async throws {
        let page = try await Bench().page("app://orders")
        #expect(page.title == "Orders")
        #expect(page.content == [.text("There are no orders yet.")])
        #expect(page.actions.map(\.identifier) == ["help"])
    }

    @Test(
        "The list shows the newest order first, with price and state in the user's language",
        arguments: [
            ("en", "€89.00, placed", "€19.99, canceled"), ("zh-Hans", "89.00 欧元，已下单", "19.99 欧元，已取消"),
            ("de", "89,00\u{A0}€, placed", "19,99\u{A0}€, canceled"),
        ]
    )
    func list(language: String, placed: String, canceled: String) async throws {
        let bench = try await Bench(language: language)
        let page = try await bench.page("app://orders")
        _ = try await bench.mediator.perform(OrdersActions.place, OrderForm(item: "Desk lamp", price: 1999))
        _ = try await bench.mediator.perform(OrdersActions.place, OrderForm(item: "Chair", price: 8900))
        _ = try await bench.host.object(at: "app://orders/cancel/1", of: bench.bundle)
        #expect(
            page.content == [
                .list([
                    PageRow("2 · Chair", detail: placed, opens: try ResourceURI("app://orders/2")),
                    PageRow("1 · Desk lamp", detail: canceled, opens: try ResourceURI("app://orders/1")),
                ])
            ])
    }

    @Test("The action below the list opens the help page")
    func help() async throws {
        let bench = try await Bench()
        let page = try await bench.page("app://orders")
        try await page.perform("help", input: [:], on: FakeNavigator(showing: page))
        #expect(bench.router.openedAddresses == ["app://orders/help"])
    }

    @Test("An open list changes when an order is placed, until it is closed", .timeLimit(.minutes(1)))
    func invalidation() async throws {
        let bench = try await Bench()
        let page = try await bench.page("app://orders")
        let recorder = InvalidationRecorder(of: page)
        _ = try await bench.mediator.perform(OrdersActions.place, OrderForm(item: "Desk lamp", price: 1999))
        try await recorder.next()
        #expect(page.content.flatMap(\.rows).map(\.title) == ["1 · Desk lamp"])
        page.didClose()
        _ = try await bench.mediator.perform(OrdersActions.place, OrderForm(item: "Chair", price: 8900))
        #expect(recorder.count == 1)
    }

    @Test("An unknown action is an error that names the existing ones")
    func unknown() async throws {
        let bench = try await Bench()
        _ = try await bench.mediator.perform(OrdersActions.place, OrderForm(item: "Desk lamp", price: 1999))
        let page = try await bench.page("app://orders")
        let error = await #expect(throws: AtriumError.self) {
            try await page.perform("app://orders/9", input: [:], on: FakeNavigator(showing: page))
        }
        #expect(error?.code == .pageActionUnknown)
        #expect(error?.nearest == ["app://orders/1", "help"])
    }
}
