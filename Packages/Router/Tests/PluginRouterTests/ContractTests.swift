import PluginCore
import PluginRouter
import Testing

/// The types of an Interface, of which each of two sides has its own copy.
private enum Contracts<Side> {
    struct Link: Codable, Sendable {
        var id: Int
        var tags: [String]
        var from: String?
    }

    struct Item: Codable, Sendable {
        var id: Int
        var words: [String]
    }

    static var item: ValueRoute<Link, Item> { ValueRoute("shop/item/:id") }
    static var buy: HandlerRoute<Link, Int> { HandlerRoute("shop/buy/:id") }
    static var page: PageRoute<Link> { PageRoute("shop/page/:id") }
}

/// The types as compiled into the plugin that provides the route.
private typealias Provider = Contracts<FakeBundle>
/// The types as compiled into a caller.
private typealias Caller = Contracts<RouterFixture>

@Suite("Contracts and the router", .tags(.small))
@MainActor
struct ContractTests {
    private func shop() async throws -> RouterFixture {
        let fixture = RouterFixture(installed: [])
        let routing = fixture.routing(as: "shop")
        try await routing.register(Provider.item) {
            Provider.Item(id: $0.id, words: $0.tags + [$0.from ?? "nowhere"])
        }
        try await routing.register(Provider.buy) { $0.id * 2 }
        try await routing.register(Provider.page) { await TitledPage(title: "\($0.id)", lines: $0.tags) }
        return fixture
    }

    @Test("A contract works between two plugins that each have a copy of its types")
    func copies() async throws {
        let router = try await shop().routing(as: "caller")
        let link = Caller.Link(id: 42, tags: ["a&b", ""], from: nil)
        let item = try await router.value(of: Caller.item, link)
        #expect(item.id == 42 && item.words == ["a&b", "", "nowhere"])
        let address = try router.address(for: Caller.item, link).text
        #expect(address == "app://shop/item/42?tags=a%26b&tags=")
        let object = try await router.object(for: address, as: CodedValue.self)
        #expect(object.description == #"{"id":42,"words":["a&b","","nowhere"]}"#)
    }

    @Test("A contract returns the value of a handler and shows a page")
    func kinds() async throws {
        let fixture = try await shop()
        let router = fixture.routing(as: "caller")
        let link = Caller.Link(id: 21, tags: ["x"], from: nil)
        #expect(try await router.value(of: Caller.buy, link) == 42)
        try await router.open(Caller.page, link)
        #expect(fixture.stack.pages.map(\.title) == ["21"])
        #expect(try await router.page(for: Caller.page, link).title == "21")
        #expect(fixture.stack.pages.count == 1)
    }

    @Test("The error for an invalid parameter names it, both before and after the address is opened")
    func errors() async throws {
        let router = try await shop().routing()
        let served = await refusal { try await router.open("app://shop/buy/x") }
        #expect(served?.description == "parameterType: id (textForType(text: x, type: Int))")
        let nul = Caller.Link(id: 1, tags: ["\0"], from: nil)
        let called = await refusal { try await router.value(of: Caller.item, nul) }
        #expect(called?.code == .parameterType && called?.subject == "tags")
    }

    @Test("A value of another type is not accepted as output")
    func otherOutput() async throws {
        let router = try await shop().routing()
        let link = Caller.Link(id: 1, tags: [], from: nil)
        let text = HandlerRoute<Caller.Link, String>("shop/buy/:id")
        let list = ValueRoute<Caller.Link, Caller.Link>("shop/item/:id")
        let wrong = await refusal { try await router.value(of: text, link) }
        let other = await refusal { try await router.value(of: list, link) }
        #expect([wrong?.code, other?.code] == [.resultType, .resultType])
        #expect([wrong?.subject, other?.subject] == ["shop/buy/:id", "shop/item/:id"])
        let nothing = HandlerRoute<Caller.Link, NoValue>("shop/buy/:id")
        #expect(try await router.value(of: nothing, link) == NoValue())
    }

    @Test("A contract without parameters is called without an input")
    func noInput() async throws {
        let router = RouterFixture(installed: []).routing()
        let count = ValueRoute<NoValue, Int>("shop/count")
        try await router.register(count) { _ in 3 }
        #expect(try router.address(for: count).text == "app://shop/count")
        #expect(try await router.value(of: count) == 3)
        let home = PageRoute<NoValue>("shop")
        try await router.register(home) { _ in await TitledPage(title: "Shop") }
        #expect(try await router.page(for: home).title == "Shop")
        let clear = HandlerRoute<NoValue, NoValue>("shop/clear")
        try await router.register(clear) { $0 }
        #expect(try await router.open(clear).value is Void)
    }
}
