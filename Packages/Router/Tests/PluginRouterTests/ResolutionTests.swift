import PluginCore
import PluginRouter
import Testing

@Suite("Choosing the route for a request", .tags(.small))
@MainActor
struct ResolutionTests {
    private func bundle(_ identifier: String, _ routes: RouteDeclaration...) -> FakeBundle {
        FakeBundle(identifier: identifier, routes: routes, serve: { .object("\(identifier) \($0.name)") })
    }

    private func handled(_ address: String, by routing: any Routing) async throws -> String? {
        try await routing.open(address).value as? String
    }

    @Test("If a route declines, the next matching route is asked, also by canOpen")
    func declining() async throws {
        let asked = Notes()
        var picky = bundle("picky", .route("shop/:id", .handler, "one", mayDecline: true))
        picky.accepts = { request in
            asked.add(request.captures["id"] ?? "")
            return request.captures["id"] != "7"
        }
        let fixture = RouterFixture(picky, bundle("all", .route("shop/**", .handler, "rest")))
        #expect(try await handled("app://shop/6", by: fixture.router) == "picky one")
        #expect(try await handled("app://shop/7", by: fixture.router) == "all rest")
        #expect(await fixture.router.canOpen(try ResourceURI("app://shop/7")))
        #expect(asked.all == ["6", "7", "7"])
    }

    @Test("If all routes decline, the error names their owners")
    func allDecline() async throws {
        var (one, two) = (
            bundle("one", .route("shop/:id", .handler, "x", mayDecline: true)),
            bundle("two", .route("shop/*", .handler, "x", mayDecline: true))
        )
        one.accepts = { _ in false }
        two.accepts = { _ in false }
        let fixture = RouterFixture(installed: [one, two])
        let error = await refusal { try await fixture.router.open("app://shop/1") }
        #expect(error?.description == "routeUnknown: app://shop/1 (declined(bundles: [one, two]))")
        #expect(await !fixture.router.canOpen(try ResourceURI("app://shop/1")))
    }

    @Test(
        "The error for routes of another kind or exposure reveals no more than the caller may know",
        arguments: [
            ([(RouteKind.object, Exposure.external)], AtriumError.Code.routeKind),
            ([(.page, .plugins)], .exposureDenied),
            ([(.object, .plugins)], .exposureDenied), ([(.object, .external), (.page, .internal)], .exposureDenied),
            ([(.object, .external), (.object, .internal)], .routeKind), ([], .routeUnknown),
        ] as [([(RouteKind, Exposure)], AtriumError.Code)])
    func obstacles(routes: [(RouteKind, Exposure)], code: AtriumError.Code) async {
        let patterns = ["shop/:id", "shop/*"]
        let fixture = RouterFixture(installed: [
            FakeBundle(
                identifier: "shop",
                routes: zip(patterns, routes).map {
                    RouteDeclaration(pattern: $0, kind: $1.0, name: "x", exposure: $1.1)
                })
        ])
        #expect(await errorCode { try await fixture.router.routing(for: .external).open("app://shop/1") } == code)
    }

    @Test("A bundle of the catalog is installed only if it certainly handles the request for this caller")
    func installedOnDemand() async throws {
        let offered = bundle(
            "shop", .route("shop/maybe", .handler, "x", mayDecline: true),
            .route("shop/in", .handler, "in", exposure: .internal),
            .route("shop/out", .handler, "out", exposure: .external))
        let fixture = RouterFixture(installed: [], offered: [offered])
        let outside = fixture.router.routing(for: .external)
        for (address, code) in [
            ("app://shop/maybe", AtriumError.Code.routeUnknown), ("app://shop/in", .exposureDenied),
        ] {
            #expect(await !outside.canOpen(try ResourceURI(address)))
            #expect((await refusal { try await outside.open(address) })?.code == code)
            #expect(fixture.shelf.installed.isEmpty)
        }
        #expect(try await handled("app://shop/out", by: outside) == "shop out")
        #expect(fixture.shelf.installed == ["shop"])
    }

    @Test("A bundle of the catalog is installed if the installed routes decline")
    func suppliedAfterDecline() async throws {
        var picky = bundle("picky", .route("shop/:id", .handler, "x", mayDecline: true))
        picky.accepts = { _ in false }
        let fixture = RouterFixture(installed: [picky], offered: [bundle("shop", .route("shop/*", .handler, "any"))])
        #expect(await fixture.router.canOpen(try ResourceURI("app://shop/1")))
        #expect(try await handled("app://shop/1", by: fixture.router) == "shop any")
    }

    @Test("Converters of the host work for registered routes and for suggestions")
    func converters() async throws {
        var converters = RouteConverters.standard
        converters.register(RouteConverter("even", example: "2") { Int($0)?.isMultiple(of: 2) == true })
        let fixture = RouterFixture(installed: [], converters: converters)
        let routing = fixture.routing()
        try await routing.register("shop/:id<even>", kind: .object) { .object($0.captures["id"] ?? "") }
        try await routing.intercept("shop/:id<even>", by: Interceptor("x") { _ in .allow })
        #expect(try await routing.object(for: "shop/4", as: String.self) == "4")
        let error = await refusal { try await routing.object(for: "shop/3", as: String.self) }
        #expect(error?.nearest == ["shop/2"])
        routing.unregister("shop/:id<even>")
        #expect(await failure { _ = try await routing.object(for: "shop/4", as: String.self) } != nil)
    }
}
