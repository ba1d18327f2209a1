import PluginCore
import Synchronization
import Testing

@testable import PluginRouter

@Suite("Leases", .tags(.small))
struct LeaseTests {
    private static func sample(_ version: String, gate: AsyncGate? = nil) -> FakeBundle {
        let context = Slot<SampleContext>()
        let wait = Action("wait") { _ in
            await gate?.pass()
            // A bundle that is being unloaded can still call others.
            return try await context.value?.mediator.perform("version", on: "Shop") ?? ()
        }
        return FakeBundle(
            identifier: "shop", targets: ["Shop"], actions: [Action("version") { _ in version }, wait],
            onLoad: { context.value = $0 })
    }

    @Test("A call in flight ends with its result, while new calls go to the successor")
    func successor() async throws {
        let gate = AsyncGate()
        let host = RouterFixture(Self.sample("1", gate: gate))
        async let waiting = host.mediator.perform("wait", on: "Shop")
        await gate.arrival()
        let lease = try await host.lease("shop")
        #expect(lease.calls == 1)
        host.replace("shop", by: Self.sample("2"))
        #expect(try await host.mediator.perform("version", on: "Shop") as? String == "2")
        #expect(lease.calls == 1)
        async let left = lease.drained(within: .seconds(60))
        gate.openUp()
        #expect(try await waiting as? String == "2")
        #expect(await left == 0)
    }

    @Test("Draining a lease does not wait longer than the given time")
    func deadline() async throws {
        let lease = Lease(owner: "shop")
        #expect(lease.begin())
        lease.revoke()
        #expect(!lease.begin())
        #expect(await lease.drained(within: .milliseconds(20)) == 1)
        lease.end()
        #expect(await lease.drained(within: .seconds(60)) == 0)
    }

    @Test("What ends with a lease ends once, when it is revoked or at once after that")
    func endings() {
        let (host, lease) = (RouterFixture(Self.sample("1")), Lease(owner: "shop"))
        let count = Mutex(0)
        lease.onRevoke { count.withLock { $0 += 1 } }
        #expect(count.withLock { $0 } == 0)
        host.registrationStore.revoke(lease)
        host.registrationStore.revoke(lease)
        #expect(count.withLock { $0 } == 1)
        lease.onRevoke { count.withLock { $0 += 1 } }
        #expect(count.withLock { $0 } == 2)
    }

    @Test("A revoked lease lets its bundle's calls out, and a closed lease does not")
    func closed() async throws {
        let host = RouterFixture(Self.sample("1"))
        let lease = Lease(owner: "caller")
        let (mediator, services) = (host.mediator.leased(to: lease), host.services.leased(to: lease))
        let events = host.events.leased(to: lease)
        host.registrationStore.revoke(lease)
        #expect(try await mediator.perform("version", on: "Shop") as? String == "1")
        lease.close()
        for call: @Sendable () async throws -> Void in [
            { try await mediator.perform("version", on: "Shop") },
            { try await mediator.perform(ResourceURI("app://Shop/version"), [:]) },
            { _ = try await services.service(named: "S") },
            { try await services.provide("S", policy: .perCall) { 1 } },
            { try events.observe("E", priority: 0) { _ in } },
        ] {
            #expect(await errorCode { try await call() } == .bundleUnavailable)
        }
    }

    @Test("Revoking a lease removes its routes, targets, services and observers in one step")
    func atomic() async throws {
        let host = RouterFixture(Self.sample("1"))
        let handler: RouteHandler = { _ in .object(1) }
        let reader = Task.detached { () -> Int in
            var moments = 0
            // At least one, also on a busy machine.
            while !Task.isCancelled || moments == 0 {
                let registrations = host.registrationStore.load()
                let there = [
                    !registrations.routes.routes.isEmpty, registrations.targets["Shop"] != nil,
                    registrations.services["Service"] != nil,
                    !registrations.observers.isEmpty,
                ]
                guard Set(there).count == 1 else { return -1 }
                moments += 1
                await Task.yield()
            }
            return moments
        }
        let listing = try #require(try await host.shelf.target(named: "Shop"))
        for _ in 0..<2_000 {
            let lease = Lease(owner: "shop")
            let route = Route(
                pattern: try RoutePattern("a"), kind: .object, owner: lease.owner,
                service: .code(RegisteredCode(handler: handler, accepts: nil, lease: lease, claim: 0)))
            let target = BoundTarget(ActionTarget("Shop", actions: []), listing: listing, lease: lease)
            try host.registrationStore.update(under: lease) { registrationStore throws(AtriumError) in
                try registrationStore.routes.insert(route)
                registrationStore.targets["Shop"] = target
                registrationStore.services["Service"] = ProvidedService(
                    name: "Service", policy: .perCall, lease: lease, isDeclared: true
                ) { 1 }
                registrationStore.observers.append(Observer(event: "Event", priority: 0, lease: lease) { _ in })
            }
            await Task.yield()
            host.registrationStore.revoke(lease)
        }
        reader.cancel()
        #expect(await reader.value > 0)
    }

    @Test("Concurrent calls are counted correctly while the lease is revoked")
    func concurrent() async throws {
        for _ in 0..<50 {
            let host = RouterFixture(Self.sample("1"))
            try await host.mediator.perform("version", on: "Shop")
            let lease = try await host.lease("shop")
            let outcomes = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        for _ in 0..<50 {
                            let result = try? await host.mediator.perform("version", on: "Shop") as? String
                            guard result == "1" || result == "2" else { return false }
                        }
                        return true
                    }
                }
                group.addTask {
                    host.replace("shop", by: Self.sample("2"))
                    return await lease.drained(within: .seconds(60)) == 0
                }
                return await group.reduce(true) { $0 && $1 }
            }
            #expect(outcomes)
            #expect(lease.calls == 0)
            #expect(try await host.mediator.perform("version", on: "Shop") as? String == "2")
        }
    }

    /// Does something when it is released.
    private final class Farewell: Sendable {
        let say: @Sendable () -> Void

        init(_ say: @escaping @Sendable () -> Void) {
            self.say = say
        }

        deinit { say() }
    }

    @Test(
        "An object that a registration held can change the registrations when it is released", .timeLimit(.minutes(15)))
    func farewell() async throws {
        let fixture = RouterFixture(installed: [])
        let (registrationStore, router) = (fixture.registrationStore, fixture.router)
        let (one, other) = (Lease(owner: "one"), Lease(owner: "other"))
        try await router.leased(to: other).register("other", kind: .handler) { _ in .object(()) }
        func register() async throws {
            let farewell = Farewell { registrationStore.revoke(other) }
            try await router.leased(to: one).register("one", kind: .handler) { _ in .object(farewell) }
        }
        try await register()
        #expect(await router.canOpen(try ResourceURI("app://other")))
        registrationStore.revoke(one)
        #expect(await router.canOpen(try ResourceURI("app://other")) == false)
    }
}
