import PluginCore
import PluginTestKit
import Testing

@testable import Shop

@Suite("The home page of the shop", .tags(.small))
@MainActor
struct HomePageTests {
    @Test(
        "The home page shows the items and the deals in the user's language",
        arguments: [
            ("en", "Shop", "Welcome to the new shop", "Today's deals", PageRow("Notebook", detail: "€3.50, was €4.50")),
            ("zh-Hans", "商店", "欢迎光临全新商店", "今日优惠", PageRow("笔记本", detail: "3.50 欧元，原价 4.50 欧元")),
        ]
    )
    func home(language: String, title: String, greeting: String, heading: String, deal: PageRow) async throws {
        let page = try await Bench(language: language).page("app://shop")
        #expect(page.title == title)
        #expect(page.content.first == .heading(greeting))
        let items = page.content[1].rows.compactMap(\.action)
        #expect(items == ["app://shop/item/7", "app://shop/item/42", "app://shop/item/99"])
        #expect(page.content.suffix(3) == [.divider, .heading(heading), .list([deal])])
    }

    @Test(
        "The actions of the home page open the deals and the gift card",
        arguments: [("deals", "app://shop/deals"), ("gift", "app://shop/gift")]
    )
    func actions(action: String, address: String) async throws {
        let bench = try await Bench()
        let page = try await bench.page("app://shop")
        #expect(page.actions.map(\.identifier) == ["deals", "gift"])
        try await page.perform(action, input: [:], on: FakeNavigator(showing: page))
        #expect(bench.router.openedAddresses == [address])
    }

    @Test(
        "Every page of the shop rejects an unknown action",
        arguments: ["app://shop", "app://shop/item/42", "app://shop/deals", "app://shop/gift"]
    )
    func unknownAction(address: String) async throws {
        let page = try await Bench().page(address)
        let error = await #expect(throws: AtriumError.self) {
            try await page.perform("byu", input: [:], on: FakeNavigator(showing: page))
        }
        #expect(error?.code == .pageActionUnknown)
        let rows = page.content.flatMap(\.rows).compactMap(\.action)
        #expect(error?.nearest == rows + page.actions.map(\.identifier))
    }

    @Test("The deals open their items")
    func deals() async throws {
        let bench = try await Bench()
        let page = try await bench.page("app://shop/deals")
        #expect(page.title == "Deals")
        #expect(page.content.flatMap(\.rows).map(\.action) == ["app://shop/item/7?from=deals"])
    }
}
