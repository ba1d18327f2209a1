import PluginCore
import Testing

@testable import PluginRouter

@Suite("First calls into a bundle's code", .tags(.small))
@MainActor
struct FirstCallTests {
    /// A fixture with one bundle, and the events of its first calls. The bundle's code records when it runs.
    private let heard = Notes()
    private let fixture: RouterFixture

    init() {
        let heard = heard
        let shop = FakeBundle(
            identifier: "shop",
            routes: [
                .route("shop/item/:id", .object, "item"),
                .route("shop/choosy", .object, "choosy", mayDecline: true),
            ],
            targets: ["Shop"],
            serve: { _ in
                heard.add("code")
                return .object("item")
            },
            accepts: { _ in
                heard.add("code")
                return false
            },
            actions: [
                Action("work") { _ in
                    heard.add("code")
                    return ()
                }
            ])
        fixture = RouterFixture(installed: [shop])
        fixture.shelf.watch(Self.watch(into: heard))
    }

    private static func watch(into heard: Notes) -> FirstCall.Watch {
        { isHeld in
            heard.add(isHeld ? "begins, held" : "begins")
            return FirstCall(gaveWay: { heard.add("gave way") }, ended: { heard.add($0 ? "used" : "asked") })
        }
    }

    /// The recorded events without those after the end.
    private var lines: [String] { heard.all.filter { $0 != "gave way" } }

    @Test("The first call of an action is reported, and the next one is not")
    func action() async throws {
        try await fixture.mediator.perform("work", on: "Shop")
        #expect(lines == ["begins, held", "asked", "begins, held", "code", "used"])
        try await fixture.mediator.perform("work", on: "Shop")
        try await fixture.mediator.perform("work", on: "Shop")
        #expect(lines.dropFirst(5) == ["code", "code"])
    }

    @Test("A rejected call or a mere question does not count as the first call")
    func refused() async throws {
        _ = await failure { try await fixture.mediator.perform("wrok", on: "Shop") }
        #expect(lines == ["begins, held", "asked"])
        _ = try await fixture.router.canOpen(ResourceURI("app://shop/choosy"))
        try await fixture.mediator.perform("work", on: "Shop")
        #expect(lines.suffix(3) == ["begins, held", "code", "used"])
        #expect(lines.filter { $0 == "used" } == ["used"])
    }

    @Test("The first call of a declared route is reported on the main actor")
    func declared() async throws {
        _ = try await fixture.router.object(for: ResourceURI("app://shop/item/1"), userInfo: [:])
        #expect(lines == ["begins, held", "code", "used"])
    }

    @Test(
        "The first call of code that the bundle registered is reported where it runs",
        arguments: ["route", "interceptor"])
    func registered(what: String) async throws {
        let heard = heard
        let routing = fixture.router.leased(to: Lease(owner: "code", watching: Self.watch(into: heard)))
        if what == "route" {
            try await routing.register("code", kind: .handler) { _ in
                heard.add("code")
                return .object(())
            }
            try await fixture.router.open("app://code")
        } else {
            try await routing.intercept("free", by: Interceptor("code", allowing: { _ in heard.add("code") }))
            try await routing.register("free", kind: .handler) { _ in .object(()) }
            try await fixture.router.open("app://free")
        }
        #expect(lines.prefix(3) == ["begins", "code", "used"])
    }

    @Test("The first call of a service or an observer is reported")
    func others() async throws {
        let host = RouterFixture()
        for what in ["service", "event"] {
            let heard = Notes()
            let lease = Lease(owner: what, watching: Self.watch(into: heard))
            if what == "service" {
                try await host.services.leased(to: lease).provide("Clock", policy: .perCall) { heard.add("code") }
                _ = try await host.services.leased(to: lease).service(named: "Clock")
            } else {
                try host.events.leased(to: lease).observe("Ping", priority: 0) { _ in heard.add("code") }
                await host.events.leased(to: Lease(owner: "host")).post("Ping", ())
            }
            #expect(heard.all == ["begins", "code", "used"])
        }
    }

    @Test("A suspended first call is reported when its actor runs something else, and again when it ends")
    func waiting() async throws {
        let (gate, lease) = (AsyncGate(), Lease(owner: "shop", watching: Self.watch(into: heard)))
        let heard = heard
        let call = Task { @MainActor in
            await lease.invoking(.action) {
                heard.add("code")
                await gate.pass()
            }
        }
        await gate.arrival()
        // This task runs on the actor after the suspension was reported.
        await Task {}.value
        #expect(heard.all == ["begins, held", "code", "gave way"])
        gate.openUp()
        await call.value
        #expect(heard.all == ["begins, held", "code", "gave way", "used"])
    }

    @Test("A first call that fails counts as ended")
    func failing() async throws {
        let lease = Lease(owner: "shop", watching: Self.watch(into: heard))
        _ = await failure { try await lease.invoking(.action) { throw AtriumError(.inputOutput, "disk") } }
        #expect(lines == ["begins, held", "used"])
        #expect(lease.isUsed(for: .action))
    }

    @Test("The first call is reported once for each purpose")
    func purposes() async throws {
        let (lease, heard) = (Lease(owner: "shop", watching: Self.watch(into: heard)), heard)
        for _ in 0..<2 {
            for purpose in [Lease.Purpose.resource, .action, .interception, .event, .service] {
                await lease.invoking(purpose) { heard.add("\(purpose)") }
            }
        }
        let first = ["resource", "action", "interception", "event", "service"].flatMap { ["begins, held", $0, "used"] }
        #expect(lines == first + ["resource", "action", "interception", "event", "service"])
    }

    @Test("Only one first call is reported if many start at once")
    func atOnce() async throws {
        let lease = Lease(owner: "shop", watching: Self.watch(into: heard))
        await withTaskGroup { group in
            for _ in 0..<100 { group.addTask { @concurrent in await lease.invoking(.action) {} } }
        }
        #expect(heard.all == ["begins", "used"])
    }
}
