import PluginCore
import PluginRouter
import Synchronization
import Testing

@Suite("A guard that the host puts before routes")
@MainActor
struct RouteGuardTests {
    private static let shop = FakeBundle(
        identifier: "shop",
        routes: [
            RouteDeclaration(pattern: "shop/:id", kind: .handler, name: "item"),
            RouteDeclaration(pattern: "sign-in", kind: .handler, name: "sign-in"),
        ],
        serve: { .object($0.name) }
    )

    /// A router that is there once the bundles are.
    private final class Later: Sendable {
        private let held = Mutex<Router?>(nil)
        var router: Router? {
            get { held.withLock { $0 } }
            set { held.withLock { $0 = newValue } }
        }
    }

    /// A bundle whose action `Account.check` does this.
    private static func account(_ check: @escaping Action.Body) -> FakeBundle {
        var account = FakeBundle(identifier: "account", targets: ["Account"])
        account.actions = [Action("check", check)]
        return account
    }

    @Test("answers true, false or an interception, as a manifest's guard does")
    func answers() async throws {
        for (answer, served) in [
            (true, "item"), (Interception.allow, "item"), (false, nil),
            (Interception.redirect(try ResourceURI("app://sign-in")), "sign-in"), (7, nil),
        ] as [(any Sendable, String?)] {
            let house = House(installed: [Self.shop, Self.account { _ in answer }])
            try house.router.intercept(.route("shop/:x"), by: RouteGuard("Account.check", house.mediator))
            let outcome = try? await house.router.open("app://shop/1")
            guard case .handled(let value)? = outcome else {
                #expect(served == nil, "\(answer)")
                continue
            }
            #expect(value as? String == served, "\(answer)")
        }
    }

    @Test("gets the address and its captures")
    func parameters() async throws {
        let notes = Notes()
        let house = House(installed: [
            Self.shop,
            Self.account { parameters in
                let uri = try parameters.require("uri", as: String.self)
                notes.add("\(uri) \(try parameters.require("id", as: String.self))")
                return true
            },
        ])
        try house.router.intercept(.everything, by: RouteGuard("Account.check", house.mediator))
        try await house.router.open("app://shop/42?x=y")
        #expect(notes.all == ["app://shop/42?x=y 42"])
    }

    @Test("stands before everything but what it opens itself while it is asked, as for signing in")
    func exempt() async throws {
        let notes = Notes()
        let later = Later()
        let house = House(installed: [
            Self.shop,
            Self.account { _ in
                notes.add("asked")
                try await later.router?.open("app://sign-in")
                return true
            },
        ])
        let router = house.router
        later.router = router
        try router.intercept(.everything, by: RouteGuard("Account.check", house.mediator))
        try await router.open("app://shop/1")
        #expect(notes.all == ["asked"])
        // What the guard itself needs can not wait for the guard.
        let error = await #expect(throws: AtriumError.self) { try await router.open("app://sign-in") }
        #expect(error?.code == .routeCycle)
    }

    @Test("that is no Target.action denies")
    func malformed() async throws {
        let house = House(installed: [Self.shop])
        try house.router.intercept(.everything, by: RouteGuard("check", house.mediator))
        let error = await #expect(throws: AtriumError.self) { try await house.router.open("app://shop/1") }
        #expect(error?.code == .routeDenied)
    }
}
