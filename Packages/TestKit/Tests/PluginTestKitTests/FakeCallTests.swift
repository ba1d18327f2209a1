import PluginCore
import PluginTestKit
import Testing

@Suite("Fake mediator and fake router", .tags(.small))
struct FakeCallTests {
    @Test("The mediator returns defined results and records calls")
    func mediator() async throws {
        let mediator = FakeMediator()
        mediator.answer("double", on: "Maths") { try $0.require("n", as: Int.self) * 2 }
        #expect(try await mediator.perform("double", on: "Maths", ["n": 4], returning: Int.self) == 8)
        #expect(mediator.calls.map(\.name) == ["Maths.double"])
    }

    @Test("An answer to a contract has the contract's types, also one that passes coded")
    func contract() async throws {
        struct Range: Codable, Sendable { let low: Int, high: Int }
        let (double, range) = (
            ActionContract<Int, Int>("double", on: "Maths"), ActionContract<NoValue, Range>("range", on: "Maths")
        )
        let mediator = FakeMediator()
        mediator.answer(double) { $0 * 2 }
        mediator.answer(range) { _ in Range(low: 1, high: 3) }
        #expect(try await mediator.perform(double, 4) == 8)
        #expect(try await mediator.perform(range).high == 3)
    }

    @Test(
        "The mediator rejects undefined actions and suggests defined ones",
        arguments: [
            ("double", "Meths", AtriumError.Code.targetUnknown, "Maths"), ("duoble", "Maths", .actionUnknown, "double"),
        ])
    func unknown(action: String, target: String, code: AtriumError.Code, nearest: String) async {
        let mediator = FakeMediator()
        mediator.answer(with: ActionTarget("Maths", actions: [Action("double") { _ in 0 }]))
        let error = await #expect(throws: AtriumError.self) { try await mediator.perform(action, on: target) }
        #expect(error?.code == code && error?.nearest == [nearest])
    }

    @Test("The router returns defined pages and objects without recording an opening, and throws for any other")
    @MainActor
    func page() async throws {
        let (router, page) = (FakeRouter(), EmptyPage())
        router.answerObject("shop/item/7") { _, _ in page }
        #expect(try await router.page(for: "app://shop/item/7") === page)
        let error = await #expect(throws: AtriumError.self) { _ = try await router.page(for: "app://shop/item/8") }
        #expect(error?.code == .routeUnknown)
        #expect(router.opened.isEmpty)
        router.answerObject("shop/price/42") { _, _ in 1999 }
        #expect(try await router.object(for: "app://shop/price/42", as: Int.self) == 1999)
        await #expect(throws: AtriumError.self) { try await router.object(for: "app://shop/price/1", as: Int.self) }
    }

    @Test("The router records opened addresses with their user info and presentation")
    func router() async throws {
        let router = FakeRouter()
        router.answer("account/sign-in") { _ in .dismissed(true) }
        let outcome = try await router.open("app://account/sign-in?x=1", userInfo: ["a": 1], presentation: .modal)
        let value: (any Sendable)? = if case .dismissed(let value) = outcome { value } else { nil }
        #expect(value as? Bool == true, "\(outcome)")
        #expect(router.openedAddresses == ["app://account/sign-in?x=1"])
        #expect(router.opened.first?.userInfo.value("a") == 1)
    }

    @Test("The router does not open rejected paths")
    func refusal() async throws {
        let router = FakeRouter()
        router.refuse("shop")
        let error = await #expect(throws: AtriumError.self) { try await router.open("app://shop") }
        #expect(error?.code == .routeUnknown)
        #expect(await router.canOpen(try ResourceURI("app://shop")) == false)
    }

    @Test("The router creates addresses like the host's router")
    func address() throws {
        let contract = ValueRoute<Int, Int>("shop/price/:id")
        #expect(try FakeRouter().address(for: contract, 42).text == "app://shop/price/42")
        let parts = AddressParts(captures: ["x": "y"])
        let error = #expect(throws: AtriumError.self) { try FakeRouter().address(of: "a/:x<int>", parts, scheme: nil) }
        #expect(error?.code == .parameterType)
    }

    @Test("The router stores a route until it is removed, and rejects a second one for the same pattern")
    func routes() async throws {
        let router = FakeRouter()
        try await router.register("a", kind: .object) { _ in .object(1) }
        await #expect(throws: AtriumError.self) { try await router.register("a", kind: .page) { _ in .object(2) } }
        #expect(router.routes["a"]?.kind == .object)
        router.unregister("a")
        #expect(router.routes.isEmpty)
    }
}

/// A page that shows nothing.
final class EmptyPage: Page {
    let title = ""
    let content: [PageElement] = []
}
