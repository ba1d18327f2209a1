internal import Dispatch
internal import Synchronization

/// A timer thread that never runs code of bundles, so its timers fire on time even if such code blocks all other threads.
final class AlarmThread: Sendable {
    /// The shared thread of the process.
    static let shared = AlarmThread()

    /// A scheduled timer, which can be canceled.
    struct Order: Sendable {
        fileprivate let due: ContinuousClock.Instant
        fileprivate let number: UInt64

        fileprivate func isBefore(_ other: Order) -> Bool {
            due == other.due ? number < other.number : due < other.due
        }
    }

    private struct Alarm {
        let order: Order
        let body: @Sendable () -> Void
    }

    private struct State {
        /// The timers, next one first. Most deadlines have the same length, so most timers are added at the end.
        var alarms: [Alarm] = []
        var number: UInt64 = 0
        /// The latest time at which the thread wakes up, or nil if it waits for a signal.
        var looksAt: ContinuousClock.Instant?
        var isRunning = false

        /// Returns the index of a timer, or the index at which to insert it.
        func place(of order: Order) -> Int {
            var (low, high) = (0, alarms.count)
            while low < high {
                let middle = (low + high) / 2
                if alarms[middle].order.isBefore(order) { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }

    private let state = Mutex(State())
    private let told = DispatchSemaphore(value: 0)

    private init() {}

    /// Schedules a closure. It must return quickly, because all timers share one thread.
    func order(at due: ContinuousClock.Instant, _ body: @escaping @Sendable () -> Void) -> Order {
        let (order, isFirst, isSooner) = state.withLock { state in
            state.number += 1
            let order = Order(due: due, number: state.number)
            state.alarms.insert(Alarm(order: order, body: body), at: state.place(of: order))
            // Canceling a timer does not change `looksAt`, so the thread usually wakes up early enough without a signal.
            let isSooner = state.looksAt.map { due < $0 } ?? true
            if isSooner { state.looksAt = due }
            defer { state.isRunning = true }
            return (order, !state.isRunning, isSooner)
        }
        // A serial queue has its own thread while it is busy, and this one always is.
        if isFirst { DispatchQueue(label: "atrium.alarms", qos: .userInitiated).async { self.run() } }
        if isSooner { told.signal() }
        return order
    }

    /// Cancels a timer if it has not fired yet.
    func callOff(_ order: Order) {
        // The closure is released outside the lock.
        _ = state.withLock { state -> Alarm? in
            let place = state.place(of: order)
            guard place < state.alarms.count, state.alarms[place].order.number == order.number else { return nil }
            return state.alarms.remove(at: place)
        }
    }

    private func run() {
        while true {
            let (due, looksAt) = state.withLock { state in
                let now = ContinuousClock.now
                let due = state.alarms.prefix { $0.order.due <= now }
                state.alarms.removeFirst(due.count)
                state.looksAt = state.alarms.first?.order.due
                return (Array(due), state.looksAt)
            }
            for alarm in due { alarm.body() }
            guard let looksAt else {
                told.wait()
                continue
            }
            let (seconds, fraction) = min(ContinuousClock.now.duration(to: looksAt), .seconds(3600)).components
            _ = told.wait(
                timeout: .now() + .seconds(Int(seconds)) + .nanoseconds(Int(fraction / 1_000_000_000) + 1))
        }
    }
}
