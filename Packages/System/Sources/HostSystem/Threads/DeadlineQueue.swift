internal import Dispatch
package import PluginCore
internal import Synchronization

/// The deadlines of this process, each with a closure that runs on a shared thread unless it is canceled first.
///
/// A task that sleeps would start a timer of the system and wake several threads, even if it is canceled at once. Here, only a deadline that is
/// sooner than all others wakes the thread.
///
/// ```swift
/// let deadline = try DeadlineQueue.shared.after(30) { process.kill() }
/// defer { DeadlineQueue.shared.cancel(deadline) }
/// ```
package final class DeadlineQueue: Sendable {
    /// The instance of the process.
    package static let shared = DeadlineQueue()

    /// A handle for canceling a deadline.
    package struct Deadline: Sendable {
        fileprivate let number: Int
    }

    private struct Entry {
        let time: ContinuousClock.Instant
        let body: @Sendable () -> Void
    }

    private struct State {
        var number = 0
        var entries: [Int: Entry] = [:]
        /// The time at which the thread looks next; `nil` while it waits for a signal.
        var next: ContinuousClock.Instant?
        var isRunning = false
    }

    private let state = Mutex(State())
    private let changed = DispatchSemaphore(value: 0)
    private let clock = ContinuousClock()

    private init() {}

    /// Runs a closure after some seconds. It must return soon, because others wait for the same thread.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` if there is no thread.
    package func after(_ seconds: Double, _ body: @escaping @Sendable () -> Void) throws(AtriumError) -> Deadline {
        let time = clock.now + .seconds(seconds)
        let (deadline, isFirst, isSooner) = state.withLock { state in
            state.number += 1
            state.entries[state.number] = Entry(time: time, body: body)
            defer { state.isRunning = true }
            let isSooner = state.next.map { time < $0 } ?? true
            if isSooner { state.next = time }
            return (Deadline(number: state.number), !state.isRunning, isSooner)
        }
        if isFirst {
            do throws(AtriumError) {
                try DetachedThread.run { self.run() }
            } catch {
                state.withLock { $0.isRunning = false }
                cancel(deadline)
                throw error
            }
        } else if isSooner {
            changed.signal()
        }
        return deadline
    }

    /// Cancels a deadline. One whose closure has begun stays as it is.
    package func cancel(_ deadline: Deadline) {
        state.withLock { _ = $0.entries.removeValue(forKey: deadline.number) }
    }

    private func run() {
        while true {
            let (due, next) = state.withLock { state in
                let now = clock.now
                let due = state.entries.filter { $0.value.time <= now }
                for number in due.keys { state.entries[number] = nil }
                state.next = state.entries.values.map(\.time).min()
                return (due.values.sorted { $0.time < $1.time }, state.next)
            }
            for entry in due { entry.body() }
            guard let next else {
                changed.wait()
                continue
            }
            let rest = clock.now.duration(to: next) / .nanoseconds(1)
            _ = changed.wait(timeout: .now() + .nanoseconds(Int(min(max(rest, 0), 1e15))))
        }
    }
}
