import Synchronization

/// The time until which the fetched state of a catalog is used, for all that share it.
final class RefreshClock: Sendable {
    private struct State {
        var number = 0
        var end: ContinuousClock.Instant?
    }

    /// The time for which the result of a failed refresh is used, so that a search with many questions waits for the server only once.
    private static let maximumAgeAfterFailure = Duration.seconds(5)

    private let state = Mutex(State())
    private let maximumAge: Duration

    init(maximumAge: Duration) {
        self.maximumAge = maximumAge
    }

    /// The number of the current state, or nil if it must be refreshed.
    var current: Int? {
        state.withLock { state in state.end.flatMap { $0 > .now ? state.number : nil } }
    }

    /// Ends the current state soon, because an answer could not be fetched.
    func shorten() {
        state.withLock { state in state.end = state.end.map { min($0, .now + Self.maximumAgeAfterFailure) } }
    }

    /// Returns whether a state is still the current one, or was until now. Then it is used for some time more.
    ///
    /// An answer can arrive after the end of the state that was asked. Without this time, it would be asked for again and again.
    func prolong(_ number: Int) -> Bool {
        state.withLock { state in
            guard state.number == number, let end = state.end else { return false }
            if end <= .now { state.end = .now + min(Self.maximumAgeAfterFailure, maximumAge) }
            return true
        }
    }

    /// Begins a new state, and returns its number.
    func advance(afterFailure hasFailed: Bool) -> Int {
        state.withLock { state in
            state.number += 1
            state.end = .now + (hasFailed ? min(Self.maximumAgeAfterFailure, maximumAge) : maximumAge)
            return state.number
        }
    }
}
