import PluginCore
internal import Synchronization

/// Counts the time that code has used of what it was given, and stands still while the code waits for a user.
final class Stopwatch: Sendable {
    /// The one that counts for the task; outside of it are those of who called it.
    @TaskLocal static var current: Stopwatch?

    private enum Phase {
        case fresh
        case counting(onOver: @Sendable () -> Void)
        case stopped
        case over
    }

    private struct State {
        var phase = Phase.fresh
        var spent = Duration.zero
        /// Since when it runs; `nil` while it stands still.
        var since: Duration?
        var pauses = 0
        /// Calls off what is to happen when the time is over, if it stands still for no moment until then.
        var callOff: Timekeeper.CallOff?
    }

    private let limit: Duration
    private let clock: Timekeeper
    private let outer: Stopwatch?
    private let state = Mutex(State())

    init(_ limit: Duration, clock: any Clock<Duration>, within outer: Stopwatch?) {
        self.limit = limit
        self.clock = Timekeeper(clock)
        self.outer = outer
    }

    /// Starts it. `onOver` is called when the time is over, unless it is stopped before.
    func start(_ onOver: @escaping @Sendable () -> Void) {
        state.withLock { state in
            // What it counts for may have ended already.
            guard case .fresh = state.phase else { return }
            state.phase = .counting(onOver: onOver)
            go(&state)
        }
    }

    /// Stops it for good.
    func stop() {
        state.withLock { state in
            stand(&state)
            // What has ended too late has ended too late.
            if case .over = state.phase { return }
            state.phase = .stopped
        }
    }

    private func pause() {
        outer?.pause()
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
        outer?.resume()
    }

    private func expire() {
        let onOver: (@Sendable () -> Void)? = state.withLock { state in
            guard case .counting(let onOver) = state.phase, state.since != nil else { return nil }
            stand(&state)
            guard state.spent >= limit else {
                go(&state)
                return nil
            }
            state.phase = .over
            return onOver
        }
        onOver?()
    }

    private func go(_ state: inout State) {
        guard case .counting = state.phase, state.pauses == 0, state.since == nil else { return }
        let now = clock.now
        state.since = now
        state.callOff = clock.call(at: now + limit - state.spent) { self.expire() }
    }

    private func stand(_ state: inout State) {
        guard let since = state.since else { return }
        state.spent += clock.now - since
        state.since = nil
        state.callOff?()
        state.callOff = nil
    }
}

extension Stopwatch {
    /// Runs `body` while all that count for the task stand still, if so wished.
    static func pausing<R>(_ isWished: Bool, _ body: () async throws -> R) async rethrows -> R {
        guard isWished, let current else { return try await body() }
        current.pause()
        defer { current.resume() }
        return try await body()
    }

    /// - Throws: ``AtriumError`` with code `deadlineExceeded` in code whose time is over: it was left behind, and whatever it
    ///   asks for would come as a surprise.
    static func requireTime() throws(AtriumError) {
        for watch in sequence(first: current, next: { $0?.outer }) {
            guard let watch else { return }
            if watch.isOver {
                throw AtriumError(.deadlineExceeded, "a request", detail: "who makes it had \(watch.limit.spelt)")
            }
        }
    }

    private var isOver: Bool {
        state.withLock { state in
            if case .over = state.phase { true } else { false }
        }
    }
}
