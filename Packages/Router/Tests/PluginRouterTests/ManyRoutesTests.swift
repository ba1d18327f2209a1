import PluginCore
import PluginRouter
import Testing

@Suite("Many routes", .tags(.small))
@MainActor
struct ManyRoutesTests {
    @Test("A list keeps routes with the same canonical key in their order")
    func equalKeys() throws {
        let patterns = (0..<100).map { "shop/p\($0)/:id" } + ["shop/:any/:id", "shop/p7/:other", "shop/p7/:third"]
        let list = RouteList(
            try patterns.map {
                Route(
                    pattern: try RoutePattern($0), kind: .page, owner: "shop",
                    service: .declared(name: "", layout: nil))
            })
        let matches = list.matches(for: try ResourceURI("app://shop/p7/1"))
        #expect(
            matches.map(\.route.pattern.text)
                == ["shop/p7/:id", "shop/p7/:other", "shop/p7/:third", "shop/:any/:id"])
    }

    @Test("Removing single routes and whole leases keeps all other routes")
    func comeAndGo() async throws {
        let fixture = RouterFixture(installed: [])
        let (kept, revoked) = (Lease(owner: "kept"), Lease(owner: "revoked"))
        for number in 0..<200 {
            let lease = number.isMultiple(of: 2) ? kept : revoked
            try await fixture.router.leased(to: lease).register("shop/p\(number)/:id", kind: .handler) { _ in
                .object(())
            }
        }
        func open() async throws -> [Int] {
            var open: [Int] = []
            for number in 0..<200 where await fixture.router.canOpen(try ResourceURI("app://shop/p\(number)/1")) {
                open.append(number)
            }
            return open
        }
        #expect(try await open() == Array(0..<200))
        for number in stride(from: 0, to: 200, by: 3) {
            // Only who holds a route can take it back.
            fixture.router.leased(to: kept).unregister("shop/p\(number)/:other")
        }
        #expect(try await open() == (0..<200).filter { !$0.isMultiple(of: 6) })
        fixture.registrationStore.revoke(revoked)
        let left = (0..<200).filter { $0.isMultiple(of: 2) && !$0.isMultiple(of: 3) }
        #expect(try await open() == left)
        let error = await refusal {
            try await fixture.routing().register("shop/p2/:x", kind: .handler) { _ in .object(()) }
        }
        #expect(error?.code == .routeConflict)
        // Unregistered patterns, and those of a revoked lease, can be registered again.
        for number in [0, 1] {
            try await fixture.routing().register("shop/p\(number)/:x", kind: .handler) { _ in .object(()) }
        }
        #expect(try await open() == [0, 1] + left)
    }

    @Test("An address is found, and a route of code is opened, as fast among the routes of 1,000 plugins as of ten")
    func lookUp() async throws {
        func list(_ count: Int) throws -> RouteList {
            RouteList(
                try (0..<count).map {
                    try Route(.route("plugin\($0)/item/:id", .page, "page"), owner: "shop")
                })
        }
        func router(_ count: Int) async throws -> Router {
            let router = RouterFixture(installed: []).router
            for number in 0..<count {
                try await router.register("plugin\(number)/item/:id", kind: .handler, options: RouteOptions()) { _ in
                    .object(true)
                }
            }
            return router
        }
        let asked = try (0..<10).map { try ResourceURI("app://plugin\($0)/item/42") }
        let (few, many) = (try list(10), try list(1_000))
        let matching = await growth {
            for uri in asked { #expect(many.matches(for: uri).count == 1) }
        } from: {
            for uri in asked { #expect(few.matches(for: uri).count == 1) }
        }
        #expect(matching < 30)
        let (small, large) = (try await router(10), try await router(1_000))
        let opening = try await growth {
            for uri in asked { _ = try await large.open(uri, userInfo: [:], presentation: .push) }
        } from: {
            for uri in asked { _ = try await small.open(uri, userInfo: [:], presentation: .push) }
        }
        #expect(opening < 30)
    }

    /// Returns how many times as long an operation takes as another: the shortest of several runs in turns, because other programs run
    /// on the machine.
    private func growth(
        of many: () async throws -> Void, from few: () async throws -> Void
    ) async rethrows -> Double {
        let clock = ContinuousClock()
        var (longest, shortest) = (Duration.seconds(1_000), Duration.seconds(1_000))
        for _ in 0..<10 {
            longest = min(longest, try await clock.measure { try await many() })
            shortest = min(shortest, try await clock.measure { try await few() })
        }
        return longest / shortest
    }
}
