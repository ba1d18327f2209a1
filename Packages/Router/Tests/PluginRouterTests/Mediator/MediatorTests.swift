import PluginCore
import PluginRouter
import Testing

@Suite("The mediator")
@MainActor
struct MediatorTests {
    private let account = FakeBundle(identifier: "account", targets: ["Account"])

    @Test("loads the target's bundle for the first call and not again for the next")
    func loading() async throws {
        let house = House(installed: [account])
        for text in ["a", "b"] {
            let echo = try await house.mediator.perform("echo", on: "Account", ["text": text], returning: String.self)
            #expect(echo == text)
        }
        #expect(house.shelf.loaded == ["account"])
        house.mediator.releaseTarget(named: "Account")
        try await house.mediator.perform("yes", on: "Account")
        #expect(house.shelf.loaded == ["account", "account"])
    }

    @Test("does not remember a target that was let go of while it was loaded")
    func staleTarget() async throws {
        let house = House(installed: [account])
        house.shelf.onLoad { house.mediator.releaseTarget(named: "Account") }
        try await house.mediator.perform("yes", on: "Account")
        house.shelf.onLoad {}
        try await house.mediator.perform("yes", on: "Account")
        #expect(house.shelf.loaded == ["account", "account"])
        try await house.mediator.perform("yes", on: "Account")
        #expect(house.shelf.loaded == ["account", "account"])
    }

    @Test("passes a closure of standard-library types through")
    func closure() async throws {
        let ask: @Sendable (Int) async -> Int = { $0 * 2 + 2 }
        let answer = try await House(installed: [account]).mediator
            .perform("ask", on: "Account", ["ask": ask], returning: Int.self)
        #expect(answer == 42)
    }

    @Test("names the nearest target and the nearest action, and never answers nothing")
    func unknown() async throws {
        let mediator = House(installed: [account]).mediator
        let target = await #expect(throws: AtriumError.self) { try await mediator.perform("echo", on: "Acount") }
        #expect(target?.code == .targetUnknown)
        #expect(target?.nearest == ["Account"])
        let action = await #expect(throws: AtriumError.self) { try await mediator.perform("ecoh", on: "Account") }
        #expect(action?.code == .actionUnknown)
        #expect(action?.nearest == ["Account.echo"])
    }

    @Test("says when a result is not what the caller asked for")
    func resultType() async throws {
        let mediator = House(installed: [account]).mediator
        let error = await #expect(throws: AtriumError.self) {
            try await mediator.perform("yes", on: "Account", returning: String.self)
        }
        #expect(error?.code == .resultType)
        #expect(error?.detail == "String is needed, not Bool")
    }

    @Test("installs the bundle of a target that only the catalog has")
    func onDemand() async throws {
        let house = House(installed: [], offered: [account])
        #expect(try await house.mediator.perform("yes", on: "Account", returning: Bool.self))
        #expect(house.shelf.installed == ["account"])
    }
}
