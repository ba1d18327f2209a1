import PluginCore
import PluginRouter
import Testing

@Suite("The caller of a request", .tags(.small))
@MainActor
struct OriginTests {
    private let fixture = RouterFixture(installed: [OriginTests.teller])

    /// A bundle whose routes return the caller.
    private static let teller = FakeBundle(
        identifier: "teller",
        routes: Exposure.allCases.flatMap { exposure -> [RouteDeclaration] in
            [
                .route("\(exposure.rawValue)/who", .object, "who", exposure: exposure),
                .route("\(exposure.rawValue)/open", .handler, "who", exposure: exposure),
            ]
        },
        serve: { .object($0.origin.description) }
    )

    @Test("The caller is the bundle whose router is used, whatever parameters plugin code passes")
    func stamped() async throws {
        let shop = fixture.routing(as: "shop")
        let claims: ActionParameters = ["origin": "host", "owner": "teller"]
        let told = try await shop.object(for: "app://plugins/who?origin=host", userInfo: claims, as: String.self)
        #expect(told == "plugin shop")
        let outcome = try await shop.open("app://plugins/open?origin=host", userInfo: claims)
        #expect(outcome.value as? String == "plugin shop")
    }

    @Test("The actions of a page described by data act for the bundle of the page")
    func layoutPage() async throws {
        let notes = Notes()
        let fixture = RouterFixture(installed: [
            FakeBundle(identifier: "pages", routes: [.route("pages/one", .page, "one", layout: "Main/one")]),
            FakeBundle(
                identifier: "teller", routes: [.route("who", .handler)],
                serve: { request in
                    notes.add(request.origin.description)
                    return .object(())
                }),
        ])
        try await fixture.routing(as: "shop").open("app://pages/one")
        let page = try #require(fixture.stack.pages.last)
        try await page.perform("go", input: [:], on: fixture.stack)
        #expect(notes.all == ["plugin pages"])
    }

    @Test(
        "A route handles requests of the callers to which it is exposed, and no others",
        arguments: [
            (RequestOrigin.host, [true, true, true]), (.plugin("teller"), [true, true, true]),
            (.extension("teller"), [true, true, true]), (.plugin("shop"), [false, true, true]),
            (.extension("shop"), [false, true, true]), (.external, [false, false, true]),
        ])
    func exposure(origin: RequestOrigin, isAdmitted: [Bool]) async throws {
        let routing = fixture.router.routing(for: origin)
        for (exposure, isAdmitted) in zip(Exposure.allCases, isAdmitted) {
            let address = "app://\(exposure.rawValue)/open"
            #expect(await routing.canOpen(try ResourceURI(address)) == isAdmitted)
            var told: String?
            let opened = await refusal { try await routing.open(address) }
            let asked = await refusal {
                told = try await routing.object(for: "app://\(exposure.rawValue)/who", as: String.self)
            }
            #expect(told == (isAdmitted ? origin.description : nil))
            for error in [opened, asked] {
                #expect(error?.code == (isAdmitted ? nil : .exposureDenied))
                #expect(error?.reason?.description.contains("exposure: \(exposure.rawValue)") != false)
                #expect(error?.reason?.description.contains(origin.description) != false)
            }
        }
    }

    @Test("A revoked lease can still open addresses, and a closed one can open and register nothing")
    func revoked() async throws {
        let lease = Lease(owner: "shop")
        let routing = fixture.router.leased(to: lease)
        #expect(await routing.canOpen(try ResourceURI("app://plugins/open")))
        fixture.registrationStore.revoke(lease)
        #expect(await routing.canOpen(try ResourceURI("app://plugins/open")))
        try await routing.open("app://plugins/open")
        lease.close()
        #expect(await !routing.canOpen(try ResourceURI("app://plugins/open")))
        let errors = [
            await failure { try await routing.open("app://plugins/open") },
            await failure { _ = try await routing.object(for: "app://plugins/who", as: String.self) },
            await failure { _ = try await routing.page(for: "app://plugins/open") },
            await failure { try await routing.register("x", kind: .object) { _ in .object(1) } },
            await failure { try await routing.intercept(nil, by: Interceptor("x") { _ in .allow }) },
        ]
        #expect(errors.map { ($0 as? AtriumError)?.code } == Array(repeating: .bundleUnavailable, count: 5))
    }

    @Test(
        "A caller without a lease can register nothing",
        arguments: [RequestOrigin.external, .extension("shop"), .plugin("shop")])
    func noLease(origin: RequestOrigin) async {
        let routing = RouterFixture(installed: []).router.routing(for: origin)
        let errors = [
            await failure { try await routing.register("x", kind: .object) { _ in .object(1) } },
            await failure { try await routing.intercept(nil, by: Interceptor("x") { _ in .allow }) },
        ]
        #expect(errors.map { ($0 as? AtriumError)?.code } == [.bundleUnavailable, .bundleUnavailable])
    }

    @Test("External requests must not exceed the limits, whichever route handles them")
    func size() async throws {
        var limits = RouterLimits.standard
        (limits.externalAddressBytes, limits.externalParameters, limits.externalValueBytes) = (100, 3, 20)
        let teller = FakeBundle(identifier: "teller", routes: [.route("**", .handler, "x", exposure: .external)])
        let fixture = RouterFixture(installed: [teller], limits: limits)
        let outside = fixture.router.routing(for: .external)
        let value = String(repeating: "v", count: 20)
        let path = "app://" + String(repeating: "p", count: 94)
        for fitting in [path, "app://a?x=\(value)", "app://a?\(value)=x", "app://a?a&b&c", "app://a?a&b#f?c"] {
            try await outside.open(fitting)
            #expect(await outside.canOpen(try ResourceURI(fitting)))
        }
        for large in [path + "p", "app://a?x=\(value)v", "app://a?v\(value)=x", "app://a?a&b&c&d", "app://a?a&b#f?c&d"]
        {
            #expect(await errorCode { try await outside.open(large) } == .requestTooLarge, "\(large)")
            #expect(await !outside.canOpen(try ResourceURI(large)))
            #expect(await errorCode { try await outside.object(for: large, as: Int.self) } == .requestTooLarge)
            #expect(await errorCode { try await outside.page(for: large) } == .requestTooLarge)
            try await fixture.routing().open(large)
        }
        try await outside.open("app://a", userInfo: ["a": 1, "b": value])
        for large in [["x": value + "v"], ["a": 1, "b": 2, "c": 3, "d": 4]] as [[String: any Sendable]] {
            let beside = ActionParameters(large)
            let error = await refusal { try await outside.open("app://a", userInfo: beside) }
            #expect(error?.code == .requestTooLarge, "\(large)")
            try await fixture.routing().open("app://a", userInfo: beside)
        }
    }
}
