import PluginCore
import PluginRouter
import Testing

@Suite("Chains of calls", .tags(.small))
struct CallChainTests {
    /// Returns a bundle whose action calls an action of another bundle.
    private static func bundle(_ target: String, calling other: String) -> FakeBundle {
        let context = Slot<SampleContext>()
        let go = Action("go") { parameters in
            let left = try parameters.require("left", as: Int.self)
            guard left > 0 else { return "there" }
            guard let mediator = context.value?.mediator else { return "nowhere" }
            return try await mediator.perform("go", on: other, ["left": left - 1])
        }
        return FakeBundle(identifier: target, targets: [target], actions: [go], onLoad: { context.value = $0 })
    }

    @Test(
        "An action that leads back to itself endlessly fails with an error that contains the path",
        arguments: ["A", "B"])
    func endless(other: String) async throws {
        let mediator = RouterFixture(Self.bundle("A", calling: other), Self.bundle("B", calling: "A")).mediator
        let error = await refusal { try await mediator.perform("go", on: "A", ["left": Int.max]) }
        #expect(error?.code == .chainTooLong)
        #expect(error?.reason?.description.hasPrefix("chain(path: [A.go, \(other).go, A.go") == true)
        // The chain has ended, so the next call starts a new one, which may have many calls.
        #expect(try await mediator.perform("go", on: "A", ["left": 15]) as? String == "there")
    }

    @Test(
        "A not-found closure of the host or a target that repeats the call fails with an error that contains the path")
    func unanswered() async throws {
        let (asked, mediator) = (Counter(), Slot<Mediator>())
        let again: Mediator.NotFound = { call in
            guard asked.next() < 1000 else { return "nobody stopped it" }
            return try await mediator.value?.perform(call.action, on: call.target, call.parameters)
        }
        let shop = FakeBundle(
            identifier: "shop", declared: [TargetDeclaration(name: "Shop", actions: [])],
            target: { name in
                ActionTarget(name, actions: []) { action, parameters in
                    guard asked.next() < 1000 else { return "nobody stopped it" }
                    return try await mediator.value?.perform(action, on: name, parameters)
                }
            })
        let host = RouterFixture(Self.bundle("A", calling: "A"), shop, notFound: again)
        mediator.value = host.mediator
        for (action, target) in [("go", "Nowhere"), ("missing", "A"), ("go", "Shop")] {
            let error = await refusal { try await host.mediator.perform(action, on: target) }
            #expect(error?.code == .chainTooLong)
            #expect(
                error?.reason?.description.hasPrefix("chain(path: [\(target).\(action), \(target).\(action), ") == true)
        }
    }
}
