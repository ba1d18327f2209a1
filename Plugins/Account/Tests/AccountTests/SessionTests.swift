import AccountInterface
import PluginCore
import PluginTestKit
import Testing

@testable import Account

@Suite("The user's session", .tags(.medium))
@MainActor
struct SessionTests {
    @Test("The session survives the process")
    func persistence() async throws {
        let container = try TestContainer()
        let before = try await Bench(container: container)
        #expect(try await before.mediator.perform(AccountActions.currentUser) == nil)
        try await before.signIn("Ann")

        let after = try await Bench(container: container)
        #expect(try await after.mediator.perform(AccountActions.isSignedIn))
        #expect(try await after.mediator.perform(AccountActions.currentUser) == "Ann")
        #expect(try await after.host.object(at: "app://account/user", of: after.bundle) as? String == "Ann")
    }

    @Test("Two loaded versions of the plugin have the same session")
    func twoVersions() async throws {
        let container = try TestContainer()
        let old = try await Bench(container: container)
        let new = try await Bench(container: container)
        try await old.signIn("Ann")
        #expect(try await new.mediator.perform(AccountActions.isSignedIn))
        try await new.mediator.perform(AccountActions.signOut)
        #expect(try await old.mediator.perform(AccountActions.isSignedIn) == false)
    }

    @Test("A damaged session counts as signed out, is logged, and can be replaced")
    func damage() async throws {
        let bench = try await Bench()
        try bench.host.context.defaults.set(5, for: DefaultsKey("user", default: 0))
        #expect(try await bench.mediator.perform(AccountActions.isSignedIn) == false)
        #expect(bench.host.log.messages(.error).contains { $0.contains("nobody is signed in") })
        try await bench.signIn("Ann")
        #expect(try await bench.mediator.perform(AccountActions.currentUser) == "Ann")
        try bench.host.context.defaults.set(5, for: DefaultsKey("user", default: 0))
        try await bench.mediator.perform(AccountActions.signOut)
        #expect(try bench.host.context.defaults.values() == DefaultsValues())
    }

    @Test("The address of the user is an error while nobody is signed in")
    func noUser() async throws {
        let bench = try await Bench()
        let error = await #expect(throws: AtriumError.self) {
            try await bench.host.object(at: "app://account/user", of: bench.bundle)
        }
        #expect(error?.code == .resourceUnknown)
    }
}
