import PluginCore
import PluginRouter
import Testing

@Suite("Targets of the host", .tags(.small))
struct HostTargetTests {
    private let host = RouterFixture(
        FakeBundle(identifier: "shop", targets: ["Shop"], actions: [Action("price") { _ in "the shop's" }]),
        hostTargets: [
            ActionTarget("Acme", actions: [Action("user") { _ in "Ada" }]),
            ActionTarget("Shop", actions: [Action("price") { _ in "the host's" }]),
        ])

    @Test("The host and plugins can call a host target, which takes precedence over a bundle's target")
    func calls() async throws {
        for origin in [RequestOrigin.host, .plugin("other"), .extension("other")] {
            let mediator = host.mediator.mediator(for: origin)
            for _ in 1...2 { #expect(try await mediator.perform("user", on: "Acme") as? String == "Ada") }
            #expect(try await mediator.perform("price", on: "Shop") as? String == "the host's")
        }
        #expect(host.shelf.loads == [])
    }

    @Test("External callers cannot call a host target, neither by name nor by address")
    func outside() async throws {
        let mediator = host.mediator.mediator(for: .external)
        #expect(await errorCode { try await mediator.perform("user", on: "Acme") } == .exposureDenied)
        #expect(await errorCode { try await mediator.perform(ResourceURI("app://Acme/user"), [:]) } == .exposureDenied)
    }

    @Test("A host target is available after it was released, and is suggested for a similar name")
    func released() async throws {
        let mediator = host.mediator.mediator(for: .plugin("other"))
        _ = try await mediator.perform("user", on: "Acme")
        mediator.releaseTarget(named: "Acme")
        #expect(try await mediator.perform("user", on: "Acme") as? String == "Ada")
        let action = await refusal { try await mediator.perform("usr", on: "Acme") }
        #expect(action?.code == .actionUnknown && action?.nearest == ["Acme.user"])
        let target = await refusal { try await mediator.perform("user", on: "Acm") }
        #expect(target?.code == .targetUnknown && target?.nearest == ["Acme"])
    }
}
