import PluginCore
internal import Synchronization

/// Lets one at a time at the store, and one at a time open what is in it.
final class DeferredDesk: Sendable {
    private let store: (any DeferredStore)?
    private let queue = Mutex<DeferredQueue?>(nil)
    private let isOpening = Atomic<Bool>(false)

    /// - Parameter store: where the queue is kept; `nil` to keep it as long as the process lives.
    init(_ store: (any DeferredStore)?) {
        self.store = store
    }

    /// Reads the queue, changes it, and writes it when that made a difference.
    func change<R: Sendable>(_ body: (inout DeferredQueue) throws -> R) throws -> R {
        try queue.withLock { kept in
            let before = try store?.load() ?? kept ?? DeferredQueue()
            var queue = before
            let result = try body(&queue)
            if queue != before { try store?.save(queue) }
            kept = queue
            return result
        }
    }

    /// - Returns: `false` when somebody opens already; else ``end()`` must follow.
    func begin() -> Bool {
        isOpening.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
    }

    func end() {
        isOpening.store(false, ordering: .releasing)
    }
}
