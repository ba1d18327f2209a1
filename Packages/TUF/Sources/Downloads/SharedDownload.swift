import Synchronization

/// A download with all tasks of this process that wait for it. It is canceled when the last one of them is.
final class SharedDownload: Sendable {
    typealias Outcome = Result<String, DownloadError>

    private struct Waiter {
        let progress: @Sendable (DownloadProgress) -> Void
        var continuation: CheckedContinuation<Outcome, Never>?
    }

    private enum Phase {
        case running(Task<Void, Never>?)
        case abandoned
        case ended(Outcome)
    }

    private struct State {
        var phase = Phase.running(nil)
        var waiters: [Int: Waiter] = [:]
        var nextNumber = 0
    }

    private let state = Mutex(State())

    /// Adds a task, or returns nil if it is too late.
    func join(_ progress: @escaping @Sendable (DownloadProgress) -> Void) -> Int? {
        state.withLock { state in
            guard case .running = state.phase else { return nil }
            state.nextNumber += 1
            state.waiters[state.nextNumber] = Waiter(progress: progress)
            return state.nextNumber
        }
    }

    /// Starts the work of the download, which ends with a call of `end`.
    func start(_ work: @escaping @Sendable () async -> Void) {
        let task = Task.detached { await work() }
        let isAbandoned = state.withLock { state in
            switch state.phase {
            case .running:
                state.phase = .running(task)
                return false
            case .abandoned: return true
            case .ended: return false
            }
        }
        if isAbandoned { task.cancel() }
    }

    /// Returns the result for a task that has joined, or an error when this task is canceled.
    func result(for number: Int, canceled: DownloadError) async -> Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome: Outcome? = state.withLock { state in
                    if case .ended(let outcome) = state.phase { return outcome }
                    // The task may have left before it had a continuation.
                    guard state.waiters[number] != nil else { return .failure(canceled) }
                    state.waiters[number]?.continuation = continuation
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            leave(number, canceled)
        }
    }

    private func leave(_ number: Int, _ canceled: DownloadError) {
        let (continuation, task) = state.withLock { state in
            let waiter = state.waiters.removeValue(forKey: number)
            guard state.waiters.isEmpty, case .running(let task) = state.phase else {
                return (waiter?.continuation, Task<Void, Never>?.none)
            }
            state.phase = .abandoned
            return (waiter?.continuation, task)
        }
        task?.cancel()
        continuation?.resume(returning: .failure(canceled))
    }

    /// Passes progress on to all tasks.
    func report(_ progress: DownloadProgress) {
        let waiters = state.withLock { Array($0.waiters.values) }
        for waiter in waiters { waiter.progress(progress) }
    }

    /// Passes the result on to all tasks.
    func end(_ outcome: Outcome) {
        let waiters = state.withLock { state in
            defer { state.waiters = [:] }
            state.phase = .ended(outcome)
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.continuation?.resume(returning: outcome) }
    }
}

/// A limit of the tasks that do something at once. The others wait in order.
final class AsyncSemaphore: Sendable {
    private struct State {
        var free: Int
        var nextNumber = 0
        var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    }

    private let state: Mutex<State>

    init(limit: Int) {
        state = Mutex(State(free: max(1, limit)))
    }

    /// Waits until the limit allows one more, for which the caller must call ``signal()``. Returns false if the task was canceled before.
    func wait() async -> Bool {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Bool? = state.withLock { state in
                    // A cancellation after this finds the continuation in the queue.
                    if Task.isCancelled { return false }
                    if state.free > 0 {
                        state.free -= 1
                        return true
                    }
                    state.waiting.append((number, continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
            }
            waiting?.continuation.resume(returning: false)
        }
    }

    /// Lets the task that has waited longest continue.
    func signal() {
        let next: CheckedContinuation<Bool, Never>? = state.withLock { state in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst().continuation }
            state.free += 1
            return nil
        }
        next?.resume(returning: true)
    }
}
