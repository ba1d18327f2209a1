import PluginCore
import PluginRouter
import Testing

@Suite("Calls that lead to calls")
struct CallChainTests {
    /// A bundle whose action calls an action of another.
    private static func bundle(_ target: String, calling other: String) -> SampleBundle {
        let context = Slot<SampleContext>()
        return SampleBundle(
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

    @Test("end with an error that prints the path, when one calls itself for ever")
    func itself() async throws {
        let mediator = BundleHost(Self.bundle("A", calling: "A")).mediator
        let error = await #expect(throws: AtriumError.self) {
            try await mediator.perform("go", on: "A", ["left": Int.max])
        }
        #expect(error?.code == .chainTooLong)
        #expect(error?.detail.hasPrefix("A.go -> A.go -> A.go") == true)
        // And it leaves nothing behind: the next call starts a chain of its own.
        #expect(try await mediator.perform("go", on: "A", ["left": 3]) as? String == "there")
    }

    @Test("end with an error that prints the path, when two call each other for ever")
    func eachOther() async throws {
        let mediator = BundleHost(Self.bundle("A", calling: "B"), Self.bundle("B", calling: "A")).mediator
        let error = await #expect(throws: AtriumError.self) {
            try await mediator.perform("go", on: "A", ["left": Int.max])
        }
        #expect(error?.code == .chainTooLong)
        #expect(error?.detail.contains("A.go -> B.go -> A.go") == true)
    }

    @Test("end with an error that prints the path, when the host's answer to what is not there asks for it again")
    func unanswered() async throws {
        let (asked, mediator) = (Counter(), Slot<Mediator>())
        let host = BundleHost(Self.bundle("A", calling: "A")) { call in
            guard asked.next() < 1000 else { return "nobody stopped it" }
            return try await mediator.value?.perform(call.action, on: call.target, call.parameters)
        }
        mediator.value = host.mediator
        for (action, target) in [("go", "Nowhere"), ("missing", "A")] {
            let error = await #expect(throws: AtriumError.self) { try await host.mediator.perform(action, on: target) }
            #expect(error?.code == .chainTooLong)
            #expect(error?.detail.hasPrefix("\(target).\(action) -> \(target).\(action) -> ") == true)
        }
    }

    @Test(
        "end with an error that prints the path, when a target's own answer to what it does not have asks for it again")
    func unansweredByTarget() async throws {
        let (asked, mediator) = (Counter(), Slot<any Mediating>())
        let shop = SampleBundle(
            identifier: "shop", declared: [TargetDeclaration(name: "Shop", actions: [])],
            target: { name in
                ActionTarget(name, actions: []) { action, parameters in
                    guard asked.next() < 1000 else { return "nobody stopped it" }
                    return try await mediator.value?.perform(action, on: name, parameters)
                }
            },
            onLoad: { mediator.value = $0.mediator }
        )
        let host = BundleHost(shop)
        let error = await #expect(throws: AtriumError.self) { try await host.mediator.perform("go", on: "Shop") }
        #expect(error?.code == .chainTooLong)
        #expect(error?.detail.hasPrefix("Shop.go -> Shop.go -> ") == true)
    }

    @Test("are as many as a plugin sensibly needs")
    func enough() async throws {
        let mediator = BundleHost(Self.bundle("A", calling: "B"), Self.bundle("B", calling: "A")).mediator
        #expect(try await mediator.perform("go", on: "A", ["left": 15]) as? String == "there")
    }

    @Test("are counted for each caller alone, however many call at the same time")
    func crowd() async throws {
        let mediator = BundleHost(Self.bundle("A", calling: "A")).mediator
        let there = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<200 {
                group.addTask { try await mediator.perform("go", on: "A", ["left": 10]) as? String == "there" }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(there == 200)
    }
}
