import PluginCore
import Testing

@testable import PluginRouter

@Suite("Chains of requests", .tags(.small))
@MainActor
struct ChainTests {
    /// Returns a fixture in which step n opens the address that a closure returns for n.
    private func fixture(
        limits: RouterLimits = .standard, _ next: @escaping @Sendable (Int) -> String?
    ) async throws -> RouterFixture {
        let fixture = RouterFixture(installed: [], limits: limits)
        let routing = fixture.routing(as: "steps")
        try await routing.register("step/:n<int>", kind: .handler) { request in
            guard let next = next(Int(request.captures["n"] ?? "") ?? 0) else { return .object("done") }
            if case .handled(let value) = try await routing.open(next) { return .object(value) }
            return .object("shown")
        }
        return fixture
    }

    @Test("Opening an address that is already being handled fails with an error that contains the path")
    func reentrance() async throws {
        let fixture = try await fixture { "app://step/\(($0 + 1) % 3)" }
        let error = await refusal { try await fixture.router.open("app://step/0") }
        #expect(error?.code == .routeCycle)
        #expect(error?.reason?.values == ["path": ["app://step/0", "app://step/1", "app://step/2", "app://step/0"]])
        #expect(
            error?.problems == ["app://step/0", "app://step/1", "app://step/2", "app://step/0"].map { .verbatim($0) })
    }

    @Test("A redirect that leads back fails with an error that contains the path")
    func redirects() async throws {
        let fixture = try await fixture { _ in nil }
        let next = try ["app://step/2", "app://step/1"].map { try ResourceURI($0) }
        try fixture.router.intercept(
            .everything, by: Interceptor("round") { .redirect(next[$0.captures["n"] == "1" ? 0 : 1]) })
        let error = await refusal { try await fixture.router.open("app://step/1") }
        #expect(error?.code == .routeCycle)
        #expect(error?.reason?.values == ["path": ["app://step/1", "app://step/2", "app://step/1"]])
    }

    @Test("A chain that exceeds the limit fails")
    func length() async throws {
        var limits = RouterLimits.standard
        limits.chainDepth = 4
        let fixture = try await fixture(limits: limits) { $0 < 4 ? "app://step/\($0 + 1)" : nil }
        try await fixture.router.open("app://step/1")
        let error = await refusal { try await fixture.router.open("app://step/0") }
        #expect(error?.code == .chainTooLong && error?.problems.count == 5)
    }

    @Test("A handler may open the same address twice, one after the other")
    func again() async throws {
        let fixture = try await fixture { _ in nil }
        let routing = fixture.routing(as: "twice")
        try await routing.register("twice", kind: .handler) { _ in
            try await routing.open("app://step/1")
            try await routing.open("app://step/1")
            return .object(())
        }
        try await fixture.router.open("app://twice")
    }

    @Test("All requests of a chain share a number that no other chain has")
    func number() async throws {
        let (one, deeper) = try await RequestChain.pushing(.address("app://a")).run {
            (RequestChain.current?.number, try RequestChain.pushing(.call("Shop.price")).number)
        }
        #expect(one == deeper)
        #expect(try RequestChain.pushing(.address("app://a")).number != one)
    }

    @Test("A route whose accepts closure asks canOpen for its own address cannot be opened")
    func accepts() async throws {
        let fixture = RouterFixture(installed: [])
        let routing = fixture.routing(as: "self")
        try await routing.register(
            "self", kind: .handler, options: RouteOptions(accepts: { await routing.canOpen($0.uri) })
        ) { _ in .object(()) }
        #expect(await !fixture.router.canOpen(try ResourceURI("app://self")))
    }
}
