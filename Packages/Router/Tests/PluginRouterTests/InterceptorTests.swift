import PluginCore
import PluginRouter
import Testing

@Suite("Interceptors", .tags(.small))
@MainActor
struct InterceptorTests {
    private let fixture = RouterFixture(installed: [InterceptorTests.shop()])

    private static func shop(guards: [String] = []) -> FakeBundle {
        FakeBundle(
            identifier: "shop",
            routes: [
                .route("shop/item/:id", .handler, "item", guards: guards),
                .route("shop/price/:id", .object, "price", guards: guards),
                .route("shop/page", .page, "page-shop"),
                .route("sign-in", .handler),
                .route("hidden", .handler, exposure: .internal),
            ],
            serve: { request in
                if request.name == "page-shop" { return .page(await TitledPage(title: "shop")) }
                return .object(
                    "\(request.name) \(request.uri) \(request.captures) \(request.userInfo.names) \(request.origin)")
            }
        )
    }

    @Test(
        "Interceptors are asked from the widest scope to the narrowest, by priority and registration, then guards")
    func order() async throws {
        let notes = Notes()
        func noting(_ name: String) -> Interceptor {
            Interceptor(name, allowing: { _ in notes.add(name) })
        }
        let account = FakeBundle.account("check") { _ in
            notes.add("guard")
            return true
        }
        let fixture = RouterFixture(installed: [Self.shop(guards: ["Account.check"]), account])
        let router = fixture.router
        try router.intercept(.route("shop/item/:name"), by: noting("route"))
        try await fixture.routing(as: "shop").intercept("shop/item/:x", by: noting("own route"))
        try router.intercept(.bundle("shop"), by: noting("bundle"))
        try await fixture.routing(as: "shop").intercept(nil, by: noting("own"))
        try router.intercept(.scheme("APP"), by: noting("scheme"))
        try router.intercept(.everything, by: noting("all"))
        try router.intercept(.everything, by: noting("all too"))
        try router.intercept(.everything, priority: 1, by: noting("all first"))
        for other in [InterceptorScope.scheme("web"), .bundle("account"), .route("shop/page"), .route("shop/:x/:y")] {
            try router.intercept(other, by: noting("never"))
        }
        try await fixture.routing(as: "account").intercept(nil, by: noting("never"))
        try await fixture.routing(as: "account").intercept("shop/item/:id", by: noting("never"))
        try await router.open("app://shop/item/1")
        let all = ["all first", "all", "all too", "scheme", "bundle", "own", "route", "own route", "guard"]
        #expect(notes.all == all)
        _ = try await router.object(for: "app://shop/price/1", as: String.self)
        #expect(notes.all.dropFirst(all.count) == ["all first", "all", "all too", "scheme", "bundle", "own", "guard"])
    }

    @Test("An interceptor that denies ends the request with its reason before anything is loaded")
    func deny() async throws {
        try fixture.router.intercept(.everything, by: Interceptor("no") { _ in .deny("it is night") })
        for error in [
            await refusal { try await fixture.router.open("app://shop/item/1") },
            await refusal { try await fixture.router.object(for: "app://shop/price/1", as: String.self) },
        ] {
            #expect(error?.code == .routeDenied && error?.reason == .verbatim("it is night"))
        }
        #expect(fixture.shelf.loaded.isEmpty)
        #expect(await fixture.router.canOpen(try ResourceURI("app://shop/item/1")))
    }

    @Test("A redirect opens the other address with the same caller, user info and presentation")
    func redirect() async throws {
        let target = try ResourceURI("app://sign-in?then=x")
        try fixture.router.intercept(.route("shop/item/:id"), by: Interceptor("in") { _ in .redirect(target) })
        let outcome = try await fixture.routing(as: "cart").open("app://shop/item/1", userInfo: ["extra": 1])
        #expect(outcome.value as? String == "sign-in app://sign-in?then=x [:] [\"extra\"] plugin cart")
        let page = try ResourceURI("app://shop/page")
        try fixture.router.intercept(.route("sign-in"), by: Interceptor("page") { _ in .redirect(page) })
        let presented = try await fixture.router.open("app://shop/item/1", presentation: .modal)
        let isDismissed = if case .dismissed = presented { true } else { false }
        #expect(isDismissed)
        let hidden = try ResourceURI("app://hidden")
        try fixture.router.intercept(.route("shop/page"), by: Interceptor("hidden") { _ in .redirect(hidden) })
        let error = await refusal { try await fixture.routing(as: "cart").open("app://shop/page") }
        #expect(error?.code == .exposureDenied && error?.subject == "app://hidden")
    }

    @Test("A suspended request continues unchanged if the condition holds, and is denied otherwise")
    func suspend() async throws {
        let (gate, fixture) = (Latch(), RouterFixture(installed: [Self.shop()]))
        try fixture.router.intercept(
            .everything,
            by: Interceptor("wait") { request in
                .suspend(reason: "nobody is signed in") {
                    await gate.passed()
                    return request.captures["id"] != "2"
                }
            })
        let routing = fixture.routing(as: "cart")
        let waiting = Task {
            try await routing.open("app://shop/item/4%2F2?from=demo#top", userInfo: ["extra": 1])
        }
        let denied = Task { await refusal { try await routing.open("app://shop/item/2") } }
        #expect(fixture.shelf.loaded.isEmpty)
        gate.open()
        #expect(
            try await waiting.value.value as? String
                == "item app://shop/item/4%2F2?from=demo#top [\"id\": \"4/2\"] [\"extra\"] plugin cart")
        let error = await denied.value
        #expect(error?.code == .routeDenied && error?.reason == .verbatim("nobody is signed in"))
    }

    @Test("Interceptors of a bundle are removed when its lease is revoked")
    func lease() async throws {
        let lease = Lease(owner: "shop")
        try await fixture.router.leased(to: lease).intercept(nil, by: Interceptor("no") { _ in .deny("no") })
        #expect(await failure { try await fixture.router.open("app://shop/item/1") } != nil)
        fixture.registrationStore.revoke(lease)
        try await fixture.router.open("app://shop/item/1")
    }

    @Test("Guards get the captures and the address, and answer with a Bool or an Interception")
    func guards() async throws {
        let notes = Notes()
        let target = try ResourceURI("app://sign-in")
        let answers: [(any Sendable, AtriumError.Code?)] = [
            (true, nil), (Interception.allow, nil), (false, .routeDenied), (Interception.deny("no"), .routeDenied),
            (Interception.redirect(target), nil), (Interception.suspend(reason: "no") { false }, .routeDenied),
            ("yes", .resultType), (1, .resultType),
        ]
        for (answer, code) in answers {
            let account = FakeBundle.account("check") { parameters in
                notes.add("\(try parameters.require("uri", as: String.self)) \(parameters.values["id"] ?? "")")
                return answer
            }
            let fixture = RouterFixture(installed: [Self.shop(guards: ["Account.check"]), account])
            #expect(await errorCode { try await fixture.router.open("app://shop/item/1?id=2") } == code)
            // A guard is asked before the bundle is loaded.
            #expect(fixture.shelf.loaded == (code == nil ? ["account", "shop"] : ["account"]))
        }
        #expect(Set(notes.all) == ["app://shop/item/1?id=2 1"])
    }

    @Test("An error of an interceptor ends the request")
    func throwing() async throws {
        try fixture.router.intercept(.everything, by: Interceptor("x") { _ in throw AtriumError(.inputOutput, "disk") })
        #expect(await errorCode { try await fixture.router.open("app://shop/item/1") } == .inputOutput)
    }
}
