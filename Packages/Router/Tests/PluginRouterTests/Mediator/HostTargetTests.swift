import PluginCore
import PluginRouter
import Testing

@Suite("A target of the host itself")
struct HostTargetTests {
    private let host = BundleHost(
        SampleBundle(
            identifier: "shop", declared: [TargetDeclaration(name: "Shop", actions: ["price"])],
            target: { ActionTarget($0, actions: [Action("price") { _ in "the shop's" }]) }),
        hostTargets: [
            ActionTarget("Acme", actions: [Action("user") { _ in "Ada" }]),
            ActionTarget("Shop", actions: [Action("price") { _ in "the host's" }]),
        ])

    @Test("is called by the host and by plugins, and comes before a bundle's of the same name")
    func calls() async throws {
        for origin in [RequestOrigin.host, .plugin("other"), .extension("other")] {
            let mediator = host.mediator.mediator(for: origin)
            for _ in 1...2 { #expect(try await mediator.perform("user", on: "Acme") as? String == "Ada") }
            #expect(try await mediator.perform("price", on: "Shop") as? String == "the host's")
        }
        #expect(host.shelf.loads == [])
    }

    @Test("is closed to whoever asks from outside, by name and by address")
    func outside() async throws {
        let mediator = host.mediator.mediator(for: .external)
        let name = await #expect(throws: AtriumError.self) { try await mediator.perform("user", on: "Acme") }
        #expect(name?.code == .exposureDenied)
        let address = await #expect(throws: AtriumError.self) {
            try await mediator.perform(ResourceURI("app://Acme/user"), [:])
        }
        #expect(address?.code == .exposureDenied)
    }

    @Test("is there again after it was released, and is suggested for a name that is nearly its own")
    func released() async throws {
        let mediator = host.mediator.mediator(for: .plugin("other"))
        _ = try await mediator.perform("user", on: "Acme")
        mediator.releaseTarget(named: "Acme")
        #expect(try await mediator.perform("user", on: "Acme") as? String == "Ada")
        let action = await #expect(throws: AtriumError.self) { try await mediator.perform("usr", on: "Acme") }
        #expect(action?.code == .actionUnknown && action?.nearest == ["Acme.user"])
        let target = await #expect(throws: AtriumError.self) { try await mediator.perform("user", on: "Acm") }
        #expect(target?.code == .targetUnknown && target?.nearest == ["Acme"])
    }
}
