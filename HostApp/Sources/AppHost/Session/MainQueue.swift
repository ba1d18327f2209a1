internal import Dispatch

/// An actor on the main queue, beside the main actor.
///
/// Waiting for a call of it lets other code of the main actor run, as `Task.yield()` does, but does not start the thread pool, which
/// would take a twentieth of the time of opening a page.
actor MainQueue {
    private final class Executor: SerialExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            DispatchQueue.main.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    static let shared = MainQueue()
    private let executor = Executor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Returns when the tasks that were waiting for the main actor have begun.
    func turn() {}
}
