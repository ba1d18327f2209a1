import PluginCore
import PluginRouter
import PluginRuntime
import SQLite
import Synchronization
import Testing

@Suite("A bundle that goes")
struct DrainTests {
    /// A host that has the first version of a bundle installed, and knows the second.
    private static func withShop(
        drainDeadline: Duration = .seconds(3600), clock: TestClock = TestClock(),
        _ body: (TestHost, any Mediating) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            let host = try TestHost(folder, drainDeadline: drainDeadline)
            for (version, library) in [("1.0.0", LoadTests.one), ("2.0.0", LoadTests.two)] {
                try host.offer(SamplePackage(version: version, targets: ["Shop"], library: await library.value))
            }
            let (_, mediator) = await host.connect(supply: nil, clock: clock)
            try await host.manager.install(TestHost.shop, version: host.version("1.0.0"))
            try await body(host, mediator)
        }
    }

    @Test("is told so when its calls in flight have ended, each with its result; new calls reach its successor")
    func drains() async throws {
        try await Self.withShop { host, mediator in
            let door = Door()
            async let held = mediator.perform("hold", on: "Shop", ["hold": door.hold], returning: String.self)
            await door.arrival()
            async let update = host.manager.update(TestHost.shop)
            while try await mediator.perform("act", on: "Shop", returning: String.self) != "2.0.0" {
                await Task.yield()
            }
            #expect(host.states(of: "com.example.app.shop@1.0.0").last == "draining")
            #expect(host.log == ["1.0.0 loads", "2.0.0 loads"])
            // Nobody has to wait for it to change the sandbox.
            try host.offer(SamplePackage(identifier: "com.example.app.other"))
            try await host.another().manager.install("com.example.app.other")
            #expect(host.states(of: "com.example.app.shop@1.0.0").last == "draining")
            door.open()
            #expect(try await held == "1.0.0")
            _ = try await update
            #expect(host.states(of: "com.example.app.shop@1.0.0").last == "retired")
            #expect(host.log == ["1.0.0 loads", "2.0.0 loads", "1.0.0 unloads"])
        }
    }

    @Test("is waited for no longer than the host allows, which its log says; later calls are bundleUnavailable")
    func deadline() async throws {
        try await Self.withShop(drainDeadline: .milliseconds(20)) { host, mediator in
            _ = try await mediator.perform("act", on: "Shop")
            let door = Door()
            async let held = mediator.perform("hold", on: "Shop", ["hold": door.hold], returning: String.self)
            await door.arrival()
            try await host.manager.uninstall(TestHost.shop)
            #expect(
                host.log == [
                    "1.0.0 loads", "1.0.0 goes while calls are in flight: 1 after 0.02 seconds", "1.0.0 unloads",
                ])
            let error = await #expect(throws: AtriumError.self) { try await mediator.perform("act", on: "Shop") }
            #expect(error?.code == .bundleUnavailable)
            door.open()
            #expect(try await held == "1.0.0")
        }
    }

    @Test("and hangs when it is told so is waited for as long as a handler, which its log says, and goes")
    func hanging() async throws {
        let clock = TestClock()
        try await Self.withShop(clock: clock) { host, mediator in
            try await mediator.perform("act", on: "Shop")
            try host.sandbox.container(of: TestHost.shop).appending("Documents/stay").write("")
            async let passed: Void = clock.passNextDeadline()
            try await host.manager.uninstall(TestHost.shop)
            await passed
            #expect(
                host.log == [
                    "1.0.0 loads", "1.0.0 unloads",
                    "1.0.0 goes before it is done: deadlineExceeded: com.example.app.shop "
                        + "(its bundleWillUnload had 30 seconds)",
                ])
            #expect(host.states(of: "com.example.app.shop@1.0.0").suffix(2) == ["retired", "removed"])
        }
    }

    @Test("is reached by nobody who knows that it has gone, however busy the main actor is")
    func withdrawn() async throws {
        try await Self.withShop { host, mediator in
            try await mediator.perform("act", on: "Shop")
            let asked = Flag()
            let late = Task { @concurrent in
                while try host.registry.installed(TestHost.shop) != nil { await Task.yield() }
                defer { asked.raise() }
                try await mediator.perform("act", on: "Shop")
            }
            // Holds the main actor from the moment in which the bundle has gone until somebody has asked for it.
            let busy = Task { @MainActor in
                while !asked.isRaised {
                    let end = ContinuousClock.now + .milliseconds(100)
                    while ContinuousClock.now < end, !asked.isRaised {}
                    await Task.yield()
                }
            }
            try await host.manager.uninstall(TestHost.shop)
            await #expect(throws: AtriumError.self) { try await late.value }
            await busy.value
        }
    }

    @Test("and cannot be taken out of the registry is loaded anew by the next request")
    func stays() async throws {
        try await Self.withShop { host, mediator in
            try await mediator.perform("act", on: "Shop")
            let database = try Database(path: host.sandbox.registry.string)
            try database.execute(
                "CREATE TRIGGER refusal BEFORE DELETE ON active BEGIN SELECT RAISE(ABORT, 'refused'); END")
            await #expect(throws: AtriumError.self) { try await host.manager.uninstall(TestHost.shop) }
            #expect(host.log == ["1.0.0 loads", "1.0.0 unloads"])
            #expect(try await mediator.perform("act", on: "Shop", returning: String.self) == "1.0.0")
            #expect(host.log == ["1.0.0 loads", "1.0.0 unloads", "1.0.0 loads"])
        }
    }

    @Test("calls nobody any more, whether it was replaced or removed")
    func callsOut() async throws {
        try await Self.withShop { host, mediator in
            typealias Call = @Sendable () async throws -> any Sendable
            for version in ["1.0.0", "2.0.0"] {
                #expect(try await mediator.perform("act", on: "Shop", returning: String.self) == version)
                let call = try await mediator.perform("caller", on: "Shop", returning: Call.self)
                #expect(try await call() as? String == version)
                if version == "1.0.0" {
                    try await host.manager.update(TestHost.shop)
                } else {
                    try await host.manager.uninstall(TestHost.shop)
                }
                let error = await #expect(throws: AtriumError.self) { try await call() }
                #expect(error?.code == .bundleUnavailable)
                #expect(error?.subject == TestHost.shop)
                // Who calls has gone; that whom it calls has gone as well would read otherwise.
                #expect(error?.detail == "it has been unloaded")
            }
        }
    }

    @Test("takes its services and observers along, and its successor brings its own")
    func servicesAndEvents() async throws {
        try await Self.withShop { host, mediator in
            #expect(try await mediator.perform("greeting", on: "Shop", returning: String.self) == "1.0.0")
            await host.manager.events.post("Ping", 1)
            try await host.manager.update(TestHost.shop)
            await host.manager.events.post("Ping", 2)
            #expect(try await mediator.perform("greeting", on: "Shop", returning: String.self) == "2.0.0")
            await host.manager.events.post("Ping", 3)
            try await host.manager.uninstall(TestHost.shop)
            await host.manager.events.post("Ping", 4)
            #expect(host.log.filter { $0.contains("hears") } == ["1.0.0 hears 1", "2.0.0 hears 3"])
        }
    }
}
