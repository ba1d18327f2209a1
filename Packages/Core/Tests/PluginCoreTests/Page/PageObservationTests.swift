import PluginCore
import Synchronization
import Testing

@Suite("Pages that change by themselves", .tags(.small), .timeLimit(.minutes(1)))
@MainActor
struct PageObservationTests {
    private final class Clock: Page {
        let title = "Clock"
        let content: [PageElement] = []
    }

    private final class Frame: PageWrapper {
        nonisolated let wrapped: any Page
        let title = "Frame"
        let content: [PageElement] = []
        init(_ page: any Page) { wrapped = page }
    }

    private final class Count: Sendable {
        private let count = Mutex(0)
        var value: Int { count.withLock { $0 } }
        func add() { count.withLock { $0 += 1 } }
    }

    private let clock = Clock()
    private let count = Count()

    @Test("Each observer of a page learns that it was invalidated, until its observation ends")
    func observers() {
        let other = Count()
        let first = PageObservation(of: clock) { [count] in count.add() }
        var second: PageObservation? = PageObservation(of: clock) { other.add() }
        clock.invalidate()
        #expect(count.value == 1 && other.value == 1)
        first.cancel()
        clock.invalidate()
        #expect(count.value == 1 && other.value == 2)
        withExtendedLifetime(second) {}
        second = nil
        clock.invalidate()
        #expect(other.value == 2)
    }

    @Test("Invalidating a page means no other page, and nothing if nobody observes it")
    func otherPages() {
        let observation = PageObservation(of: Clock()) { [count] in count.add() }
        clock.invalidate()
        // Pages can get the address of the one that is gone.
        for _ in 0..<100 { Clock().invalidate() }
        #expect(count.value == 0)
        withExtendedLifetime(observation) {}
    }

    @Test("A thousand invalidations before a host draws are at most two elements of its stream")
    func coalescing() async {
        let stream = clock.invalidations()
        let reading = Task { [count] in for await _ in stream { count.add() } }
        for _ in 1...3 {
            let before = count.value
            // The reader runs on the main actor, too, and so after these: one element wakes it, and one is kept for it.
            for _ in 0..<1000 { clock.invalidate() }
            while count.value == before, !Task.isCancelled { await Task.yield() }
            for _ in 0..<100 { await Task.yield() }
            #expect(count.value <= before + 2)
        }
        reading.cancel()
        await reading.value
    }

    @Test("A page may be invalidated on any thread")
    func threads() async {
        let observation = PageObservation(of: clock) { [count] in count.add() }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { [clock] in for _ in 0..<100 { clock.invalidate() } }
            }
        }
        #expect(count.value == 800)
        withExtendedLifetime(observation) {}
    }

    @Test("A page that shows another one is invalidated with it")
    func wrapper() {
        let frame = Frame(Frame(clock))
        let observation = PageObservation(of: frame) { [count] in count.add() }
        clock.invalidate()
        frame.invalidate()
        #expect(count.value == 2)
        withExtendedLifetime(observation) {}
    }

    @Test("Observing a page does not keep it")
    func lifetime() {
        var page: Clock? = Clock()
        weak let observed = page
        let observation = page.map { PageObservation(of: $0) {} }
        page = nil
        #expect(observed == nil)
        withExtendedLifetime(observation) {}
    }
}
