internal import CSystem
import Dispatch
import Synchronization

/// Tells of code that holds its thread for too long, on a thread of its own.
///
/// Of several that began on one thread only the last one's time counts: it is what the others wait for. Time in which the whole
/// process stood still, in a debugger or in a machine that slept, does not count.
final class HangWatch: Sendable {
    /// The one of the process.
    static let shared = HangWatch()

    /// What was ordered, to be called off.
    struct Order: Sendable {
        fileprivate let number: UInt64
    }

    private struct Watched {
        let order: Order
        let thread: Int
        let limit: Duration
        let onOver: @Sendable () -> Void
        /// `nil` until somebody has looked once.
        var spent: Duration?

        /// How often to look.
        var interval: Duration { min(limit / 8, .seconds(1)) }
    }

    private struct State {
        /// In the order in which they began.
        var watched: [Watched] = []
        var number: UInt64 = 0
        /// How long the thread waits before it looks; `nil` for until it is told.
        var interval: Duration?
        var isRunning = false
    }

    private let state = Mutex(State())
    private let told = DispatchSemaphore(value: 0)
    private let clock = SuspendingClock()

    private init() {}

    /// Has `onOver` called once this thread has been held for so long from now.
    func order(_ limit: Duration, _ onOver: @escaping @Sendable () -> Void) -> Order {
        let thread = csystem_thread()
        let (order, isFirst, isSooner) = state.withLock { state in
            state.number += 1
            let order = Order(number: state.number)
            let watched = Watched(order: order, thread: thread, limit: limit, onOver: onOver)
            state.watched.append(watched)
            let isSooner = state.interval.map { watched.interval < $0 } ?? true
            if isSooner { state.interval = watched.interval }
            defer { state.isRunning = true }
            return (order, !state.isRunning, isSooner)
        }
        // A serial queue has a thread of its own for as long as it is busy, and this one always is.
        if isFirst { DispatchQueue(label: "atrium.hangs", qos: .userInitiated).async { self.run() } }
        if isSooner { told.signal() }
        return order
    }

    /// Has it not called; what waited for it on the same thread has its whole time again.
    func callOff(_ order: Order) {
        // What it holds is let go of outside of the lock.
        _ = state.withLock { state -> Watched? in
            guard let index = state.watched.firstIndex(where: { $0.order.number == order.number }) else { return nil }
            let ended = state.watched.remove(at: index)
            for other in state.watched[..<index].indices where state.watched[other].thread == ended.thread {
                state.watched[other].spent = nil
            }
            return ended
        }
    }

    private func run() {
        var before = clock.now
        while true {
            let interval = state.withLock { state in
                state.interval = state.watched.map(\.interval).min()
                return state.interval
            }
            guard let interval else {
                told.wait()
                before = clock.now
                continue
            }
            _ = told.wait(timeout: .now() + .nanoseconds(Int(interval / .nanoseconds(1))))
            let now = clock.now
            // Who overslept was not let run, and neither was anybody else.
            for over in overdue(after: min(before.duration(to: now), interval * 2)) { over.onOver() }
            before = now
        }
    }

    /// Adds the time to whoever has used it; returns, once each, whose time is over.
    private func overdue(after time: Duration) -> [Watched] {
        state.withLock { state in
            var seen: Set<Int> = []
            var overdue: [Watched] = []
            for index in state.watched.indices.reversed() {
                let watched = state.watched[index]
                guard seen.insert(watched.thread).inserted else { continue }
                let spent = watched.spent.map { $0 + time } ?? .zero
                state.watched[index].spent = spent
                if spent >= watched.limit, (watched.spent ?? .zero) < watched.limit { overdue.append(watched) }
            }
            return overdue
        }
    }
}
