import PluginCore
import PluginRouter
import Testing

@Suite("Mediator", .tags(.small))
@MainActor
struct MediatorTests {
    private let account = FakeBundle(identifier: "account", targets: ["Account"])

    @Test("The first call of a target loads its bundle, and the next one does not")
    func loading() async throws {
        let fixture = RouterFixture(installed: [account])
        for text in ["a", "b"] {
            let echo = try await fixture.mediator.perform("echo", on: "Account", ["text": text], returning: String.self)
            #expect(echo == text)
        }
        #expect(fixture.shelf.loaded == ["account"])
        fixture.mediator.releaseTarget(named: "Account")
        try await fixture.mediator.perform("yes", on: "Account")
        #expect(fixture.shelf.loaded == ["account", "account"])
    }

    @Test("A target that is released while it is loaded is not cached")
    func staleTarget() async throws {
        let fixture = RouterFixture(installed: [account])
        fixture.shelf.onLoad { fixture.mediator.releaseTarget(named: "Account") }
        try await fixture.mediator.perform("yes", on: "Account")
        fixture.shelf.onLoad {}
        try await fixture.mediator.perform("yes", on: "Account")
        #expect(fixture.shelf.loaded == ["account", "account"])
        try await fixture.mediator.perform("yes", on: "Account")
        #expect(fixture.shelf.loaded == ["account", "account"])
    }

    @Test("A released target keeps its state, which is that of its bundle's principal object, and an action resets it")
    func state() async throws {
        let bundle = Principal(CountingBundle())
        let target: @Sendable (String) -> ActionTarget? = { name in
            MainActor.assumeIsolated { bundle.target(named: name) }
        }
        let fixture = RouterFixture(FakeBundle(identifier: "counter", targets: ["Counter"], target: target))
        for count in 1...3 {
            #expect(try await fixture.mediator.perform(CountingBundle.next) == count)
            fixture.mediator.releaseTarget(named: "Counter")
        }
        #expect(fixture.shelf.loads == ["counter"])
        try await fixture.mediator.perform(CountingBundle.reset)
        #expect(try await fixture.mediator.perform(CountingBundle.next) == 1)
    }

    @Test("A result of another type than requested is an error")
    func resultType() async throws {
        let mediator = RouterFixture(installed: [account]).mediator
        let error = await refusal { try await mediator.perform("yes", on: "Account", returning: String.self) }
        #expect(error?.description == "resultType: Account.yes (typeDiffers(expected: String, found: Bool))")
    }
}

/// A bundle whose target counts its calls.
private final class CountingBundle: BundleDelegate {
    static let next = ActionContract<NoValue, Int>("next", on: "Counter")
    static let reset = ActionContract<NoValue, NoValue>("reset", on: "Counter")
    private var count = 0

    init() {}
    init(context: BundleContext) {}

    static var targets: some TargetSet<CountingBundle> {
        Action(next) { @MainActor counter in
            counter.count += 1
            return counter.count
        }
        Action(reset) { @MainActor counter in counter.count = 0 }
    }
}
