public import PluginCore
import Synchronization

/// A recorder of the times that a page was invalidated, like a host that shows it.
///
/// ```swift
/// let recorder = InvalidationRecorder(of: page)
/// await bench.events.post("Prices.changed", ["ACME"])
/// try await recorder.next()
/// #expect(page.content == [.field(label: "ACME", value: "12.50")])
/// ```
public final class InvalidationRecorder: Sendable {
    private struct State {
        var count = 0
        var seen = 0
        var waiting: [AsyncStream<Void>.Continuation] = []
    }

    private let state = Mutex(State())
    private let observation: Mutex<PageObservation?>

    /// Begins to record.
    public init(of page: any Page) {
        observation = Mutex(nil)
        let observation = PageObservation(of: page) { [weak self] in self?.record() }
        self.observation.withLock { $0 = observation }
    }

    /// The number of times so far. A host draws at most that often.
    public var count: Int { state.withLock { $0.count } }

    /// Waits until the page was invalidated since the last call, or since recording began.
    ///
    /// - Throws: ``FixtureError`` if the page is not invalidated in time, and `CancellationError`.
    public func next(within limit: Duration = .seconds(10)) async throws {
        let (invalidations, continuation) = AsyncStream<Void>.makeStream()
        state.withLock { state in
            guard state.seen < state.count else { return state.waiting.append(continuation) }
            state.seen = state.count
            continuation.yield()
        }
        let timer = Task {
            try? await Task.sleep(for: limit)
            continuation.finish()
        }
        defer { timer.cancel() }
        guard await invalidations.first(where: { true }) != nil else {
            try Task.checkCancellation()
            throw FixtureError("the page was not invalidated within \(limit)")
        }
    }

    private func record() {
        state.withLock { state in
            state.count += 1
            for continuation in state.waiting {
                // A wait that has timed out must not consume the invalidation.
                if case .enqueued = continuation.yield() { state.seen = state.count }
            }
            state.waiting = []
        }
    }
}
