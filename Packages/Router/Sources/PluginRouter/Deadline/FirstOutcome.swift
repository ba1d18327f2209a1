internal import Synchronization

/// What comes of something that several try to settle: the first one counts. One task waits for it.
final class FirstOutcome<R: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<R, any Error>)
        case settled(Result<R, any Error>)
    }

    private let state = Mutex(State.open)

    /// Settles it, unless it has been.
    func settle(_ result: Result<R, any Error>) {
        let waiting: CheckedContinuation<R, any Error>? = state.withLock { state in
            switch state {
            case .settled: return nil
            case .open:
                state = .settled(result)
                return nil
            case .awaited(let continuation):
                state = .settled(result)
                return continuation
            }
        }
        waiting?.resume(with: result)
    }

    /// What it was settled with; `nil` when it has not been.
    var known: Result<R, any Error>? {
        state.withLock { state in
            if case .settled(let result) = state { result } else { nil }
        }
    }

    /// What it was settled with, as soon as it is.
    func value() async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            let known: Result<R, any Error>? = state.withLock { state in
                if case .settled(let result) = state { return result }
                state = .awaited(continuation)
                return nil
            }
            if let known { continuation.resume(with: known) }
        }
    }
}
