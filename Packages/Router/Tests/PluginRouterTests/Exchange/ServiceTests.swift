import PluginCore
import PluginRouter
import Synchronization
import Testing

@Suite("Services", .tags(.small))
struct ServiceTests {
    /// Returns a bundle that provides a service, which counts its instances.
    private static func greeter(
        _ identifier: String = "greeter", policy: ServicePolicy, provides: Bool = true, made: Counter = Counter(),
        gate: AsyncGate? = nil
    ) -> FakeBundle {
        FakeBundle(
            identifier: identifier, services: ["Greeting"],
            onLoad: { context in
                guard provides else { return }
                try await context.services.provide("Greeting", policy: policy) {
                    await gate?.pass()
                    return "\(identifier) \(made.next())"
                }
            }
        )
    }

    private func user(of host: RouterFixture) -> any ServiceRegistry { host.services.leased(to: Lease(owner: "user")) }

    @Test(
        "A service has one instance per call or per bundle, depending on its policy", arguments: ServicePolicy.allCases)
    func policy(policy: ServicePolicy) async throws {
        let host = RouterFixture(Self.greeter(policy: policy))
        let services = user(of: host)
        let greetings = [
            try await services.service("Greeting", as: String.self),
            try await host.services.leased(to: Lease(owner: "other")).service("Greeting", as: String.self),
        ]
        #expect(greetings == (policy == .perCall ? ["greeter 1", "greeter 2"] : ["greeter 1", "greeter 1"]))
        #expect(host.shelf.loads == ["greeter"])
    }

    @Test(
        "A hanging instance creation fails at the deadline, and the next caller tries again",
        arguments: ServicePolicy.allCases)
    func hanging(policy: ServicePolicy) async throws {
        let (clock, made, entered) = (ManualClock(), Counter(), Latch())
        let greeter = FakeBundle(
            identifier: "greeter", services: ["Greeting"],
            onLoad: { context in
                try await context.services.provide("Greeting", policy: policy) {
                    entered.open()
                    if made.next() == 1 { await Latch().passed() }
                    return "hello"
                }
            })
        let services = user(of: RouterFixture(greeter, clock: clock))
        let asking = Task {
            await refusal { try await services.service("Greeting", as: String.self) }
        }
        // The load has a deadline, too.
        await entered.passed()
        let error = await clock.advance(by: .seconds(30), untilEndOf: asking)
        #expect(
            error?.description == "deadlineExceeded: Greeting (deadline(limit: seconds(seconds: 30), owner: greeter))")
        #expect(try await services.service("Greeting", as: String.self) == "hello")
    }

    @Test("A service per bundle is created once, even if two callers ask at the same time")
    func once() async throws {
        let (made, gate) = (Counter(), AsyncGate())
        let host = RouterFixture(Self.greeter(policy: .perBundle, made: made, gate: gate))
        _ = try await host.lease("greeter")
        let services = user(of: host)
        let greetings = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<10 { group.addTask { try await services.service("Greeting") } }
            await gate.arrival()
            gate.openUp()
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(greetings == ["greeter 1"])
        #expect(made.value == 1)
    }

    @Test("A service per bundle is created again by the bundle's successor")
    func successor() async throws {
        let made = Counter()
        let host = RouterFixture(Self.greeter(policy: .perBundle, made: made))
        let services = user(of: host)
        #expect(try await services.service("Greeting") == "greeter 1")
        host.replace("greeter", by: Self.greeter(policy: .perBundle, made: made))
        #expect(try await services.service("Greeting") == "greeter 2")
        #expect(host.shelf.loads == ["greeter", "greeter"])
    }

    @Test("A service that needs itself fails with an error that contains the path", arguments: ServicePolicy.allCases)
    func cycle(policy: ServicePolicy) async throws {
        let (host, made) = (RouterFixture(), Counter())
        let registry = host.services.leased(to: Lease(owner: "a"))
        try await registry.provide("A", policy: policy) { try await registry.service(named: "B") }
        try await registry.provide("B", policy: policy) {
            guard made.next() < 1000 else { return "nobody stopped it" }
            return try await registry.service(named: "A")
        }
        let error = await refusal { try await registry.service(named: "A") }
        #expect(error?.code == .routeCycle && error?.reason?.values == ["path": ["A", "B", "A"]])
    }

    @Test("A service may be requested again by its caller, and by a task that its creation started")
    func again() async throws {
        let (host, left) = (RouterFixture(), Slot<Task<Int, any Error>>())
        let registry = host.services.leased(to: Lease(owner: "a"))
        let gate = AsyncGate()
        let made = Counter()
        try await registry.provide("S", policy: .perCall) {
            let number = made.next()
            guard number == 1 else { return number }
            left.value = Task {
                await gate.pass()
                return try await registry.service("S")
            }
            return number
        }
        #expect(try await registry.service("S") == 1)
        #expect(try await registry.service("S") == 2)
        gate.openUp()
        #expect(try await left.value?.value == 3)
    }

    @Test("A service is found among loaded bundles, then in manifests, then in the catalog")
    func finding() async throws {
        let host = RouterFixture(offered: [Self.greeter(policy: .perCall)])
        #expect(try await user(of: host).service("Greeting") == "greeter 1")
        #expect(host.shelf.installed == ["greeter"])
        let undeclared = RouterFixture()
        try await undeclared.services.leased(to: Lease(owner: "a")).provide("Clock", policy: .perCall) { 7 }
        #expect(try await user(of: undeclared).service("Clock") == 7)
    }

    @Test("The error for an unknown service has suggestions, and a declared service that is not provided fails")
    func unknown() async throws {
        let services = user(of: RouterFixture(Self.greeter(policy: .perCall, provides: false)))
        let misspelled = await refusal { try await services.service(named: "Greetings") }
        #expect(misspelled?.code == .serviceUnknown && misspelled?.nearest == ["Greeting"])
        let missing = await refusal { try await services.service(named: "Greeting") }
        #expect(missing?.description == "serviceUnknown: Greeting (declaredOnly(owner: greeter))")
    }

    @Test("A service of a removed bundle is unknown")
    func gone() async throws {
        let host = RouterFixture(Self.greeter(policy: .perCall))
        _ = try await user(of: host).service(named: "Greeting")
        host.replace("greeter")
        let error = await refusal { try await user(of: host).service(named: "Greeting") }
        #expect(error?.code == .serviceUnknown && error?.subject == "Greeting")
    }

    @Test("A second bundle cannot provide a service with the same name")
    func conflict() async throws {
        let host = RouterFixture(Self.greeter(policy: .perCall))
        let other = host.services.leased(to: Lease(owner: "other"))
        let declared = await refusal { try await other.provide("Greeting", policy: .perCall) { 1 } }
        #expect(declared?.description == "serviceConflict: Greeting (bothProvide(other: greeter, owner: other))")
        let third = host.services.leased(to: Lease(owner: "third"))
        try await other.provide("Clock", policy: .perCall) { 1 }
        let running = await refusal { try await third.provide("Clock", policy: .perCall) { 1 } }
        #expect(running?.reason?.description == "bothProvide(other: other, owner: third)")
    }

    @Test("Code that provides a service before the bundle that declares it loses the name", arguments: [false, true])
    func taken(isInstalled: Bool) async throws {
        let greeter = Self.greeter(policy: .perCall)
        let host = RouterFixture(offered: isInstalled ? [] : [greeter])
        try await host.services.leased(to: Lease(owner: "other")).provide("Greeting", policy: .perCall) { "evil" }
        if isInstalled { host.replace("greeter", by: greeter) }
        for _ in 0..<2 { #expect(try await user(of: host).service("Greeting", as: String.self).hasPrefix("greeter")) }
    }

    @Test("A service of another type than requested is an error")
    func type() async throws {
        let services = user(of: RouterFixture(Self.greeter(policy: .perCall)))
        #expect(await errorCode { try await services.service("Greeting", as: Int.self) } == .resultType)
    }
}

/// A counter.
final class Counter: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock { $0 } }
    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
