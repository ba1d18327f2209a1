import Dispatch

/// The threads for the code of bundles that is not isolated to an actor.
///
/// The concurrent executor has only as many threads as processors, and the host needs them, so a few blocking system calls of a bundle
/// could stop everything. Here, each job that is ready to run has a thread of libdispatch, which has up to 255 of them for this.
final class HandlerPool: TaskExecutor {
    /// The shared pool of the process.
    static let shared = HandlerPool()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // A serial queue has its own thread while it is busy.
        DispatchQueue(label: "atrium.handlers", qos: .userInitiated).async {
            job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }
}
