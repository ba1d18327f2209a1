@testable import Registry
import PluginCore
import PluginRouter
import PluginRuntime
import SQLite
import Testing

@Suite("Draining of bundles", .tags(.medium))
struct DrainTests {
    private let clock = TestClock()
    private let host: TestHost
    private var mediator: Mediator { host.mediator }

    /// Installs the first of two versions.
    init() async throws {
        host = TestHost(installsOnDemand: false, clock: clock)
        for (version, library) in [("1.0.0", LoadTests.one), ("2.0.0", LoadTests.two)] {
            try host.offer(SamplePackage(version: version, targets: ["Shop"], library: await library.value))
        }
        try await host.install(version: "1.0.0")
    }

    @Test("A replaced version unloads after its calls in flight have returned, while new calls reach its successor")
    func drains() async throws {
        let gate = AsyncGate()
        async let held = mediator.perform("hold", on: "Shop", ["hold": gate.hold], returning: String.self)
        await gate.arrival()
        async let update = host.manager.update(.shop)
        while try await mediator.perform("act", on: "Shop", returning: String.self) != "2.0.0" {
            await Task.yield()
        }
        #expect(host.states(of: "com.example.app.shop@1.0.0").last == "draining")
        #expect(host.log == ["1.0.0 loads", "2.0.0 loads"])
        // Other processes can change the sandbox meanwhile.
        try host.offer(SamplePackage(identifier: "com.example.app.other"))
        try await host.another().manager.install("com.example.app.other")
        #expect(host.states(of: "com.example.app.shop@1.0.0").last == "draining")
        gate.open()
        #expect(try await held == "1.0.0")
        _ = try await update
        #expect(host.states(of: "com.example.app.shop@1.0.0").last == "retired")
        #expect(host.log == ["1.0.0 loads", "2.0.0 loads", "1.0.0 unloads"])
    }

    @Test("A bundle is unloaded at the drain deadline despite calls in flight, and later calls fail")
    func deadline() async throws {
        let host = TestHost(self.host.root, drainDeadline: .milliseconds(20), installsOnDemand: false)
        let mediator = host.mediator
        _ = try await mediator.perform("act", on: "Shop")
        let gate = AsyncGate()
        async let held = mediator.perform("hold", on: "Shop", ["hold": gate.hold], returning: String.self)
        await gate.arrival()
        try await host.manager.uninstall(.shop)
        #expect(
            host.log == [
                "1.0.0 loads", "unloadedDuringCalls(count: 1, deadline: 0.02 seconds, version: 1.0.0)",
                "1.0.0 unloads",
            ])
        try await failingAsync(.targetUnknown) { try await mediator.perform("act", on: "Shop") }
        gate.open()
        #expect(try await held == "1.0.0")
    }

    @Test("A bundle that hangs in its unload callback is abandoned at the deadline, and the log says so")
    func hanging() async throws {
        try await mediator.perform("act", on: "Shop")
        try host.sandbox.container(of: .shop).appending("Documents/stay").write("")
        async let passed: Void = clock.passNextDeadline()
        try await host.manager.uninstall(.shop)
        await passed
        #expect(
            host.log == [
                "1.0.0 loads", "1.0.0 unloads",
                "unloadedEarly(error: errorWithReason(code: deadlineExceeded, reason: "
                    + "deadline(limit: seconds(seconds: 30), owner: its bundleWillUnload), "
                    + "subject: com.example.app.shop), version: 1.0.0)",
            ])
        #expect(host.states(of: "com.example.app.shop@1.0.0").suffix(2) == ["retired", "removed"])
    }

    @Test("No call reaches a bundle after its uninstall is visible, however busy the main actor is")
    func withdrawn() async throws {
        try await mediator.perform("act", on: "Shop")
        let asked = Flag()
        let late = Task { @concurrent in
            while try host.registry.active.bundle(.shop) != nil { await Task.yield() }
            defer { asked.raise() }
            try await mediator.perform("act", on: "Shop")
        }
        // Blocks the main actor from the removal of the bundle until another task has called it.
        let busy = Task { @MainActor in
            while !asked.isRaised {
                let end = ContinuousClock.now + .milliseconds(100)
                while ContinuousClock.now < end, !asked.isRaised {}
                await Task.yield()
            }
        }
        try await host.manager.uninstall(.shop)
        await #expect(throws: AtriumError.self) { try await late.value }
        await busy.value
    }

    @Test("A bundle whose removal from the registry fails is loaded again by the next request")
    func stays() async throws {
        try await mediator.perform("act", on: "Shop")
        let database = try host.database()
        try database.execute("CREATE TRIGGER refusal BEFORE DELETE ON active BEGIN SELECT RAISE(ABORT, 'refused'); END")
        await #expect(throws: AtriumError.self) { try await host.manager.uninstall(.shop) }
        #expect(host.log == ["1.0.0 loads", "1.0.0 unloads"])
        #expect(try await mediator.perform("act", on: "Shop", returning: String.self) == "1.0.0")
        #expect(host.log == ["1.0.0 loads", "1.0.0 unloads", "1.0.0 loads"])
    }

    @Test("An unloaded bundle's outgoing calls fail, whether it was replaced or removed")
    func callsOut() async throws {
        typealias Call = @Sendable () async throws -> any Sendable
        for version in ["1.0.0", "2.0.0"] {
            #expect(try await mediator.perform("act", on: "Shop", returning: String.self) == version)
            let call = try await mediator.perform("caller", on: "Shop", returning: Call.self)
            #expect(try await call() as? String == version)
            if version == "1.0.0" {
                try await host.manager.update(.shop)
            } else {
                try await host.manager.uninstall(.shop)
            }
            let error = try await failingAsync(.bundleUnavailable, of: TestHost.shop.text) { try await call() }
            // The error names the unloaded caller, not the called bundle.
            #expect(error.reason?.description == "unloaded")
        }
    }

    @Test("Services and observers are removed with their version, and the successor registers its own")
    func servicesAndEvents() async throws {
        #expect(try await mediator.perform("greeting", on: "Shop", returning: String.self) == "1.0.0")
        await host.manager.events.post("Ping", 1)
        try await host.manager.update(.shop)
        await host.manager.events.post("Ping", 2)
        #expect(try await mediator.perform("greeting", on: "Shop", returning: String.self) == "2.0.0")
        await host.manager.events.post("Ping", 3)
        try await host.manager.uninstall(.shop)
        await host.manager.events.post("Ping", 4)
        #expect(host.log.filter { $0.contains("hears") } == ["1.0.0 hears 1", "2.0.0 hears 3"])
    }
}
