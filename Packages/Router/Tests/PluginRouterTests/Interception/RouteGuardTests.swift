import PluginCore
import PluginRouter
import Testing

@Suite("Guards of the host", .tags(.small))
@MainActor
struct RouteGuardTests {
    private static let shop = FakeBundle(
        identifier: "shop",
        routes: [.route("shop/:id", .handler, "item"), .route("sign-in", .handler)],
        serve: { .object($0.name) }
    )

    /// A router that is set after the bundles were created.
    private typealias Later = Slot<any Routing>

    /// Returns a fixture with a guard for everything.
    private static func guarded(by check: @escaping Action.Body) throws -> RouterFixture {
        let fixture = RouterFixture(shop, .account("check", check))
        try fixture.router.intercept(.everything, by: RouteGuard("Account.check", fixture.mediator))
        return fixture
    }

    /// Returns an action that opens the sign-in page of its own bundle.
    private static func signingIn(_ notes: Notes, _ routing: Later) -> Action.Body {
        { _ in
            notes.add("asked")
            try await routing.value?.open("app://sign-in")
            return true
        }
    }

    private static func guarded(_ notes: Notes) throws -> RouterFixture {
        let routing = Later()
        let fixture = try guarded(by: signingIn(notes, routing))
        routing.value = fixture.routing(as: "account")
        return fixture
    }

    @Test(
        "The address that a guard's action opens while it is asked is not guarded, and neither is it when requested itself",
        arguments: [("app://shop/1", "item"), ("app://sign-in", "sign-in")])
    func exempt(address: String, served: String) async throws {
        let notes = Notes()
        #expect(try await Self.guarded(notes).router.open(address).value as? String == served)
        #expect(notes.all == ["asked"])
    }

    @Test("A guard is not asked about addresses that its action opens when it is called directly")
    func called() async throws {
        let notes = Notes()
        #expect(try await Self.guarded(notes).mediator.perform("check", on: "Account") as? Bool == true)
        #expect(notes.all == ["asked"])

        let (opened, routing) = (Notes(), Later())
        let late = RouterFixture(Self.shop, .account("check", Self.signingIn(opened, routing)))
        routing.value = late.routing(as: "account")
        try await late.mediator.perform("check", on: "Account")
        try late.router.intercept(.everything, by: RouteGuard("Account.check", late.mediator))
        try await late.mediator.perform("check", on: "Account")
        #expect(opened.all == ["asked", "asked"])
    }

    @Test("A guard that answers false denies the request, whatever it has opened before")
    func no() async throws {
        let routing = Later()
        let fixture = try Self.guarded { parameters in
            let uri = try parameters.require("uri", as: String.self)
            _ = try? await routing.value?.open(uri)
            return try await routing.value?.canOpen(ResourceURI(uri)) == true
        }
        routing.value = fixture.routing(as: "account")
        #expect(await errorCode { try await fixture.router.open("app://shop/1") } == .routeDenied)
    }

    @Test("Requests and errors of other bundles while a guard is asked do not make it allow the address")
    func strangers() async throws {
        let stranger = Later()
        let requests: [@Sendable (any Routing) async throws -> Void] = [
            { _ = try await $0.open("app://shop/1") },
            { _ = try await $0.object(for: ResourceURI("app://shop/1"), userInfo: [:]) },
            { _ in throw AtriumError(.routeCycle, "app://shop/1") },
        ]
        for (request, owner) in zip(requests, ["stranger", "account", "stranger"]) {
            let fixture = try Self.guarded { _ in
                // For example, the action calls a closure that it got from another bundle.
                if let routing = stranger.value { try await request(routing) }
                return true
            }
            stranger.value = fixture.routing(as: owner)
            #expect(await errorCode { try await fixture.router.open("app://shop/1") } == .routeCycle)
        }
    }

    @Test("A guard with a malformed name denies every request")
    func malformed() async throws {
        let fixture = RouterFixture(installed: [Self.shop])
        try fixture.router.intercept(.everything, by: RouteGuard("check", fixture.mediator))
        #expect(await errorCode { try await fixture.router.open("app://shop/1") } == .routeDenied)
    }
}
