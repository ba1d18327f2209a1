import PluginCore
internal import Synchronization

/// The access to the deferred requests: one change at a time, and one caller at a time that opens them.
final class DeferredCoordinator: Sendable {
    private let store: (any DeferredStore)?
    private let queue = Mutex<DeferredQueue?>(nil)
    private let isOpening = Atomic<Bool>(false)

    /// - Parameter store: The store of the queue, or `nil` to store it in memory.
    init(_ store: (any DeferredStore)?) {
        self.store = store
    }

    /// Loads the queue, changes it, and saves it if it has changed.
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

    /// Starts opening the deferred requests.
    ///
    /// - Returns: `false` if another caller is already opening them. Otherwise, ``end()`` must be called afterward.
    func begin() -> Bool {
        isOpening.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
    }

    func end() {
        isOpening.store(false, ordering: .releasing)
    }
}
