import PluginCore
import PluginRouter
import Testing

@Suite("Events", .tags(.small))
struct EventTests {
    private let host = RouterFixture()
    private let heard = Notes()

    private func bus(_ owner: String) -> (lease: Lease, events: any EventBus) {
        let lease = Lease(owner: owner)
        return (lease, host.events.leased(to: lease))
    }

    @Test("Observers are called one after the other, by priority and then by order of registration")
    func order() async throws {
        let events = bus("a").events
        for (name, priority) in [("late", -1), ("first", 0), ("second", 0), ("early", 5)] {
            try events.observe("E", priority: priority) { payload in
                await Task.yield()
                heard.add("\(name) \(payload)")
            }
        }
        await bus("b").events.post("E", 7)
        #expect(heard.all == ["early 7", "first 7", "second 7", "late 7"])
    }

    @Test("An error of an observer is logged and does not affect the other observers")
    func throwing() async throws {
        let events = bus("a").events
        try events.observe("E", priority: 1) { _ in throw AtriumError(.inputOutput, "disk") }
        try events.observe(Event<Int>("E"), priority: 1) { heard.add("number \($0)") }
        try events.observe("E", priority: 0) { _ in heard.add("heard") }
        await events.post("E", "text")
        #expect(heard.all == ["heard"])
        #expect(
            host.log.all == [
                "a: observing E: inputOutput: disk",
                "a: observing E: parameterType: E (typeDiffers(expected: Int, found: String))",
            ])
    }

    @Test("An observer that exceeds its deadline affects neither the other observers nor the poster")
    func hanging() async throws {
        let clock = ManualClock()
        let host = RouterFixture(clock: clock)
        let events = host.events.leased(to: Lease(owner: "a"))
        try events.observe("E", priority: 1) { _ in await Latch().passed() }
        try events.observe("E", priority: 0) { _ in heard.add("heard") }
        let posting = Task { await events.post("E", 1) }
        // Once only, because the next observer has a deadline, too.
        await clock.sleepers(1)
        clock.advance(by: .seconds(30))
        await posting.value
        #expect(heard.all == ["heard"])
        #expect(
            host.log.all == ["a: observing E: deadlineExceeded: E (deadline(limit: seconds(seconds: 30), owner: a))"])
    }

    @Test("An observer whose bundle is unloaded during delivery is not called anymore")
    func going() async throws {
        let (one, other) = (bus("one"), bus("other"))
        try one.events.observe("E", priority: 1) { _ in
            heard.add("one")
            host.registrationStore.revoke(other.lease)
        }
        try other.events.observe("E", priority: 0) { _ in heard.add("other") }
        await one.events.post("E", ())
        #expect(heard.all == ["one"])
        #expect(throws: AtriumError.self) { try other.events.observe("E", priority: 0) { _ in } }
    }

    @Test("Events that cause each other endlessly stop at the limit, and the log says so")
    func endless() async throws {
        let (first, second) = (bus("first"), bus("second"))
        let told = Counter()
        try first.events.observe("ping", priority: 0) { _ in
            if told.next() < 1000 { await first.events.post("pong", ()) }
        }
        try second.events.observe("pong", priority: 0) { _ in await second.events.post("ping", ()) }
        await first.events.post("ping", ())
        #expect(told.value == 16)
        #expect(host.log.all.count == 1)
        #expect(
            host.log.all.first?.hasPrefix("second: posting ping: chainTooLong: ping (chain(path: [ping, pong, ")
                == true)
        // The chain has ended, so the next event starts a new one.
        await second.events.post("pong", ())
        #expect(told.value == 32)
    }

    @Test("A canceled observer is not called anymore, even if it is next in line")
    func canceled() async throws {
        let events = bus("a").events
        let last = try events.observe("E", priority: -1) { _ in heard.add("last") }
        let first = try events.observe("E", priority: 1) { _ in
            heard.add("first")
            last.cancel()
        }
        await events.post("E", 1)
        first.cancel()
        first.cancel()
        await events.post("E", 1)
        #expect(heard.all == ["first"])
    }

    @Test("An unloaded bundle cannot post events")
    func closed() async throws {
        let (lease, events) = bus("a")
        try bus("b").events.observe("E", priority: 0) { _ in heard.add("heard") }
        host.registrationStore.revoke(lease)
        await events.post("E", 1)
        lease.close()
        await events.post("E", 2)
        #expect(heard.all == ["heard"])
    }
}
