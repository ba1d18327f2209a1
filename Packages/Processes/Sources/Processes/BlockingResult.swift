import Dispatch
import Synchronization

/// A result that one thread waits for and another provides.
package final class BlockingResult<Success: Sendable, Failure: Error>: Sendable {
    private let result = Mutex<Result<Success, Failure>?>(nil)
    private let semaphore = DispatchSemaphore(value: 0)

    package init() {}

    /// Provides the result. Only the first one counts.
    package func finish(_ result: Result<Success, Failure>) {
        let isFirst = self.result.withLock { current in
            defer { current = current ?? result }
            return current == nil
        }
        if isFirst { semaphore.signal() }
    }

    /// Blocks the calling thread until there is a result.
    package func wait() -> Result<Success, Failure> {
        while true {
            if let result = result.withLock({ $0 }) { return result }
            semaphore.wait()
        }
    }
}
