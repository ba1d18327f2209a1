public import PluginCore
import Synchronization

/// A recorder of the times that a page was invalidated, like a host that shows it.
///
/// ```swift
/// let recorder = InvalidationRecorder(of: page)
/// await bench.events.post("Prices.changed", ["ACME"])
/// await recorder.next()
/// #expect(page.content == [.field(label: "ACME", value: "12.50")])
/// ```
public final class InvalidationRecorder: Sendable {
    private struct State {
        var count = 0
        var seen = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
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
    /// A test that ends its own time limit here shows that the page was not invalidated.
    public func next() async {
        await withCheckedContinuation { continuation in
            let isDue = state.withLock { state in
                guard state.seen < state.count else {
                    state.waiting.append(continuation)
                    return false
                }
                state.seen = state.count
                return true
            }
            if isDue { continuation.resume() }
        }
    }

    private func record() {
        let waiting = state.withLock { state in
            state.count += 1
            if !state.waiting.isEmpty { state.seen = state.count }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
