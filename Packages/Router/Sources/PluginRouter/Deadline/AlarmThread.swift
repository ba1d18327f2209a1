internal import Dispatch
internal import Synchronization

/// Calls what was ordered when its time has come, on a thread of its own that no code of a bundle ever runs on: so it is
/// called in time, however many threads such code blocks.
final class AlarmThread: Sendable {
    /// The one of the process.
    static let shared = AlarmThread()

    /// What was ordered, to be called off.
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
        /// Next first. Most deadlines are equally long, so most alarms are added at the end.
        var alarms: [Alarm] = []
        var number: UInt64 = 0
        /// When the thread looks again at the latest; `nil` for when it is told to.
        var looksAt: ContinuousClock.Instant?
        var isRunning = false

        /// Where an order is, or would be.
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

    /// Has something called, which must be quick: others wait for the same thread.
    func order(at due: ContinuousClock.Instant, _ body: @escaping @Sendable () -> Void) -> Order {
        let (order, isFirst, isSooner) = state.withLock { state in
            state.number += 1
            let order = Order(due: due, number: state.number)
            state.alarms.insert(Alarm(order: order, body: body), at: state.place(of: order))
            // What is called off wakes nobody, so it is seldom that the thread does not look soon enough anyway.
            let isSooner = state.looksAt.map { due < $0 } ?? true
            if isSooner { state.looksAt = due }
            defer { state.isRunning = true }
            return (order, !state.isRunning, isSooner)
        }
        // A serial queue has a thread of its own for as long as it is busy, and this one always is.
        if isFirst { DispatchQueue(label: "atrium.alarms", qos: .userInitiated).async { self.run() } }
        if isSooner { told.signal() }
        return order
    }

    /// Has something not called, unless it is too late.
    func callOff(_ order: Order) {
        // What it holds is let go of outside of the lock.
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
