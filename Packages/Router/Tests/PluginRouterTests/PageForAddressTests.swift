import PluginCore
import PluginRouter
import Testing

@Suite("Pages of addresses", .tags(.small))
@MainActor
struct PageForAddressTests {
    private static let shop = FakeBundle(
        identifier: "shop",
        routes: [
            RouteDeclaration(pattern: "shop", kind: .page, name: "page-home", exposure: .external),
            RouteDeclaration(pattern: "shop/:item", kind: .page, name: "page-item"),
            RouteDeclaration(pattern: "shop/staff", kind: .page, name: "page-staff", exposure: .internal),
            RouteDeclaration(pattern: "shop/buy", kind: .handler, name: "buy"),
            RouteDeclaration(pattern: "shop/choosy", kind: .handler, name: "choosy", mayDecline: true),
            RouteDeclaration(pattern: "shop/price/:id", kind: .object, name: "price"),
            RouteDeclaration(pattern: "shop/not/a/page", kind: .page, name: "value"),
        ], accepts: { _ in false })

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

    @Test("The page of a contract is that of its address")
    func contract() async throws {
        let item = RouteContract<String, NoValue>("shop/:item", .page)
        let page = try await fixture().routing().page(for: item, "7")
        #expect(page.title == "page-item" && page.content == [.text("item")])
    }

    @Test("The page of an address in the catalog installs its bundle")
    func onDemand() async throws {
        let fixture = fixture(offered: true)
        #expect(try await fixture.routing().page(for: "app://shop").title == "page-home")
        #expect(fixture.shelf.installed == ["shop"] && fixture.stack.pages.isEmpty)
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

    @Test("A handler that declines leaves an address to its page")
    func declines() async throws {
        #expect(try await fixture().routing().page(for: "app://shop/choosy").title == "page-item")
    }

    @Test("A bundle that returns an object for a page route fails with an error for its kind")
    func noPage() async throws {
        let error = await failure { _ = try await self.fixture().routing().page(for: "app://shop/not/a/page") }
        #expect((error as? AtriumError)?.code == .routeKind)
    }

    @Test(
        "Exposure decides about the page of an address as it does about opening it",
        arguments: [
            ("app://shop", RequestOrigin.external, nil), ("app://shop/7", .external, .exposureDenied),
            ("app://shop/staff", .plugin("shop"), nil), ("app://shop/staff", .host, nil),
            ("app://nowhere", .host, .routeUnknown),
        ] as [(String, RequestOrigin, AtriumError.Code?)])
    func exposure(address: String, origin: RequestOrigin, code: AtriumError.Code?) async throws {
        let routing = fixture().router.routing(for: origin)
        let opened = await failure { _ = try await routing.open(address) } as? AtriumError
        let asked = await failure { _ = try await routing.page(for: address) } as? AtriumError
        #expect(opened?.code == code && asked?.code == code)
    }

    @Test("A large address of an external link is refused before its page is looked for")
    func large() async throws {
        let routing = fixture().router.routing(for: .external)
        let long = "app://shop?a=" + String(repeating: "x", count: 4000)
        #expect(await errorCode { try await routing.page(for: long) } == .requestTooLarge)
    }

    @Test("Interceptors deny, redirect and suspend a request for a page")
    func interceptors() async throws {
        let (fixture, waited) = (fixture(), Notes())
        try fixture.router.intercept(
            .everything,
            by: Interceptor("traffic") { request in
                switch request.captures["item"] {
                case "denied": .deny("it is closed")
                case "moved": .redirect(try ResourceURI("app://shop"))
                case "sold": .redirect(try ResourceURI("app://shop/buy"))
                case "late":
                    .suspend(reason: "it is early") {
                        waited.add("waited")
                        return true
                    }
                default: .allow
                }
            })
        let routing = fixture.routing()
        #expect(await errorCode { try await routing.page(for: "app://shop/denied") } == .routeDenied)
        #expect(try await routing.page(for: "app://shop/moved").title == "page-home")
        #expect(await errorCode { try await routing.page(for: "app://shop/sold") } == .routeKind)
        #expect(try await routing.page(for: "app://shop/late").title == "page-item")
        #expect(waited.all == ["waited"])
        #expect(fixture.stack.pages.isEmpty)
    }

    @Test("An address without a route has the page of its fallback")
    func fallback() async throws {
        let fixture = fixture()
        try fixture.router.fallback(.scheme("app"), to: .address(ResourceURI("app://shop/help")))
        try fixture.router.fallback(.everything, to: .handler { _ in .object("no page") })
        let page = try await fixture.routing().page(for: "app://nowhere")
        #expect(page.content == [.text("item"), .text("url")])
        let error = await failure { _ = try await fixture.routing().page(for: "web://nowhere") } as? AtriumError
        #expect(error?.code == .routeUnknown && error?.problems.count == 1)
    }

    @Test("A page that asks for its own address fails with a cycle")
    func cycle() async throws {
        let fixture = RouterFixture(installed: [])
        let routing = fixture.routing()
        try await routing.register("loop", kind: .page) { _ in .page(try await routing.page(for: "app://loop")) }
        #expect(await errorCode { try await routing.page(for: "app://loop") } == .routeCycle)
    }

    @Test("A page belongs to the lease of its bundle while it is alive, and a closed lease gets no page")
    func lease() async throws {
        let fixture = fixture()
        let caller = Lease(owner: "caller")
        let routing = fixture.router.leased(to: caller)
        var page: (any Page)? = try await routing.page(for: "app://shop")
        let owner = try await fixture.shelf.loaded("shop").lease
        #expect(page.map(owner.pages.contains) == true && owner.pages.count == 1)
        page = nil
        #expect(owner.pages.isEmpty)
        caller.close()
        #expect(await errorCode { try await routing.page(for: "app://shop") } == .bundleUnavailable)
    }
}
