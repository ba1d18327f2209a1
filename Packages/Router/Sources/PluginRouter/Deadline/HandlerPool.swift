internal import Dispatch
internal import FoundationEssentials
internal import Synchronization

/// A thread pool for the code of bundles that is not isolated to an actor.
///
/// The concurrent executor has only as many threads as processors, and the host needs them, so a few blocking system calls of a bundle
/// could stop everything. This pool starts with as many threads as processors. While all of them are blocked and jobs wait, it adds threads
/// up to a limit. Idle threads end.
final class HandlerPool: TaskExecutor {
    /// The shared pool of the process.
    static let shared = HandlerPool(width: ProcessInfo.processInfo.activeProcessorCount, limit: 64)

    /// The time without a started job after which threads are added.
    private static let patience = Duration.milliseconds(10)
    /// The number of seconds after which an idle thread ends.
    private static let idleTime = 5.0

    private enum Step {
        case nothing
        case wake
        case start(Int, watching: Int?)
    }

    private struct State {
        private var jobs: [UnownedJob] = []
        private var first = 0
        var threads = 0
        /// The number of waiting threads that have not been signaled.
        var idle = 0
        /// The number of jobs that have started.
        var begun = 0
        var isWatched = false

        /// The number of jobs that wait.
        var waiting: Int { jobs.count - first }

        mutating func add(_ job: UnownedJob) { jobs.append(job) }

        mutating func begin() -> UnownedJob? {
            guard first < jobs.count else { return nil }
            defer {
                first += 1
                begun += 1
                if first == jobs.count {
                    jobs.removeAll(keepingCapacity: true)
                    first = 0
                }
            }
            return jobs[first]
        }
    }

    private let width: Int
    private let limit: Int
    private let state = Mutex(State())
    private let wakeUp = DispatchSemaphore(value: 0)

    init(width: Int, limit: Int) {
        self.width = max(width, 1)
        self.limit = max(limit, width, 1)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        take(
            state.withLock { state in
                state.add(job)
                if state.idle > 0 {
                    state.idle -= 1
                    return .wake
                }
                if state.threads < width {
                    state.threads += 1
                    return .start(1, watching: nil)
                }
                if state.isWatched || state.threads == limit { return .nothing }
                state.isWatched = true
                return .start(0, watching: state.begun)
            })
    }

    private func take(_ step: Step) {
        switch step {
        case .nothing: return
        case .wake: wakeUp.signal()
        case .start(let count, let begun):
            for _ in 0..<count {
                // A serial queue has its own thread while it is busy.
                DispatchQueue(label: "atrium.handlers", qos: .userInitiated).async { self.work() }
            }
            guard let begun else { return }
            _ = AlarmThread.shared.order(at: .now + Self.patience) { self.look(since: begun) }
        }
    }

    /// Adds threads if jobs wait and none has started since the last check.
    private func look(since begun: Int) {
        take(
            state.withLock { state in
                guard state.waiting > 0, state.threads < limit else {
                    state.isWatched = false
                    return .nothing
                }
                guard state.begun == begun else { return .start(0, watching: state.begun) }
                let count = min(state.waiting, state.threads, limit - state.threads)
                state.threads += count
                return .start(count, watching: state.begun)
            })
    }

    private func work() {
        while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// Waits for the next job. Returns nil if the thread is to end.
    private func next() -> UnownedJob? {
        while true {
            let job = state.withLock { state in
                let job = state.begin()
                if job == nil { state.idle += 1 }
                return job
            }
            if let job { return job }
            if wakeUp.wait(timeout: .now() + Self.idleTime) == .success { continue }
            let isUseless = state.withLock { state in
                if state.idle == 0 { return false }
                state.idle -= 1
                state.threads -= 1
                return true
            }
            if isUseless { return nil }
            // All waiting threads have been signaled, including this one.
            wakeUp.wait()
        }
    }
}
