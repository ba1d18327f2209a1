import PluginCore
import PluginRouter
import Testing

@Suite("Calls of unknown actions", .tags(.small))
struct NotFoundTests {
    private static func shop(notFound: ActionTarget.NotFound?) -> FakeBundle {
        FakeBundle(
            identifier: "shop",
            declared: [TargetDeclaration(name: "Shop", actions: ["price", "promised"])],
            target: { ActionTarget($0, actions: [Action("price") { _ in 1 }], notFound: notFound) }
        )
    }

    @Test("An unknown action goes to the target's closure, then to the host's, and then fails with suggestions")
    func order() async throws {
        let own: ActionTarget.NotFound = { action, parameters in
            guard action.hasPrefix("p") else { throw AtriumError(.actionUnknown, action) }
            return "own \(action) \(parameters.names)"
        }
        let hosts: Mediator.NotFound = { call in
            guard call.action != "zero" else { throw AtriumError(.actionUnknown, "zero") }
            return "host \(call.target).\(call.action) \(call.parameters.names) for \(call.origin)"
        }
        let both = RouterFixture(Self.shop(notFound: own), notFound: hosts).mediator
        #expect(try await both.perform("prize", on: "Shop", ["a": 1]) as? String == "own prize [\"a\"]")
        #expect(try await both.perform("other", on: "Shop") as? String == "host Shop.other [] for host")
        #expect(try await both.perform("x", on: "Nowhere") as? String == "host Nowhere.x [] for host")
        let error = await refusal { try await both.perform("zero", on: "Shop") }
        #expect(error?.code == .actionUnknown && error?.subject == "Shop.zero")
        let alone = RouterFixture(Self.shop(notFound: nil)).mediator
        #expect(await refusal { try await alone.perform("prize", on: "Shop") }?.nearest == ["Shop.price"])
        let target = await refusal { try await alone.perform("prize", on: "Shp") }
        #expect(target?.code == .targetUnknown && target?.nearest == ["Shop"])
    }

    @Test("Any other error of a not-found closure is passed on")
    func thrown() async throws {
        let own: ActionTarget.NotFound = { _, _ in throw AtriumError(.parameterMissing, "a") }
        let mediator = RouterFixture(Self.shop(notFound: own), notFound: { _ in 1 }).mediator
        #expect(await errorCode { try await mediator.perform("prize", on: "Shop") } == .parameterMissing)
    }

    @Test("The error says if a manifest declares an action that the code does not provide")
    func promised() async throws {
        let mediator = RouterFixture(Self.shop(notFound: nil)).mediator
        let action = await refusal { try await mediator.perform("promised", on: "Shop") }
        #expect(action?.description == "actionUnknown: Shop.promised (declaredOnly(owner: shop))")
        let empty = FakeBundle(
            identifier: "shop", declared: [TargetDeclaration(name: "Shop", actions: [])], target: { _ in nil })
        let target = await refusal { try await RouterFixture(empty).mediator.perform("price", on: "Shop") }
        #expect(target?.description == "targetUnknown: Shop (declaredOnly(owner: shop))")
    }

    @Test("A target of a removed bundle is unknown, and is found again when the bundle is back")
    func gone() async throws {
        let host = RouterFixture(Self.shop(notFound: nil))
        try await host.mediator.perform("price", on: "Shop")
        host.replace("shop")
        let error = await refusal { try await host.mediator.perform("price", on: "Shop") }
        #expect(error?.description == "targetUnknown: Shop")
        host.replace("shop", by: Self.shop(notFound: nil))
        #expect(try await host.mediator.perform("price", on: "Shop") as? Int == 1)
    }
}
