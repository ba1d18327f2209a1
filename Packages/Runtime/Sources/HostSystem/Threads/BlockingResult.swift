internal import Synchronization
import Glibc

/// A result that one thread waits for and another provides.
package final class BlockingResult<Success: Sendable, Failure: Error>: Sendable {
    private let result = Mutex<Result<Success, Failure>?>(nil)
    // because: a semaphore may be used by several threads; its address is fixed, and it lives as long as this object.
    private nonisolated(unsafe) let semaphore: UnsafeMutablePointer<sem_t>

    package init() {
        semaphore = .allocate(capacity: 1)
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    /// Provides the result. Only the first one counts.
    package func finish(_ result: Result<Success, Failure>) {
        let isFirst = self.result.withLock { current in
            defer { current = current ?? result }
            return current == nil
        }
        if isFirst { sem_post(semaphore) }
    }

    /// Blocks the calling thread until there is a result.
    package func wait() -> Result<Success, Failure> {
        while true {
            if let result = result.withLock({ $0 }) { return result }
            sem_wait(semaphore)
        }
    }
}
