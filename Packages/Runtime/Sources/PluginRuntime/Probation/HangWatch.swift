internal import CSystem
import Dispatch
import Synchronization

/// Tells of code that holds its thread for too long, on a thread of its own.
///
/// Of several that began on one thread only the last one's time counts: it is what the others wait for. Time in which the whole
/// process stood still, in a debugger or in a machine that slept, does not count.
///
/// The thread is not one of libdispatch's: where the system gives no threads, libdispatch waits for one without end, and this one
/// is to tell of that too (``ThreadShortage``).
final class HangWatch: Sendable {
    /// The one of the process.
    static let shared = HangWatch()

    /// What was ordered, to be called off.
    struct Order: Sendable {
        fileprivate let number: UInt64
    }

    /// What a thread is watched for.
    private enum Subject: Hashable {
        /// By its number.
        case thread(Int)
        /// The one that runs the main actor: each time that it comes to nothing else, its time begins anew.
        case main
    }

    private struct Watched {
        let order: Order
        let subject: Subject
        let limit: Duration
        let onOver: @Sendable (_ thread: Int) -> Void
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
        /// Called at each look, and how often that is to be.
        var routine: (interval: Duration, body: @Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let told = DispatchSemaphore(value: 0)
    private let clock = SuspendingClock()
    /// A Boolean value that indicates whether the main actor has come to what it was last asked for.
    private let isMainFree = Atomic<Bool>(true)

    private init() {}

    /// Has `onOver` called once this thread has been held for so long from now.
    func order(_ limit: Duration, _ onOver: @escaping @Sendable (_ thread: Int) -> Void) -> Order {
        order(.thread(csystem_thread()), limit, onOver)
    }

    /// Has `onOver` called each time that the main actor has come to nothing else for so long; its thread's number is 0.
    func orderMain(_ limit: Duration, _ onOver: @escaping @Sendable (_ thread: Int) -> Void) -> Order {
        order(.main, limit, onOver)
    }

    /// Has `body` called every so often, until the next call; `nil` for no more.
    ///
    /// - Returns: whether there is a thread to do so.
    @discardableResult
    func call(every interval: Duration, _ body: (@Sendable () -> Void)?) -> Bool {
        state.withLock { $0.routine = body.map { (interval, $0) } }
        guard body != nil else { return true }
        return wake()
    }

    private func order(
        _ subject: Subject, _ limit: Duration, _ onOver: @escaping @Sendable (_ thread: Int) -> Void
    ) -> Order {
        let (order, isSooner) = state.withLock { state in
            state.number += 1
            let order = Order(number: state.number)
            let watched = Watched(order: order, subject: subject, limit: limit, onOver: onOver)
            state.watched.append(watched)
            return (order, state.interval.map { watched.interval < $0 } ?? true)
        }
        if isSooner { wake() }
        return order
    }

    /// Has it not called; what waited for it on the same thread has its whole time again.
    func callOff(_ order: Order) {
        // What it holds is let go of outside of the lock.
        _ = state.withLock { state -> Watched? in
            guard let index = state.watched.firstIndex(where: { $0.order.number == order.number }) else { return nil }
            let ended = state.watched.remove(at: index)
            for other in state.watched[..<index].indices where state.watched[other].subject == ended.subject {
                state.watched[other].spent = nil
            }
            return ended
        }
    }

    /// Has the thread look at what there is to do; returns `false` when there is no thread, and none to be had.
    @discardableResult
    private func wake() -> Bool {
        let isRunning = state.withLock { state in
            if state.isRunning { return true }
            // Here, because the thread would wait for the loader while somebody loads a library that hangs.
            csystem_stack_prepare()
            let this = Unmanaged.passRetained(self)
            let status = csystem_start_thread(
                { Unmanaged<HangWatch>.fromOpaque($0).takeRetainedValue().run() }, this.toOpaque())
            if status != 0 { this.release() }
            state.isRunning = status == 0
            return state.isRunning
        }
        if isRunning { told.signal() }
        return isRunning
    }

    private func run() {
        var before = clock.now
        while true {
            let interval = state.withLock { state in
                state.interval = (state.watched.map(\.interval) + [state.routine?.interval].compactMap { $0 }).min()
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
            let (over, isMainWatched, routine) = look(after: min(before.duration(to: now), interval * 2))
            for (watched, thread) in over { watched.onOver(thread) }
            routine?()
            // Without a thread for it libdispatch would keep this one.
            if isMainWatched, isMainFree.load(ordering: .acquiring), csystem_try_thread() == 0 { askMain() }
            before = now
        }
    }

    private func askMain() {
        isMainFree.store(false, ordering: .releasing)
        Task { @MainActor in self.isMainFree.store(true, ordering: .releasing) }
    }

    /// Adds the time to whoever has used it.
    ///
    /// - Returns: once each, whose time is over, with the number of the thread; whether the main actor is watched; what is
    ///   called at each look.
    private func look(
        after time: Duration
    ) -> (over: [(Watched, thread: Int)], isMainWatched: Bool, routine: (@Sendable () -> Void)?) {
        let isMainFree = isMainFree.load(ordering: .acquiring)
        return state.withLock { state in
            var seen: Set<Subject> = []
            var over: [(Watched, thread: Int)] = []
            for index in state.watched.indices.reversed() {
                let watched = state.watched[index]
                let thread: Int
                switch watched.subject {
                case .thread(let number):
                    guard seen.insert(watched.subject).inserted else { continue }
                    thread = number
                case .main:
                    thread = 0
                    if isMainFree {
                        state.watched[index].spent = .zero
                        continue
                    }
                }
                let spent = watched.spent.map { $0 + time } ?? .zero
                state.watched[index].spent = spent
                guard spent >= watched.limit, (watched.spent ?? .zero) < watched.limit else { continue }
                over.append((watched, thread))
                if watched.subject == .main { state.watched[index].spent = .zero }
            }
            return (over, state.watched.contains { $0.subject == .main }, state.routine?.body)
        }
    }
}
