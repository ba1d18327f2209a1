import PluginCore
import PluginRouter
import Testing

@Suite("Router", .tags(.small))
@MainActor
struct RouterTests {
    private let shop = FakeBundle(
        identifier: "shop",
        routes: [
            .route("shop/:page", .page, "page-any"),
            .route("shop/cart", .page, "page-cart"),
            .route("shop/price/:id", .object, "price"),
            .route("shop/buy/:id", .handler, "buy"),
        ]
    )
    private let account = FakeBundle(
        identifier: "account",
        routes: [.route("account/:name", .handler, "account")], targets: ["Account"]
    )

    @Test(
        "A handler gets the segments of a double-star wildcard, and the fragment's query if its pattern has a fragment")
    func restAndFragment() async throws {
        let routing = RouterFixture(installed: []).routing()
        let tell: RouteHandler = { request in
            let query = request.uri.parameters.items.map { "\($0.name)=\($0.value)" }
            return .object([request.name, "\(request.captures)", "\(request.rest)", "\(query)"])
        }
        try await routing.register("files(/:drive<int>)/**path", kind: .object, handler: tell)
        try await routing.register("doc#/page/:n", kind: .object, handler: tell)
        try await routing.register("doc", kind: .object, handler: tell)
        func told(_ text: String) async throws -> [String] { try await routing.object(for: text, as: [String].self) }
        #expect(
            try await told("files/7/a%2Fb/c") == [
                "files(/:drive<int>)/**path", "[\"drive\": \"7\"]", "[\"a/b\", \"c\"]", "[]",
            ])
        #expect(try await told("app://files")[2] == "[]")
        #expect(
            try await told("doc?a=1#/page/2?a=3") == ["doc#/page/:n", "[\"n\": \"2\"]", "[]", "[\"a=1\", \"a=3\"]"])
        #expect(try await told("doc?a=1#top?a=3") == ["doc", "[:]", "[]", "[\"a=1\"]"])
    }

    @Test("Unregistering a pattern with optional groups removes all of its expansions")
    func unregisterGroups() async throws {
        let routing = RouterFixture(installed: []).routing()
        try await routing.register("a(/:x)(/b/c)", kind: .object) { _ in .object(1) }
        await #expect(throws: AtriumError.self) {
            try await routing.register("a/b/c", kind: .object) { _ in .object(2) }
        }
        routing.unregister("a/:y")
        #expect(try await routing.object(for: "a/7/b/c", as: Int.self) == 1)
        routing.unregister("a(/:y)(/b/c)")
        try await routing.register("a/b/c", kind: .object) { _ in .object(2) }
        #expect(try await routing.object(for: "a/b/c", as: Int.self) == 2)
    }

    @Test("An address of another kind installs nothing and fails with an error for the kind")
    func kindsOnDemand() async throws {
        let fixture = RouterFixture(installed: [], offered: [shop])
        #expect(await fixture.routing().canOpen(try ResourceURI("app://shop/price/7")))
        #expect(await errorCode { try await fixture.routing().open("app://shop/price/7") } == .routeKind)
        #expect(
            await errorCode { try await fixture.routing().object(for: "app://shop/cart", as: Int.self) } == .routeKind)
        #expect(fixture.shelf.installed == [])
        #expect(try await fixture.routing().object(for: "app://shop/price/7", as: [String: String].self) == ["id": "7"])
    }

    @Test("The suggestion for an unknown address contains the user's own values")
    func nearest() async throws {
        let routing = RouterFixture(installed: [shop]).routing()
        let error = await refusal { try await routing.open("app://shp/buy/42?x=1") }
        #expect(error?.code == .routeUnknown && error?.subject == "app://shp/buy/42?x=1")
        #expect(error?.nearest.first == "app://shop/buy/42")
    }

    @Test(
        "The error for an unknown address that begins like those of its caller says so", arguments: ["shop", "account"])
    func ownBeginning(caller: String) async throws {
        let routing = RouterFixture(installed: [shop, account]).routing(as: caller)
        let error = await refusal { try await routing.open("app://shop/of/stats") }
        #expect(error?.code == .routeUnknown)
        #expect(error?.reason?.description == (caller == "shop" ? "prefixIsCallers(bundle: shop)" : nil))
    }

    @Test(
        "A second route for the same addresses is rejected with both owners",
        arguments: ["shop/:x", "code/:y"])
    func conflict(pattern: String) async throws {
        let fixture = RouterFixture(installed: [shop])
        try await fixture.routing(as: "one").register("code/:x", kind: .page) { _ in .object(1) }
        let error = await refusal {
            try await fixture.routing(as: "two").register(pattern, kind: .page) { _ in .object(2) }
        }
        #expect(error?.code == .routeConflict && error?.reason?.description.contains("two") == true)
        #expect(error?.reason?.description.contains(pattern.hasPrefix("shop") ? "shop" : "one") == true)
    }
}
