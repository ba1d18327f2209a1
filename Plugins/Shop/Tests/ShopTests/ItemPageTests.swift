import PluginCore
import PluginTestKit
import ShopInterface
import Testing

@testable import Shop

@Suite("The page of an item", .tags(.small))
@MainActor
struct ItemPageTests {
    private let bench: Bench

    init() async throws { bench = try await Bench() }

    @Test("The page shows name, price, and the place that the user came from if the address contains it")
    func content() async throws {
        let page = try await Bench().page("app://shop/item/42")
        #expect(page.title == "Desk lamp")
        #expect(page.content == [.field(label: "Name", value: "Desk lamp"), .field(label: "Price", value: "€19.99")])
        #expect(page.actions.map(\.identifier) == ["buy", "orders"])
        let from = try await Bench().page("app://shop/item/42?from=de%20mo")
        #expect(from.content.last == .field(label: "From", value: "de mo"))
    }

    @Test("The page opens at an address that the app has composed for it")
    func composed() async throws {
        let uri = try ResourceURI("app://lamps").adding(["id": "42", "from": "app"])
        let resource = try await Principal(bench.bundle).resource(for: ResourceRequest(uri: uri, name: "item"))
        guard case .page(let page) = resource else {
            Issue.record("no page")
            return
        }
        #expect(page.title == "Desk lamp")
        #expect(page.content.last == .field(label: "From", value: "app"))
    }

    @Test(
        "The buy action places an order and shows its number",
        arguments: [
            ("en", "Desk lamp", "Bought Desk lamp: order 1", "Last order"),
            ("zh-Hans", "台灯", "已购买台灯：订单 1", "最近的订单"),
        ]
    )
    func buy(language: String, name: String, notice: String, label: String) async throws {
        let bench = try await Bench(language: language)
        bench.mediator.answer("place", on: "Orders") { _ in 1 }
        let page = try await bench.page("app://shop/item/42")
        let navigator = FakeNavigator(showing: page)
        try await page.perform("buy", input: [:], on: navigator)
        #expect(navigator.notices == [notice])
        #expect(page.content.last == .field(label: label, value: "1"))
        let call = try #require(bench.mediator.calls.first)
        #expect(call.name == "Orders.place")
        #expect(try call.parameters.require("item", as: String.self) == name)
        #expect(try call.parameters.require("price", as: Int.self) == 1999)
    }

    @Test("An order that cannot be placed is reported with its error")
    func refused() async throws {
        let page = try await Bench().page("app://shop/item/42")
        let before = page.content
        let navigator = FakeNavigator(showing: page)
        let error = await #expect(throws: AtriumError.self) {
            try await page.perform("buy", input: [:], on: navigator)
        }
        #expect(error?.code == .targetUnknown)
        #expect(navigator.notices.isEmpty)
        #expect(page.content == before)
    }

    @Test("The page opens the orders")
    func orders() async throws {
        let page = try await bench.page("app://shop/item/42")
        try await page.perform("orders", input: [:], on: FakeNavigator(showing: page))
        #expect(bench.router.openedAddresses == ["app://orders"])
    }

    @Test(
        "The page of an unknown item is an error that names the nearest items",
        arguments: [
            ("app://shop/item/43", "app://shop/item/42"), ("app://shop/price/100", "app://shop/price/99"),
            ("app://shop/item/-9223372036854775808", "app://shop/item/7"),
            ("app://shop/item/042", "app://shop/item/42"),
        ]
    )
    func unknown(address: String, nearest: String) async throws {
        let error = await #expect(throws: AtriumError.self) {
            try await bench.host.resource(at: address, of: bench.bundle)
        }
        #expect(error?.code == .resourceUnknown)
        #expect(error?.subject == address)
        #expect(error?.nearest.first == nearest)
    }

    @Test("The price of an item is available to other plugins in cents", arguments: [(7, 350), (42, 1999), (99, 8900)])
    func price(id: Int, cents: Int) async throws {
        let router = FakeRouter()
        router.answerObject("shop/price/\(id)") { uri, _ in
            try await bench.host.object(at: uri.text, of: bench.bundle)
        }
        #expect(try await router.value(of: ShopRoutes.price, id) == cents)
    }
}
