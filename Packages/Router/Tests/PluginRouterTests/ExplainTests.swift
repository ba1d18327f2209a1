import PluginCore
import PluginRouter
import Testing

@Suite("Explanation of routes", .tags(.small))
@MainActor
struct ExplainTests {
    private static let shop = FakeBundle(
        identifier: "shop",
        routes: [
            RouteDeclaration(pattern: "shop/new", kind: .page, name: "new", guards: ["Account.check"]),
            RouteDeclaration(pattern: "shop/:id", kind: .page, name: "one"),
            RouteDeclaration(pattern: "shop/**", kind: .handler, name: "rest"),
            RouteDeclaration(pattern: "shop/*", kind: .object, name: "object", priority: 3),
            RouteDeclaration(pattern: "shop/:n<int>", kind: .page, name: "number", exposure: .external),
            RouteDeclaration(pattern: "shop(/:a)/x", kind: .page, name: "x"),
            RouteDeclaration(pattern: "web://shop/new", kind: .page, name: "web"),
            RouteDeclaration(pattern: "shop/new#/top", kind: .page, name: "top"),
            RouteDeclaration(pattern: ":any/new/old", kind: .page, name: "old"),
            RouteDeclaration(pattern: "shop/n:{x}w", kind: .page, name: "picky", priority: 1, mayDecline: true),
            RouteDeclaration(pattern: "shop/ne:{x}", kind: .page, name: "low", priority: -1),
            RouteDeclaration(pattern: "SHOP/new", kind: .page, name: "again"),
        ]
    )

    private func lines(_ explanation: RouteExplanation) -> [String] {
        explanation.candidates.map { "\($0.route.pattern) \($0.outcome)" }
    }

    @Test("An explanation lists the matching routes in order with the reasons why they lose, then similar routes")
    func candidates() async throws {
        let fixture = RouterFixture(installed: [Self.shop])
        let explanation = try await fixture.router.explain(try ResourceURI("app://shop/new"))
        #expect(
            lines(explanation) == [
                "shop/* is a object route, which was not requested",
                "shop/n:{x}w may decline when the address is opened",
                "SHOP/new wins",
                "shop/new is less specific: segment 1 is \"shop\", the winner's \"SHOP\"",
                "shop/:id is less specific: segment 2 is \":id\", the winner's \"new\"",
                "shop/** is less specific: segment 2 is \"**\", the winner's \"new\"",
                "shop/ne:{x} has a lower priority than the winner's 0",
                ":any/new/old does not match: segment 3, \"old\", is not there",
                "shop(/:a)/x does not match: segment 3, \"x\", is not there",
                "shop/:n<int> does not match: segment 2 is \"new\" and not \":n<int>\"",
                "shop/new#/top does not match: there is no fragment",
                "web://shop/new does not match: its scheme is \"web\"",
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
                "doc#/top wins",
                "doc#/:x is less specific: segment 1 of the fragment is \":x\", the winner's \"top\"",
                "app://doc is less specific: the fragment is not there, the winner's \"#top\"",
                "doc is less specific: the fragment is not there, the winner's \"#top\"",
                "doc#/top/b does not match: in the fragment, segment 2, \"b\", is not there",
                "doc/a does not match: segment 2, \"a\", is not there",
            ])
        #expect(
            lines(try await fixture.router.explain(try ResourceURI("app://doc"))).prefix(2) == [
                "app://doc wins", "doc is less specific: the scheme is not there, the winner's \"app\"",
            ])
        #expect(
            lines(try await fixture.router.explain(try ResourceURI("doc/a/b"))).contains(
                "doc/a does not match: it ends before segment 3, \"b\""))
    }

    @Test("An explanation depends on the caller and the requested kinds")
    func asked() async throws {
        let fixture = RouterFixture(installed: [Self.shop])
        let outside = try await fixture.router.explain(try ResourceURI("shop/7"), origin: .external)
        #expect(outside.winner?.route.pattern.text == "shop/:n<int>")
        #expect(outside.winner?.captures?.values == ["n": "7"])
        #expect(lines(outside).contains("shop/:id is not exposed to the caller: its exposure is \"plugins\""))
        let object = try await fixture.router.explain(try ResourceURI("shop/7"), kinds: [.object])
        #expect(object.winner?.route.pattern.text == "shop/*")
    }

    @Test(
        "An explanation names the interceptors before the winner, and the bundle that would be installed")
    func around() async throws {
        let offered = FakeBundle(
            identifier: "cart", routes: [RouteDeclaration(pattern: "cart", kind: .page, name: "cart")])
        let fixture = RouterFixture(installed: [Self.shop], offered: [offered])
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
        let offered = FakeBundle(
            identifier: "cart", routes: [RouteDeclaration(pattern: "cart", kind: .page, name: "cart")])
        let fixture = RouterFixture(installed: [Self.shop], offered: [offered])
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
            #expect(explanation.candidates.allSatisfy { "\($0.outcome)" != "" })
        }
    }
}
