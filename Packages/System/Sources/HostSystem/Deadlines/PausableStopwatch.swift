package import PluginCore
import Synchronization

/// The measurement of the time that code has used. It pauses while the code waits for a user.
package final class PausableStopwatch: Sendable {
    /// The stopwatch of the current task. It refers to those of the callers.
    @TaskLocal static var current: PausableStopwatch?

    private struct State {
        /// The closure to call when the time is over, or nil before the start and after the end.
        var onOver: (@Sendable () -> Void)?
        var isOver = false
        var spent = Duration.zero
        /// The time at which the stopwatch last started, or nil while it is paused.
        var since: Duration?
        var pauses = 0
        /// Cancels the timer for the end of the time.
        var callOff: (@Sendable () -> Void)?
    }

    private let limit: Duration
    private let clock: any _Concurrency.Clock<Duration>
    /// Returns the time since the creation of this object.
    private let elapsed: @Sendable () -> Duration
    private let outer = PausableStopwatch.current
    private let state = Mutex(State())

    init(_ limit: Duration, _ clock: any _Concurrency.Clock<Duration>) {
        self.limit = limit
        self.clock = clock
        elapsed = clock.elapsed()
    }

    /// Runs code in the isolation of the caller, stops when it has ended, and sets the outcome.
    func measure<R: Sendable>(
        _ body: () async throws -> R, _ outcome: FirstOutcome<R>, isolation: isolated (any Actor)? = #isolation
    ) async {
        let result: Result<R, any Error>
        do {
            result = .success(
                try await Self.$current.withValue(self) {
                    _ = isolation
                    return try await body()
                })
        } catch {
            result = .failure(error)
        }
        // Nothing resumes it after this.
        pause()
        outcome.resolve(result)
    }

    /// Starts the stopwatch. The closure is called when the time is over, unless the stopwatch is stopped earlier.
    func start(_ onOver: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.onOver = onOver
            // The measured code may already have ended.
            go(&state)
        }
    }

    private func pause() {
        state.withLock { state in
            state.pauses += 1
            stand(&state)
        }
    }

    private func resume() {
        state.withLock { state in
            state.pauses -= 1
            go(&state)
        }
    }

    private func expire() {
        let onOver: (@Sendable () -> Void)? = state.withLock { state in
            guard let onOver = state.onOver, state.since != nil else { return nil }
            stand(&state)
            guard state.spent >= limit else {
                go(&state)
                return nil
            }
            state.onOver = nil
            state.isOver = true
            return onOver
        }
        onOver?()
    }

    private func go(_ state: inout State) {
        guard state.onOver != nil, state.pauses == 0, state.since == nil else { return }
        state.since = elapsed()
        state.callOff = clock.call(after: limit - state.spent) { self.expire() }
    }

    private func stand(_ state: inout State) {
        guard let since = state.since else { return }
        state.spent += elapsed() - since
        state.since = nil
        state.callOff.take()?()
    }

    /// Runs a closure, optionally while all stopwatches of the current task are paused.
    package static func pausing<R>(_ isActive: Bool, _ body: () async throws -> R) async rethrows -> R {
        let watches = isActive ? Array(all) : []
        for watch in watches { watch.pause() }
        defer { for watch in watches { watch.resume() } }
        return try await body()
    }

    /// The stopwatches of the current task, innermost first.
    private static var all: some Sequence<PausableStopwatch> {
        sequence(state: current) { watch in
            defer { watch = watch?.outer }
            return watch
        }
    }

    /// Throws an error if the deadline of the calling code is over, because nobody waits for its requests anymore.
    ///
    /// - Throws: ``AtriumError`` with code `deadlineExceeded`.
    package static func requireTime() throws(AtriumError) {
        for watch in all where watch.state.withLock({ $0.isOver }) {
            throw AtriumError(
                .deadlineExceeded, "a request", reason: "callerDeadline", ["limit": .reason(watch.limit.reason)])
        }
    }
}

/// A question that a request asks the user.
public enum UserQuestion {
    /// Runs a closure while the deadlines of all code that waits for it are paused, because users may take any time to answer.
    public static func pausingDeadlines<R>(_ body: () async throws -> R) async rethrows -> R {
        try await PausableStopwatch.pausing(true, body)
    }
}
