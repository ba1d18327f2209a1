@testable import Doctor
import PluginCore
import Testing

@testable import PluginRouter

@Suite("Explanation of routes", .tags(.small))
@MainActor
struct ExplainTests {
    private static let shop = FakeBundle(
        identifier: "shop",
        routes: [
            .route("shop/new", .page, "new", guards: ["Account.check"]),
            .route("shop/:id", .page, "one"),
            .route("shop/**", .handler, "rest"),
            .route("shop/*", .object, "object", priority: 3),
            .route("shop/:n<int>", .page, "number", exposure: .external),
            .route("shop(/:a)/x", .page, "x"),
            .route("web://shop/new", .page, "web"),
            .route("shop/new#/top", .page, "top"),
            .route(":any/new/old", .page, "old"),
            .route("shop/n:{x}w", .page, "picky", priority: 1, mayDecline: true),
            .route("shop/ne:{x}", .page, "low", priority: -1),
            .route("SHOP/new", .page, "again"),
        ]
    )

    private static let cart = FakeBundle(identifier: "cart", routes: [.route("cart", .page)])

    private typealias Outcome = RouteCandidate.Outcome

    /// The pattern and the outcome of a route.
    private struct Line: Hashable {
        let pattern: String
        let outcome: Outcome

        init(_ pattern: String, _ outcome: Outcome) { (self.pattern, self.outcome) = (pattern, outcome) }
    }

    private func lines(_ explanation: RouteExplanation) -> [Line] {
        explanation.candidates.map { Line($0.route.pattern.text, $0.outcome) }
    }

    private func behind(_ place: RoutePattern.Expansion.Place, _ mine: String, _ winners: String) -> Outcome {
        .lessSpecific(RouteCandidate.Difference(place: place, mine: mine, winners: winners))
    }

    @Test("An explanation lists the matching routes in order with the reasons why they lose, then similar routes")
    func candidates() async throws {
        let fixture = RouterFixture(installed: [Self.shop])
        let explanation = try await fixture.router.explain(try ResourceURI("app://shop/new"))
        #expect(
            lines(explanation) == [
                Line("shop/*", .otherKind(.object)), Line("shop/n:{x}w", .mayDecline), Line("SHOP/new", .wins),
                // The case of the authority decides last.
                Line("shop/new", behind(.segment(1), "shop", "SHOP")),
                Line("shop/:id", behind(.segment(2), ":id", "new")), Line("shop/**", behind(.segment(2), "**", "new")),
                Line("shop/ne:{x}", .lowerPriority(than: 0)),
                Line(":any/new/old", .mismatch(.tooShort(3, wanted: "old"))),
                Line("shop(/:a)/x", .mismatch(.tooShort(3, wanted: "x"))),
                Line("shop/:n<int>", .mismatch(.segment(2, wanted: ":n<int>", found: "new"))),
                Line("shop/new#/top", .mismatch(.noFragment)), Line("web://shop/new", .mismatch(.scheme("web"))),
            ])
        #expect(explanation.winner?.route.owner == "shop")
        #expect(explanation.providingBundle == nil)
    }

    @Test("An explanation names differences in the fragment, the scheme and the length of the address")
    func places() async throws {
        let fixture = RouterFixture(installed: [
            FakeBundle(
                identifier: "doc",
                routes: ["doc", "app://doc", "doc#/:x", "doc#/top", "doc/a", "doc#/top/b"].map {
                    RouteDeclaration(pattern: $0, kind: .page, name: $0)
                })
        ])
        #expect(
            lines(try await fixture.router.explain(try ResourceURI("app://doc#/top"))) == [
                Line("doc#/top", .wins), Line("doc#/:x", behind(.fragment(1), ":x", "top")),
                Line("app://doc", behind(.fragment(0), "", "#top")), Line("doc", behind(.fragment(0), "", "#top")),
                Line("doc#/top/b", .mismatch(.fragment(.tooShort(2, wanted: "b")))),
                Line("doc/a", .mismatch(.tooShort(2, wanted: "a"))),
            ])
        #expect(
            lines(try await fixture.router.explain(try ResourceURI("app://doc"))).prefix(2) == [
                Line("app://doc", .wins), Line("doc", behind(.scheme, "", "app")),
            ])
        #expect(
            lines(try await fixture.router.explain(try ResourceURI("doc/a/b"))).contains(
                Line("doc/a", .mismatch(.tooLong(3, found: "b")))))
    }

    @Test("An explanation depends on the caller and the requested kinds")
    func asked() async throws {
        let fixture = RouterFixture(installed: [Self.shop])
        let outside = try await fixture.router.explain(try ResourceURI("shop/7"), origin: .external)
        #expect(outside.winner?.route.pattern.text == "shop/:n<int>")
        #expect(outside.winner?.captures?.values == ["n": "7"])
        #expect(lines(outside).contains(Line("shop/:id", .hidden(.plugins))))
        let object = try await fixture.router.explain(try ResourceURI("shop/7"), kinds: [.object])
        #expect(object.winner?.route.pattern.text == "shop/*")
    }

    @Test(
        "An explanation names the interceptors before the winner, and the bundle that would be installed")
    func around() async throws {
        let fixture = RouterFixture(installed: [Self.shop], offered: [Self.cart])
        try fixture.router.intercept(.bundle("shop"), by: Interceptor("bundle") { _ in .allow })
        try fixture.router.intercept(.everything, by: Interceptor("all") { _ in .allow })
        let explained = try await fixture.router.explain(try ResourceURI("shop/new"))
        #expect(explained.interceptors == ["all", "bundle", "Account.check"])
        #expect(try await fixture.router.explain(try ResourceURI("app://cart")).providingBundle == "cart")
        #expect(
            try await fixture.router.explain(try ResourceURI("app://cart"), kinds: [.object]).providingBundle == nil)
    }

    @Test("An explanation neither runs nor loads nor installs code of a bundle")
    func runsNothing() async throws {
        let fixture = RouterFixture(installed: [Self.shop], offered: [Self.cart])
        let notes = Notes()
        let options = RouteOptions(
            priority: 9,
            accepts: { _ in
                notes.add("asked")
                return true
            })
        try await fixture.router.register("shop/new/**", kind: .page, options: options) { _ in
            notes.add("ran")
            return .object(())
        }
        try fixture.router.intercept(.everything, by: Interceptor("x", allowing: { _ in notes.add("intercepted") }))
        for address in ["app://shop/new", "app://cart", "app://nowhere"] {
            _ = try await fixture.router.explain(try ResourceURI(address))
        }
        #expect(notes.all.isEmpty && fixture.shelf.loaded.isEmpty)
        #expect(fixture.shelf.installed == ["shop"])
    }

    @Test("The explained winner is the route that opening the address uses, for random routes", arguments: 0..<50)
    func agreement(seed: UInt64) async throws {
        var dice = Dice(seed: seed)
        var listed = ListedRoutes()
        var routes: [RouteDeclaration] = []
        for _ in 0..<8 {
            let text = dice.pattern()
            guard let pattern = try? RoutePattern(text), (try? listed.add(pattern)) != nil else { continue }
            let kind: RouteKind = dice.isLucky(0.2) ? .object : .handler
            let priority = dice.count(0...2) / 2
            routes.append(RouteDeclaration(pattern: text, kind: kind, name: text, priority: priority))
        }
        let fixture = RouterFixture(installed: [
            FakeBundle(identifier: "x", routes: routes, serve: { .object($0.name) })
        ])
        for _ in 0..<20 {
            guard let uri = try? ResourceURI(dice.address()) else { continue }
            let explanation = try await fixture.router.explain(uri)
            let outcome = try? await fixture.router.open(uri, userInfo: [:], presentation: .push)
            let served = outcome?.value as? String
            #expect(explanation.winner?.route.pattern.text == served, "\(uri) \(routes.map(\.pattern))")
        }
    }
}
