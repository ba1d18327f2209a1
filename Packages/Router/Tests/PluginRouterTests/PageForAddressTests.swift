import PluginCore
import PluginRouter
import Testing

@Suite("Pages of addresses", .tags(.small))
@MainActor
struct PageForAddressTests {
    private static let shop = FakeBundle(
        identifier: "shop",
        routes: [
            .route("shop", .page, "page-home", exposure: .external),
            .route("shop/:item", .page, "page-item"),
            .route("shop/staff", .page, "page-staff", exposure: .internal),
            .route("shop/buy", .handler, "buy"),
            .route("shop/price/:id", .object, "price"),
            .route("shop/not/a/page", .page, "value"),
        ])

    private func fixture(offered: Bool = false) -> RouterFixture {
        RouterFixture(installed: offered ? [] : [Self.shop], offered: offered ? [Self.shop] : [])
    }

    @Test("The page of an address is returned with its parameters, and the navigator is not called")
    func page() async throws {
        let (fixture, presented) = (fixture(), Notes())
        fixture.stack.onPresent = { presented.add("presented") }
        let page = try await fixture.routing().page(for: "app://shop/7?from=tab", userInfo: ["extra": 1])
        #expect(page.title == "page-item")
        #expect(page.content == [.text("extra"), .text("from"), .text("item")])
        #expect(fixture.stack.pages.isEmpty && presented.all.isEmpty)
    }

    @Test(
        "An address without a page fails with an error for its kind, and its handler does not run",
        arguments: ["app://shop/buy", "app://shop/price/7"], [false, true])
    func otherKind(address: String, isOffered: Bool) async throws {
        let (fixture, asked) = (fixture(offered: isOffered), Notes())
        try fixture.router.intercept(.everything, by: Interceptor("note", allowing: { asked.add("\($0.uri)") }))
        #expect(await errorCode { try await fixture.routing().page(for: address) } == .routeKind)
        #expect(asked.all.isEmpty && fixture.shelf.loaded.isEmpty)
    }

    @Test("A bundle that returns an object for a page route fails with an error for its kind")
    func noPage() async throws {
        let error = await failure { _ = try await self.fixture().routing().page(for: "app://shop/not/a/page") }
        #expect((error as? AtriumError)?.code == .routeKind)
    }

    @Test("A redirect of a request for a page leads to a page, too")
    func redirected() async throws {
        let fixture = fixture()
        let traffic = Interceptor("traffic") { request in
            switch request.captures["item"] {
            case "moved": .redirect(try ResourceURI("app://shop"))
            case "sold": .redirect(try ResourceURI("app://shop/buy"))
            default: .allow
            }
        }
        try fixture.router.intercept(.everything, by: traffic)
        #expect(try await fixture.routing().page(for: "app://shop/moved").title == "page-home")
        #expect(await errorCode { try await fixture.routing().page(for: "app://shop/sold") } == .routeKind)
        #expect(fixture.stack.pages.isEmpty)
    }

    @Test("An address without a route has the page of its fallback")
    func fallback() async throws {
        let fixture = fixture()
        try fixture.router.fallback(.scheme("app"), to: .address(ResourceURI("app://shop/help")))
        try fixture.router.fallback(.everything, to: .handler { _ in .object("no page") })
        let page = try await fixture.routing().page(for: "app://nowhere")
        #expect(page.content == [.text("item"), .text("url")])
        let error = await refusal { try await fixture.routing().page(for: "web://nowhere") }
        #expect(error?.code == .routeUnknown && error?.problems.count == 1)
    }

    @Test("A page belongs to the lease of its bundle while it is alive")
    func lease() async throws {
        let fixture = fixture()
        var page: (any Page)? = try await fixture.routing().page(for: "app://shop")
        let owner = try await fixture.shelf.loaded("shop").lease
        #expect(page.map(owner.pages.contains) == true && owner.pages.count == 1)
        page = nil
        #expect(owner.pages.isEmpty)
    }
}
