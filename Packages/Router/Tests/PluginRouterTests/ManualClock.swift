import Synchronization

/// A clock whose time a test advances, and that knows the sleeping tasks.
final class ManualClock: Clock {
    struct Instant: InstantProtocol {
        let time: Duration
        func advanced(by duration: Duration) -> Instant { Instant(time: time + duration) }
        func duration(to other: Instant) -> Duration { other.time - time }
        static func < (one: Instant, other: Instant) -> Bool { one.time < other.time }
    }

    private struct Sleeper {
        let due: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var time = Duration.zero
        var next = 0
        var sleepers: [Int: Sleeper] = [:]
        var canceled: Set<Int> = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

        /// Removes and returns the watchers that wait for the current number of sleeping tasks.
        mutating func met() -> [CheckedContinuation<Void, Never>] {
            let count = sleepers.count
            let met = watchers.filter { $0.count == count }.map(\.continuation)
            watchers.removeAll { $0.count == count }
            return met
        }
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
                let (met, result): ([CheckedContinuation<Void, Never>], Result<Void, any Error>?) = state.withLock {
                    if $0.canceled.contains(number) { return ([], .failure(CancellationError())) }
                    if $0.time >= deadline.time { return ([], .success(())) }
                    $0.sleepers[number] = Sleeper(due: deadline.time, continuation: continuation)
                    return ($0.met(), nil)
                }
                if let result { continuation.resume(with: result) }
                for watcher in met { watcher.resume() }
            }
        } onCancel: {
            let (sleeper, met) = state.withLock { state in
                state.canceled.insert(number)
                return (state.sleepers.removeValue(forKey: number), state.met())
            }
            sleeper?.continuation.resume(throwing: CancellationError())
            for watcher in met { watcher.resume() }
        }
    }

    /// Advances the time and wakes the tasks whose time has come.
    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.time += duration
            let due = state.sleepers.filter { $0.value.due <= state.time }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Advances the time step by step until a task ends, and returns its result.
    ///
    /// One step is not enough for code that has several deadlines one after the other: it may be over before the last of them starts.
    func advance<Value: Sendable>(by step: Duration, untilEndOf task: Task<Value, Never>) async -> Value {
        let passing = Task {
            while !Task.isCancelled {
                advance(by: step)
                try? await Task.sleep(for: .milliseconds(1))
            }
        }
        let value = await task.value
        passing.cancel()
        await passing.value
        return value
    }

    /// Waits until a given number of tasks sleep.
    func sleepers(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isMet = state.withLock { state in
                if state.sleepers.count == count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isMet { continuation.resume() }
        }
    }
}
