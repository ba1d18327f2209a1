import Synchronization

/// A Boolean value that can be raised from any thread.
final class Flag: Sendable {
    private let state = Atomic<Bool>(false)
    var isRaised: Bool { state.load(ordering: .acquiring) }
    func raise() { state.store(true, ordering: .releasing) }
}

/// A list that several tasks can append to.
final class Collected<Element: Sendable>: Sendable {
    private let collected = Mutex<[Element]>([])
    var all: [Element] { collected.withLock { $0 } }
    func add(_ element: Element) { collected.withLock { $0.append(element) } }
}

typealias Lines = Collected<String>

/// A latch that suspends its callers until it is opened and reports the first arrival.
final class AsyncGate: Sendable {
    private let opened = AsyncStream<Void>.makeStream()
    private let arrived = AsyncStream<Void>.makeStream()

    var hold: @Sendable () async -> Void {
        { [self] in
            arrived.continuation.yield()
            for await _ in opened.stream {}
        }
    }

    func open() { opened.continuation.finish() }

    func arrival() async {
        for await _ in arrived.stream { return }
    }
}

/// A clock that stands still until a test advances it, so that deadlines don't depend on the load of the machine.
final class TestClock: Clock {
    struct Instant: InstantProtocol {
        let time: Duration
        func advanced(by duration: Duration) -> Instant { Instant(time: time + duration) }
        func duration(to other: Instant) -> Duration { other.time - time }
        static func < (one: Instant, other: Instant) -> Bool { one.time < other.time }
    }

    private struct State {
        var time = Duration.zero
        var next = 0
        var sleepers: [Int: (due: Duration, continuation: CheckedContinuation<Void, any Error>)] = [:]
        var canceled: Set<Int> = []
    }

    private let state = Mutex(State())

    var now: Instant { Instant(time: state.withLock { $0.time }) }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<Void, any Error>? in
                    if state.canceled.contains(number) { return .failure(CancellationError()) }
                    if state.time >= deadline.time { return .success(()) }
                    state.sleepers[number] = (deadline.time, continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                state.canceled.insert(number)
                return state.sleepers.removeValue(forKey: number)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Waits until a task sleeps, then advances the time to the earliest deadline.
    func passNextDeadline() async {
        while state.withLock({ $0.sleepers.isEmpty }) { await Task.yield() }
        let due = state.withLock { state in
            state.time = max(state.time, state.sleepers.values.map(\.due).min() ?? state.time)
            let due = state.sleepers.filter { $0.value.due <= state.time }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }
}
