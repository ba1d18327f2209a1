internal import HostSystem
internal import Synchronization

/// A check that the main thread of the other process responds while calls wait for it.
///
/// A call may take any time, for example because it waits for a user. A main thread that is blocked by one makes all others wait, too, so
/// the process is of no more use.
final class ResponsivenessCheck: Sendable {
    private let limit: Double
    private let onHang: @Sendable () -> Void
    private let state = Mutex(State())

    private struct State {
        /// The number of calls that wait.
        var calls = 0
        var isScheduled = false
    }

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - limit: The time between two checks, and in which the main thread must respond, in seconds.
    ///   - onHang: Called when it has not responded in time.
    init(limit: Double, onHang: @escaping @Sendable () -> Void) {
        self.limit = limit
        self.onHang = onHang
    }

    /// Begins to check while a call waits.
    func begin(_ objects: ObjectConnection) {
        let isFirst = state.withLock { state in
            state.calls += 1
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isFirst { schedule(objects) }
    }

    /// Ends the check for a call.
    func end() { state.withLock { $0.calls -= 1 } }

    private func schedule(_ objects: ObjectConnection) {
        // Without a thread for deadlines, those of the callers still hold.
        _ = try? DeadlineQueue.shared.after(limit) { [weak self, weak objects] in
            guard let self, let objects, continues() else { return }
            Task.detached { await self.ask(objects) }
        }
    }

    private func ask(_ objects: ObjectConnection) async {
        let deadline = try? DeadlineQueue.shared.after(limit, onHang)
        try? await objects.waitForMainThread()
        if let deadline { DeadlineQueue.shared.cancel(deadline) }
        if continues() { schedule(objects) }
    }

    /// Returns false, and stops, if no call waits.
    private func continues() -> Bool {
        state.withLock { state in
            state.isScheduled = state.calls > 0
            return state.isScheduled
        }
    }
}
