import PluginCore
import PluginRouter
import Testing

@Suite("Fallbacks", .tags(.small))
@MainActor
struct FallbackTests {
    private let fixture = RouterFixture(installed: [FallbackTests.home])

    private static let home = FakeBundle(
        identifier: "home",
        routes: [
            .route("home/lost", .handler, "lost"),
            .route("home/price", .object, "price"),
            .route("home/open", .handler, "open", exposure: .external),
            .route("home/fails", .handler, "fails"),
        ],
        serve: { request in
            if request.name == "fails" { throw AtriumError(.inputOutput, "disk") }
            return .object("\(request.name) \(request.uri.parameters["url"] ?? "") \(request.userInfo.names)")
        }
    )

    private func handled(_ address: String, _ routing: any Routing) async throws -> String? {
        try await routing.open(address, userInfo: ["extra": 1]).value as? String
    }

    @Test("Fallbacks are tried from the most specific pattern over the scheme to the general one")
    func order() async throws {
        let fixture = RouterFixture(installed: [])
        func answer(_ text: String) -> FallbackAction { .handler { .object("\(text) \($0.captures)") } }
        try fixture.router.fallback(.everything, to: answer("all"))
        #expect(try await handled("app://shop/item/1", fixture.router) == "all [:]")
        try fixture.router.fallback(.scheme("App"), to: answer("scheme"))
        #expect(try await handled("app://shop/item/1", fixture.router) == "scheme [:]")
        try fixture.router.fallback(.pattern("shop/**"), to: answer("shop"))
        try fixture.router.fallback(.pattern("shop/item/:id"), to: answer("item"))
        #expect(try await handled("app://shop/item/1", fixture.router) == "item [\"id\": \"1\"]")
        #expect(try await handled("app://shop/cart", fixture.router) == "shop [:]")
        #expect(try await handled("web://cart", fixture.router) == "all [:]")
    }

    @Test("A fallback address gets the original address as url, with the same user info and caller")
    func address() async throws {
        try fixture.router.fallback(.everything, to: .address(try ResourceURI("app://home/lost?from=x")))
        #expect(try await handled("app://shop/1?a=b", fixture.routing()) == "lost app://shop/1?a=b [\"extra\"]")
        #expect(
            await errorCode { try await fixture.router.routing(for: .external).open("app://shop/1") } == .routeUnknown)
        try fixture.router.fallback(.everything, to: .address(try ResourceURI("app://home/open")))
        #expect(
            try await handled("app://shop/1", fixture.router.routing(for: .external)) == "open app://shop/1 [\"extra\"]"
        )
    }

    @Test("If a fallback fails, the next one is tried, and finally the caller gets the original error")
    func failing() async throws {
        try fixture.router.fallback(.scheme("app"), to: .address(try ResourceURI("app://nowhere")))
        try fixture.router.fallback(.everything, to: .address(try ResourceURI("app://home/fails")))
        let error = await refusal { try await fixture.router.open("app://shop/1") }
        #expect(error?.code == .routeUnknown && error?.subject == "app://shop/1" && error?.problems.count == 2)
        #expect(error?.problems.first?.description.contains("code: routeUnknown, subject: app://nowhere") == true)
        #expect(error?.problems.last?.description.contains("code: inputOutput, subject: disk") == true)
        try fixture.router.fallback(.everything, to: .handler { _ in .object("saved") })
        #expect(try await handled("app://shop/1", fixture.router) == "saved")
    }

    @Test("A fallback does not apply to an existing route of another kind, a hidden route, or a failure")
    func notTried() async throws {
        try fixture.router.fallback(.everything, to: .handler { _ in .object("fallback") })
        let errors = [
            await failure { try await fixture.router.open("app://home/price") },
            await failure { try await fixture.router.routing(for: .external).open("app://home/lost") },
            await failure { try await fixture.router.open("app://home/fails") },
        ]
        #expect(errors.map { ($0 as? AtriumError)?.code } == [.routeKind, .exposureDenied, .inputOutput])
        #expect(await errorCode { try await fixture.router.object(for: "app://shop", as: Int.self) } == .routeUnknown)
    }

    @Test("The error for an address that a redirect led to names that address, its fallback and the nearest address")
    func redirected() async throws {
        let target = try ResourceURI("app://home/lots")
        try fixture.router.intercept(.route("home/open"), by: Interceptor("on") { _ in .redirect(target) })
        try fixture.router.fallback(.everything, to: .address(try ResourceURI("app://home/gone")))
        let error = await refusal { try await fixture.router.open("app://home/open") }
        #expect(error?.subject == "app://home/lots" && error?.nearest.first == "app://home/lost")
        #expect(error?.problems.count == 1)
        try fixture.router.fallback(.everything, to: .address(try ResourceURI("app://home/lost")))
        try await fixture.router.open("app://home/open")
    }
}
