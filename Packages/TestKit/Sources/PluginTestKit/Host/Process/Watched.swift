internal import Synchronization

/// A value that several threads change, and for whose changes tasks wait.
final class Watched<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
        var count = 0
    }

    private let state: Mutex<State>

    init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    /// The current value.
    var value: Value { state.withLock { $0.value } }

    /// Changes the value and wakes those who wait.
    @discardableResult
    func update<Result: Sendable>(_ change: (inout Value) throws -> Result) rethrows -> Result {
        try state.withLock { state in
            defer { for watcher in state.watchers.values { watcher.yield() } }
            return try change(&state.value)
        }
    }

    /// Returns the first result of a closure that is not nil, called now and after changes, or nil after the time limit and in a canceled task.
    func wait<Answer: Sendable>(_ limit: Duration, until answer: (inout Value) -> Answer?) async -> Answer? {
        let (changes, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        continuation.yield()
        let number = state.withLock { state in
            state.count += 1
            state.watchers[state.count] = continuation
            return state.count
        }
        let timer = Task.detached {
            try? await Task.sleep(for: limit)
            continuation.finish()
        }
        defer {
            timer.cancel()
            state.withLock { $0.watchers[number] = nil }
        }
        for await _ in changes {
            if let found = state.withLock({ answer(&$0.value) }) { return found }
        }
        return nil
    }
}
