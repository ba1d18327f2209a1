import HostSystem
import Testing

@Suite("Deadlines of a process", .tags(.medium), .timeLimit(.minutes(1)))
struct DeadlineQueueTests {
    @Test("Closures run at their times, also one that is sooner than all others")
    func order() async throws {
        let (runs, running) = AsyncStream.makeStream(of: Int.self)
        let never = try DeadlineQueue.shared.after(600) { running.yield(5) }
        _ = try DeadlineQueue.shared.after(0.1) {
            // Nothing else runs before this closure returns, however long it takes.
            for (number, seconds) in [(3, -1.0), (1, -3), (2, -2), (4, 0.1)] {
                _ = try? DeadlineQueue.shared.after(seconds) { running.yield(number) }
            }
        }
        var numbers: [Int] = []
        for await number in runs.prefix(4) { numbers.append(number) }
        #expect(numbers == [1, 2, 3, 4])
        DeadlineQueue.shared.cancel(never)
    }

    @Test("A canceled closure does not run")
    func cancellation() async throws {
        let (runs, running) = AsyncStream.makeStream(of: String.self)
        _ = try DeadlineQueue.shared.after(-1) {
            // Nothing else runs before this closure returns, however long it takes.
            guard let deadline = try? DeadlineQueue.shared.after(0.05, { running.yield("canceled") }) else { return }
            DeadlineQueue.shared.cancel(deadline)
            _ = try? DeadlineQueue.shared.after(0.1) { running.yield("later") }
        }
        for await run in runs.prefix(1) { #expect(run == "later") }
    }

    @Test("A deadline that has passed runs at once, and a closure can set another one")
    func nested() async throws {
        let (runs, running) = AsyncStream.makeStream(of: String.self)
        _ = try DeadlineQueue.shared.after(-1) {
            running.yield("first")
            _ = try? DeadlineQueue.shared.after(0.01) { running.yield("second") }
        }
        var found: [String] = []
        for await run in runs.prefix(2) { found.append(run) }
        #expect(found == ["first", "second"])
    }
}
