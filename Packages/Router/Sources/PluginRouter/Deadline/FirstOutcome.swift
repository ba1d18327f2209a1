internal import Synchronization

/// A result that several tasks try to set. The first one counts. One task waits for it.
final class FirstOutcome<R: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<R, any Error>)
        case resolved(Result<R, any Error>)
    }

    private let state = Mutex(State.open)

    /// Sets the result, unless it is already set.
    func resolve(_ result: Result<R, any Error>) {
        let waiting: CheckedContinuation<R, any Error>? = state.withLock { state in
            switch state {
            case .resolved: return nil
            case .open:
                state = .resolved(result)
                return nil
            case .awaited(let continuation):
                state = .resolved(result)
                return continuation
            }
        }
        waiting?.resume(with: result)
    }

    /// The result, or nil if it is not set yet.
    var known: Result<R, any Error>? {
        state.withLock { state in
            if case .resolved(let result) = state { result } else { nil }
        }
    }

    /// Waits for the result.
    func value() async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            let known: Result<R, any Error>? = state.withLock { state in
                if case .resolved(let result) = state { return result }
                state = .awaited(continuation)
                return nil
            }
            if let known { continuation.resume(with: known) }
        }
    }
}
