import PluginCore
import PluginRouter
import Testing

@Suite("Suspended requests", .tags(.small))
@MainActor
struct SuspensionTests {
    private nonisolated static func shop(
        _ name: String, _ pattern: String = "shop/:id", guards: [String] = [], exposure: Exposure = .external
    ) -> FakeBundle {
        FakeBundle(
            identifier: "shop",
            routes: [.route(pattern, .handler, name, guards: guards, exposure: exposure)],
            serve: { .object("\($0.name) \($0.uri) \($0.captures) \($0.userInfo.names) \($0.origin)") })
    }

    /// Returns a bundle whose action records that it was asked and returns an answer.
    private nonisolated static func account(
        _ notes: Notes, _ answer: @escaping @Sendable () async throws -> any Sendable
    ) -> FakeBundle {
        .account("check") { _ in
            notes.add("check")
            return try await answer()
        }
    }

    /// Returns an interceptor that suspends a request and changes the fixture before the request continues.
    private nonisolated static func waiting(_ notes: Notes = Notes(), _ change: @escaping @Sendable () -> Void)
        -> Interceptor
    {
        Interceptor("wait") { _ in
            notes.add("wait")
            return .suspend(reason: "not yet") {
                change()
                return true
            }
        }
    }

    private func open(_ fixture: RouterFixture, as origin: RequestOrigin = .external) async throws -> String? {
        let outcome = try await fixture.router.routing(for: origin).open("app://shop/7?from=x", userInfo: ["extra": 1])
        return outcome.value as? String
    }

    @Test(
        "A suspended request continues unchanged with the version of its bundle that is installed by then",
        arguments: [
            (
                shop("new", "shop/:number"), false,
                "new app://shop/7?from=x [\"number\": \"7\"] [\"extra\"] external link", nil
            ),
            (shop("new", exposure: .internal), false, nil, .exposureDenied),
            (shop("new", guards: ["Account.check"]), false, nil, .routeDenied), (nil, false, nil, .routeUnknown),
            (nil, true, "offered app://shop/7?from=x [\"id\": \"7\"] [\"extra\"] external link", nil),
        ] as [(FakeBundle?, Bool, String?, AtriumError.Code?)])
    func changed(successor: FakeBundle?, isOffered: Bool, served: String?, code: AtriumError.Code?) async throws {
        let fixture = RouterFixture(
            installed: [Self.shop("old"), Self.account(Notes()) { false }],
            offered: isOffered ? [Self.shop("offered")] : [])
        let shelf = fixture.shelf
        try fixture.router.intercept(
            .everything,
            by: Self.waiting {
                shelf.uninstall("shop")
                if let successor { shelf.update(to: successor) }
            })
        var outcome: String?
        #expect(await errorCode { outcome = try await open(fixture) } == code)
        #expect(outcome == served)
        if code != nil { #expect(!shelf.loaded.contains("shop")) }
    }

    @Test("A fallback can handle a suspended request whose bundle was uninstalled")
    func uninstalled() async throws {
        let fixture = RouterFixture(installed: [Self.shop("old")])
        let shelf = fixture.shelf
        try fixture.router.intercept(.everything, by: Self.waiting { shelf.uninstall("shop") })
        try fixture.router.fallback(.everything, to: .handler { .object("fallback for \($0.uri)") })
        #expect(try await open(fixture) == "fallback for app://shop/7?from=x")
    }

    @Test("After a suspension, new interceptors are asked, and those that have allowed the request are not")
    func interceptors() async throws {
        let notes = Notes()
        let fixture = RouterFixture(installed: [Self.shop("old"), Self.account(notes) { true }])
        let (shelf, router) = (fixture.shelf, fixture.router)
        let noting: @Sendable (String, String) -> Interceptor = { name, note in
            Interceptor(name, allowing: { _ in notes.add(note) })
        }
        try router.intercept(.everything, priority: 1, by: noting("first", "first"))
        try router.intercept(
            .everything,
            by: Self.waiting(notes) {
                shelf.update(to: Self.shop("new", guards: ["Account.check"]))
                try? router.intercept(.everything, priority: 2, by: noting("new", "new"))
                // The same name in another scope is another interceptor.
                try? router.intercept(.scheme("app"), by: noting("first", "first of a scheme"))
            })
        try router.intercept(.everything, by: noting("wait", "second of that name"))
        #expect(try await open(fixture)?.hasPrefix("new") == true)
        #expect(notes.all == ["first", "wait", "new", "second of that name", "first of a scheme", "check"])
    }

    @Test("A guard that takes time counts as a suspension")
    func waitingGuard() async throws {
        let (notes, fixture) = (Notes(), RouterFixture(installed: [Self.shop("old", guards: ["Account.check"])]))
        let shelf = fixture.shelf
        shelf.update(
            to: Self.account(notes) {
                shelf.update(to: Self.shop("new", guards: ["Account.check"], exposure: .internal))
                return true
            })
        #expect(await errorCode { try await open(fixture) } == .exposureDenied)
        #expect(try await open(fixture, as: .plugin("shop"))?.hasPrefix("new") == true)
        #expect(notes.all == ["check", "check"])
    }

    @Test("After a redirect, all interceptors are asked again")
    func redirected() async throws {
        let notes = Notes()
        var shop = Self.shop("old")
        shop.routes.append(.route("other", .handler, exposure: .external))
        let fixture = RouterFixture(installed: [shop])
        try fixture.router.intercept(.everything, by: Self.waiting(notes) {})
        let other = try ResourceURI("app://other")
        try fixture.router.intercept(.route("shop/:id"), by: Interceptor("on") { _ in .redirect(other) })
        #expect(try await open(fixture)?.hasPrefix("other") == true)
        #expect(notes.all == ["wait", "wait"])
    }
}
