import Doctor
import PluginCore
import PluginRouter
import Testing

/// Routes that the code of a bundle registers come after the manifests of others, however wide, specific or urgent they are.
@Suite("Routes that bundles register", .tags(.small))
@MainActor
struct RegisteredRouteTests {
    private nonisolated static func bundle(
        _ owner: String, _ patterns: String..., team: String? = nil, kind: RouteKind = .handler,
        exposure: Exposure = .plugins
    ) -> FakeBundle {
        FakeBundle(
            identifier: owner,
            routes: patterns.map { RouteDeclaration(pattern: $0, kind: kind, name: $0, exposure: exposure) },
            serve: { .object("\(owner): \($0.name)") }, team: team)
    }

    private static let shop = bundle("shop", "shop", "shop/item/:id", "shop/cart")

    private func register(
        _ patterns: String..., as owner: String, in fixture: RouterFixture, kind: RouteKind = .handler,
        priority: Int = .max
    ) async throws {
        for pattern in patterns {
            try await fixture.routing(as: owner).register(
                pattern, kind: kind, options: RouteOptions(priority: priority, exposure: .external)
            ) { _ in .object("\(owner)'s code: \(pattern)") }
        }
    }

    /// Returns what opening an address returns, after checking that `explain`, `canOpen` and `matches` agree.
    private func opened(
        _ address: String, in fixture: RouterFixture, as origin: RequestOrigin = .host,
        _ location: SourceLocation = #_sourceLocation
    ) async throws -> String? {
        let uri = try ResourceURI(address)
        let explained = try await fixture.router.explain(uri, origin: origin)
        let router = fixture.router.routing(for: origin)
        let canOpen = await router.canOpen(uri)
        let served = (try? await router.open(uri, userInfo: [:], presentation: .push))?.value as? String
        let object = try? await router.object(for: uri, userInfo: [:])
        #expect(canOpen == (served != nil || object != nil), sourceLocation: location)
        let isExplained = explained.winner != nil || explained.providingBundle != nil
        #expect(isExplained == (served != nil), sourceLocation: location)
        if let served, let winner = explained.winner {
            #expect(served.hasPrefix(winner.route.owner), sourceLocation: location)
            #expect(served.hasSuffix(": \(winner.route.pattern)"), sourceLocation: location)
        }
        return served
    }

    @Test(
        "A route in code that matches an address of another's manifest is not opened for it",
        arguments: ["**", ":x/**", "shop/**", "shop/item/42", "shop/:a/:b", "app://shop/item/42", "app://**"])
    func takeover(pattern: String) async throws {
        let fixture = RouterFixture(installed: [Self.shop, Self.bundle("evil", "evil")])
        try await register(pattern, as: "evil", in: fixture)
        #expect(try await opened("app://shop/item/42", in: fixture) == "shop: shop/item/:id")
        let candidates = try await fixture.router.explain(ResourceURI("app://shop/item/42")).candidates
        #expect(candidates.map(\.outcome) == [.wins, .unclaimed] + candidates.map(\.outcome).dropFirst(2))
    }

    @Test("A bundle that declares an address below another's first segment does not own that segment")
    func neighbor() async throws {
        let fixture = RouterFixture(installed: [Self.shop, Self.bundle("evil", "shop/evil/:a", "shop/:a/evil")])
        try await register("shop/item/:id/**", "shop/offers/1", "shop/:x/:y", as: "evil", in: fixture)
        try await register("shop/evil/:x/y", as: "evil", in: fixture)
        try await register("shop/offers/:number", as: "shop", in: fixture, priority: 0)
        #expect(try await opened("app://shop/item/42", in: fixture) == "shop: shop/item/:id")
        #expect(try await opened("app://shop/offers/1", in: fixture) == "shop's code: shop/offers/:number")
        #expect(try await opened("app://shop/evil/1/y", in: fixture) == "evil's code: shop/evil/:x/y")
    }

    @Test("A wide route in code serves the addresses that no manifest has")
    func fallback() async throws {
        let fixture = RouterFixture(installed: [Self.shop, Self.bundle("wide", ":any/wide")])
        try await register("**", as: "evil", in: fixture)
        #expect(try await opened("app://nobody/home", in: fixture) == "evil's code: **")
        #expect(try await opened("app://nobody/wide", in: fixture) == "wide: :any/wide")
    }

    @Test("Below its own addresses and those of its team, a bundle's code has precedence by priority and specificity")
    func own() async throws {
        let fixture = RouterFixture(installed: [
            Self.bundle("shop", "shop/**", team: "t"), Self.bundle("orders", "orders/:x", "**", team: "t"),
            Self.bundle("stranger", "stranger", "**rest"),
        ])
        try await register("shop/sale", as: "shop", in: fixture, priority: 0)
        try await register("shop/:x/:y", as: "orders", in: fixture)
        #expect(try await opened("app://shop/sale", in: fixture) == "shop's code: shop/sale")
        #expect(try await opened("app://shop/a/b", in: fixture) == "orders's code: shop/:x/:y")
        #expect(try await opened("app://shop/a", in: fixture) == "shop: shop/**")
        fixture.shelf.update(to: Self.bundle("market", "shop/sale", team: "t"))
        #expect(try await opened("app://shop/sale", in: fixture) == "market: shop/sale")
        try await register("shop/:x", as: "stranger", in: fixture)
        #expect(try await opened("app://shop/a", in: fixture) == "shop: shop/**")
    }

    @Test("An address of a bundle that can be installed is not taken over, nor one that cannot be installed")
    func onDemand() async throws {
        var refused = Self.bundle("refused", "refused/:x")
        refused.refusal = AtriumError(.init("requirementUnmet"), "refused")
        let fixture = RouterFixture(
            installed: [Self.bundle("evil", "shop/evil")],
            offered: [Self.shop, refused, Self.bundle("things", "things/:x", kind: .object)])
        try await register("**", "shop/item/:id", "shop/**", "refused/:x", "things/:x", as: "evil", in: fixture)
        #expect(try await opened("app://refused/1", in: fixture) == nil)
        #expect(try await opened("app://things/1", in: fixture) == nil)
        #expect(try await opened("app://shop/item/42", in: fixture) == "shop: shop/item/:id")
        #expect(fixture.shelf.installed.contains("shop"))
        #expect(try await opened("app://shop/item/42", in: fixture) == "shop: shop/item/:id")
    }

    @Test("An address that a manifest has for other callers or kinds is not taken over")
    func refusals() async throws {
        let fixture = RouterFixture(installed: [
            Self.bundle("shop", "shop/price", kind: .object), Self.bundle("admin", "admin/:x", exposure: .internal),
        ])
        try await register("**", "admin/secret", as: "evil", in: fixture)
        try await register(":a/:b<string>", as: "evil", in: fixture, kind: .object)
        #expect(try await opened("app://shop/price", in: fixture) == nil)
        #expect(try await opened("app://admin/secret", in: fixture, as: .external) == nil)
        let object = try await fixture.router.object(for: ResourceURI("app://shop/price"), userInfo: [:])
        #expect(object as? String == "shop: shop/price")
        await #expect(throws: AtriumError.self) {
            try await fixture.router.object(for: ResourceURI("app://admin/secret"), userInfo: [:])
        }
    }

    /// An event in a host: a bundle is installed, or code registers a route.
    private enum Step: Sendable {
        case install(FakeBundle)
        case register(String, as: String)
    }

    @Test("The order of installs and registrations does not change the route of an address", arguments: 0..<20)
    func anyOrder(seed: UInt64) async throws {
        var dice = Dice(seed: seed)
        var steps: [Step] = [
            .install(Self.bundle("wide", "**")), .register("shop/item/:id", as: "evil"),
            .register("shop/sale", as: "evil"), .register("**x/:last", as: "evil"), .install(Self.shop),
        ]
        steps.shuffle(using: &dice)
        // Only an installed bundle has code that runs.
        let installed = try #require(
            steps.firstIndex { if case .install(let bundle) = $0 { bundle.identifier == "shop" } else { false } })
        steps.insert(.register("shop/sale", as: "shop"), at: dice.count(installed + 1...steps.count))
        let fixture = RouterFixture(installed: [Self.bundle("evil", "evil", "shop/evil")])
        for step in steps {
            switch step {
            case .install(let bundle): fixture.shelf.update(to: bundle)
            // A registration of the very same addresses fails if their owner was first.
            case .register(let pattern, let owner): try? await register(pattern, as: owner, in: fixture)
            }
        }
        var outcome: [String?] = []
        for address in ["shop/item/1", "shop/sale", "shop/cart", "evil", "other/x"] {
            outcome.append(try await opened("app://" + address, in: fixture))
        }
        #expect(
            outcome == ["shop: shop/item/:id", "shop's code: shop/sale", "shop: shop/cart", "evil: evil", "wide: **"],
            "\(steps)")
    }
}
