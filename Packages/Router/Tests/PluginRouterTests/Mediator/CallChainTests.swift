import PluginCore
import PluginRouter
import Testing

@Suite("Chains of calls", .tags(.small))
struct CallChainTests {
    /// Returns a bundle whose action calls an action of another bundle.
    private static func bundle(_ target: String, calling other: String) -> FakeBundle {
        let context = Slot<SampleContext>()
        return FakeBundle(
            identifier: target, declared: [TargetDeclaration(name: target, actions: ["go"])],
            target: { name in
                ActionTarget(
                    name,
                    actions: [
                        Action("go") { parameters in
                            let left = try parameters.require("left", as: Int.self)
                            guard left > 0 else { return "there" }
                            guard let mediator = context.value?.mediator else { return "nowhere" }
                            return try await mediator.perform("go", on: other, ["left": left - 1])
                        }
                    ]
                )
            },
            onLoad: { context.value = $0 }
        )
    }

    @Test(
        "An action that leads back to itself endlessly fails with an error that contains the path",
        arguments: ["A", "B"])
    func endless(other: String) async throws {
        let mediator = RouterFixture(Self.bundle("A", calling: other), Self.bundle("B", calling: "A")).mediator
        let error = await #expect(throws: AtriumError.self) {
            try await mediator.perform("go", on: "A", ["left": Int.max])
        }
        #expect(error?.code == .chainTooLong)
        #expect(error?.reason?.description.hasPrefix("chain(path: [A.go, \(other).go, A.go") == true)
        // The chain has ended, so the next call starts a new one, which may have many calls.
        #expect(try await mediator.perform("go", on: "A", ["left": 15]) as? String == "there")
    }

    @Test("A not-found closure of the host that repeats the call fails with an error that contains the path")
    func unanswered() async throws {
        let (asked, mediator) = (Counter(), Slot<Mediator>())
        let host = RouterFixture(Self.bundle("A", calling: "A")) { call in
            guard asked.next() < 1000 else { return "nobody stopped it" }
            return try await mediator.value?.perform(call.action, on: call.target, call.parameters)
        }
        mediator.value = host.mediator
        for (action, target) in [("go", "Nowhere"), ("missing", "A")] {
            let error = await #expect(throws: AtriumError.self) { try await host.mediator.perform(action, on: target) }
            #expect(error?.code == .chainTooLong)
            #expect(
                error?.reason?.description.hasPrefix("chain(path: [\(target).\(action), \(target).\(action), ") == true)
        }
    }

    @Test(
        "A not-found closure of a target that repeats the call fails with an error that contains the path")
    func unansweredByTarget() async throws {
        let (asked, mediator) = (Counter(), Slot<any Mediating>())
        let shop = FakeBundle(
            identifier: "shop", declared: [TargetDeclaration(name: "Shop", actions: [])],
            target: { name in
                ActionTarget(name, actions: []) { action, parameters in
                    guard asked.next() < 1000 else { return "nobody stopped it" }
                    return try await mediator.value?.perform(action, on: name, parameters)
                }
            },
            onLoad: { mediator.value = $0.mediator }
        )
        let host = RouterFixture(shop)
        let error = await #expect(throws: AtriumError.self) { try await host.mediator.perform("go", on: "Shop") }
        #expect(error?.code == .chainTooLong)
        #expect(error?.reason?.description.hasPrefix("chain(path: [Shop.go, Shop.go, ") == true)
    }

    @Test("Each caller has its own chain, however many call at the same time")
    func crowd() async throws {
        let mediator = RouterFixture(Self.bundle("A", calling: "A")).mediator
        let there = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<200 {
                group.addTask { try await mediator.perform("go", on: "A", ["left": 10]) as? String == "there" }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(there == 200)
    }
}
