import PluginCore
import PluginRouter
import Testing

/// The calls of the articles on MGJRouter, CTMediator and other routers.
@MainActor
@Suite("Equivalents of other routers", .tags(.small))
struct FamiliarCallsTests {
    private let fixture = RouterFixture(installed: [
        FakeBundle(
            identifier: "shop", targets: ["Shop"],
            actions: [Action("price") { try $0.require("id", as: Int.self) * 100 }])
    ])
    private var mediator: any Mediating { fixture.mediator }

    @Test("Handlers, objects, user info, canOpen, created URLs and deregistration work as in MGJRouter")
    func mgjRouter() async throws {
        let router = fixture.routing(as: "shop")
        try await router.register("shop/:id", kind: .handler) { request in
            let onBuy = try request.userInfo.require("onBuy", as: (@Sendable (String) -> String).self)
            return .object(onBuy(request.captures["id"] ?? ""))
        }
        try await router.register("shop/price/:id", kind: .object) { _ in .object(900) }

        let onBuy: @Sendable (String) -> String = { "bought \($0)" }
        let outcome = try await router.open("app://shop/42?id=7", userInfo: ["onBuy": onBuy, "id": "8"])
        guard case .handled(let value) = outcome else { throw AtriumError(.resultType, "outcome") }
        #expect(value as? String == "bought 42")
        #expect(try await router.object(for: "app://shop/price/42", as: Int.self) == 900)

        let uri = try router.address(of: "shop/:id", AddressParts(captures: ["id": "a b"]), scheme: "app")
        #expect(uri.text == "app://shop/a%20b")
        #expect(await router.canOpen(uri))
        router.unregister("shop/:id")
        #expect(await !router.canOpen(uri))
    }

    @Test("A fallback works like MGJRouter's global handler")
    func lost() async throws {
        try await fixture.routing(as: "shop").register("home", kind: .handler) {
            .object($0.uri.parameters["url"] ?? "")
        }
        try fixture.router.fallback(.everything, to: .address(ResourceURI("app://home")))
        guard case .handled(let value) = try await fixture.router.open("app://nowhere") else {
            throw AtriumError(.resultType, "outcome")
        }
        #expect(value as? String == "app://nowhere")
    }

    @Test("Actions, remote calls and released targets work as in CTMediator, and exposure replaces its native prefix")
    func ctMediator() async throws {
        #expect(try await mediator.perform("price", on: "Shop", ["id": 42], returning: Int.self) == 4200)
        #expect(try await mediator.perform(ResourceURI("app://Shop/price?id=42"), [:]) as? Int == 4200)
        mediator.releaseTarget(named: "Shop")
        #expect(fixture.shelf.loaded == ["shop"])
        #expect(try await mediator.perform("price", on: "Shop", ["id": "42"], returning: Int.self) == 4200)
        #expect(fixture.shelf.loaded == ["shop", "shop"])

        let outside = fixture.mediator.mediator(for: .external)
        let error = await #expect(throws: AtriumError.self) {
            try await outside.perform(ResourceURI("app://Shop/nativePrice?id=42&native=1"), [:])
        }
        #expect(error?.code == .exposureDenied)
    }

    @Test("Priorities, declining handlers and observers of unmatched addresses work as in JLRoutes")
    func jlRoutes() async throws {
        let router = fixture.routing(as: "shop")
        let odd = RouteOptions(priority: 1, accepts: { Int($0.captures["n"] ?? "").map { $0 % 2 == 1 } ?? false })
        try await router.register("number/:n", kind: .object, options: odd) { _ in .object("odd") }
        try await router.register("number/4", kind: .object) { _ in .object("four") }
        try await router.register("number/7", kind: .object) { _ in .object("seven") }
        #expect(try await router.object(for: "app://number/7", as: String.self) == "odd")
        #expect(try await router.object(for: "app://number/4", as: String.self) == "four")
    }
}
