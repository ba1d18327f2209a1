internal import Dispatch
internal import FoundationEssentials
internal import Synchronization

/// The threads that code of bundles runs on that declares no actor: not those of the concurrent executor, which the host
/// needs itself and of which there are no more than processors, so that a few system calls that do not return stop them all.
///
/// There are as many threads as processors while they get on. When all are held for a moment and somebody waits, there
/// are more, up to a limit; what has nothing to do goes again.
final class HandlerPool: TaskExecutor {
    /// The one of the process.
    static let shared = HandlerPool(width: ProcessInfo.processInfo.activeProcessorCount, limit: 64)

    /// For how long nothing may begin before there are more threads.
    private static let patience = Duration.milliseconds(10)
    /// How many seconds a thread waits for something to do.
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
        /// Threads that wait and have not been woken.
        var idle = 0
        /// How many jobs have begun.
        var begun = 0
        var isWatched = false

        /// How many jobs wait.
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
                // A serial queue that is busy has a thread of its own.
                DispatchQueue(label: "atrium.handlers", qos: .userInitiated).async { self.work() }
            }
            guard let begun else { return }
            _ = AlarmThread.shared.order(at: .now + Self.patience) { self.look(since: begun) }
        }
    }

    /// Adds threads when nothing has begun since somebody looked last, though somebody waits.
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

    /// What the thread does next, as soon as there is something; `nil` when it is to go.
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
            // All who wait have been woken, this one among them.
            wakeUp.wait()
        }
    }
}
