import PluginCore
import PluginRouter
import Testing

@Suite("Events")
struct EventTests {
    private let host = BundleHost()
    private let heard = Box()

    private func bus(_ owner: String) -> (lease: Lease, events: any EventBus) {
        let lease = Lease(owner: owner)
        return (lease, host.events.leased(to: lease))
    }

    @Test("are heard by the higher priority first, and of equals by who came first, one after the other")
    func order() async throws {
        let events = bus("a").events
        for (name, priority) in [("late", -1), ("first", 0), ("second", 0), ("early", 5)] {
            try events.observe("E", priority: priority) { payload in
                await Task.yield()
                heard.add("\(name) \(payload)")
            }
        }
        await bus("b").events.post("E", 7)
        #expect(heard.lines == ["early 7", "first 7", "second 7", "late 7"])
    }

    @Test("reach the others when an observer throws, which its log hears of")
    func throwing() async throws {
        let events = bus("a").events
        try events.observe("E", priority: 1) { _ in throw AtriumError(.inputOutput, "disk") }
        try events.observe(Event<Int>("E"), priority: 1) { heard.add("number \($0)") }
        try events.observe("E", priority: 0) { _ in heard.add("heard") }
        await events.post("E", "text")
        #expect(heard.lines == ["heard"])
        #expect(
            host.log.lines == [
                "a: observing E: inputOutput: disk", "a: observing E: parameterType: E (Int is needed, not String)",
            ])
    }

    @Test("reach the others, and the poster goes on, when an observer hangs for longer than it has")
    func hanging() async throws {
        let clock = ManualClock()
        let host = BundleHost(clock: clock)
        let events = host.events.leased(to: Lease(owner: "a"))
        try events.observe("E", priority: 1) { _ in await Latch().passed() }
        try events.observe("E", priority: 0) { _ in heard.add("heard") }
        let posting = Task { await events.post("E", 1) }
        await clock.sleepers(1)
        clock.advance(by: .seconds(30))
        await posting.value
        #expect(heard.lines == ["heard"])
        #expect(host.log.lines == ["a: observing E: deadlineExceeded: E (a had 30 seconds)"])
    }

    @Test("are not heard by an observer whose bundle goes while they are told")
    func going() async throws {
        let (one, other) = (bus("one"), bus("other"))
        try one.events.observe("E", priority: 1) { _ in
            heard.add("one")
            host.board.revoke(other.lease)
        }
        try other.events.observe("E", priority: 0) { _ in heard.add("other") }
        await one.events.post("E", ())
        #expect(heard.lines == ["one"])
        #expect(throws: AtriumError.self) { try other.events.observe("E", priority: 0) { _ in } }
    }

    @Test("may be told by an observer")
    func nested() async throws {
        let events = bus("a").events
        try events.observe("outer", priority: 0) { _ in
            heard.add("before")
            await events.post("inner", 1)
            heard.add("after")
        }
        try events.observe("inner", priority: 0) { _ in heard.add("inner") }
        await events.post("outer", 1)
        #expect(heard.lines == ["before", "inner", "after"])
    }

    @Test("that lead back to themselves for ever are told no more after a while, which the log hears of")
    func endless() async throws {
        let (first, second) = (bus("first"), bus("second"))
        let told = Counter()
        try first.events.observe("ping", priority: 0) { _ in
            if told.next() < 1000 { await first.events.post("pong", ()) }
        }
        try second.events.observe("pong", priority: 0) { _ in await second.events.post("ping", ()) }
        await first.events.post("ping", ())
        #expect(told.value == 16)
        #expect(host.log.lines.count == 1)
        #expect(host.log.lines.first?.hasPrefix("second: posting ping: chainTooLong: ping (ping -> pong -> ") == true)
        // And it leaves nothing behind: the next one starts a chain of its own.
        await second.events.post("pong", ())
        #expect(told.value == 32)
    }

    @Test("are heard until the observation is cancelled, by an observer that is next in line as well")
    func cancelled() async throws {
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
        #expect(heard.lines == ["first"])
    }

    @Test("are told by no bundle that has gone")
    func closed() async throws {
        let (lease, events) = bus("a")
        try bus("b").events.observe("E", priority: 0) { _ in heard.add("heard") }
        host.board.revoke(lease)
        await events.post("E", 1)
        lease.close()
        await events.post("E", 2)
        #expect(heard.lines == ["heard"])
    }
}
