internal import HostSystem
internal import Synchronization

/// Resumes tasks of the main actor on the thread that has received their replies, from where they go to the main thread.
///
/// Without it, a task that has waited for a continuation goes to a thread of Swift's pool before, which the system must wake.
final class ReplyExecutor: TaskExecutor {
    /// The number of the connection's thread; 0 before there is one.
    private let thread = Atomic(0)

    /// Takes the calling thread for that of the connection.
    func begin() { thread.store(SystemThreads.current, ordering: .releasing) }

    func enqueue(_ job: consuming ExecutorJob) {
        // A task that is canceled must not go on in its canceler, which has locked it.
        guard thread.load(ordering: .acquiring) == SystemThreads.current else {
            return globalConcurrentExecutor.enqueue(job)
        }
        job.runSynchronously(on: asUnownedTaskExecutor())
    }
}
