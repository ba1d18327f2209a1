import CSystem
import Dispatch
import Glibc
import PluginCore
import Synchronization

/// Detects code that blocks its thread for too long, by checks on a separate thread.
///
/// Of several watches on one thread, only the last one's time counts, because the others wait for it. Time in which the whole
/// process was stopped, by a debugger or a suspended machine, doesn't count. The thread isn't one of libdispatch's, which would
/// wait for a thread forever when the system refuses one, and this class has to detect that, too.
package final class HangWatch: Sendable {
    /// The instance of the process.
    package static let shared = HangWatch()

    /// A handle for canceling a watch.
    package struct Order: Equatable, Sendable {
        fileprivate let number: UInt64
    }

    private struct Watched {
        let order: Order
        /// The number of the thread; 0 is that of the main actor, whose time restarts whenever it becomes free.
        let thread: Int
        let limit: Duration
        let onOver: @Sendable (_ thread: Int) -> Void
        /// The time spent so far; `nil` until the first check.
        var spent: Duration?

        /// The interval between checks.
        var interval: Duration { min(limit / 8, .seconds(1)) }
    }

    private struct State {
        /// The watches in the order in which they began.
        var watched: [Watched] = []
        var number: UInt64 = 0
        /// The time until the next check; `nil` to wait for a signal.
        var interval: Duration?
        var isRunning = false
    }

    private let state = Mutex(State())
    private let told = DispatchSemaphore(value: 0)
    private let clock = SuspendingClock()
    /// A Boolean value that indicates whether the main actor has run the last task given to it.
    private let isMainFree = Atomic<Bool>(true)

    private init() {
        // Loads what reading a stack needs. Later, the thread would wait for the loader's lock while a library hangs in its constructors.
        csystem_stack_prepare()
    }

    /// Calls a closure once, when a thread has been blocked for a given time from now, or each time that the main actor has been.
    ///
    /// - Parameter thread: the number of the thread, by default of the current one; 0 for that of the main actor.
    package func order(
        _ limit: Duration, of thread: Int = SystemThreads.current,
        _ onOver: @escaping @Sendable (_ thread: Int) -> Void
    ) -> Order {
        let (order, isSooner) = state.withLock { state in
            state.number += 1
            let order = Order(number: state.number)
            let watched = Watched(order: order, thread: thread, limit: limit, onOver: onOver)
            state.watched.append(watched)
            return (order, state.interval.map { watched.interval < $0 } ?? true)
        }
        if isSooner { wake() }
        return order
    }

    /// Cancels a watch, and restarts the time of earlier watches on the same thread.
    package func callOff(_ order: Order) {
        // The watch is returned so that its closure is released outside the lock.
        _ = state.withLock { state -> Watched? in
            guard let index = state.watched.firstIndex(where: { $0.order == order }) else { return nil }
            let ended = state.watched.remove(at: index)
            for other in state.watched[..<index].indices where state.watched[other].thread == ended.thread {
                state.watched[other].spent = nil
            }
            return ended
        }
    }

    /// Makes the thread check now, which is started on first use.
    private func wake() {
        state.withLock { state in
            if state.isRunning { return }
            state.isRunning = (try? DetachedThread.run(receivingSignals: true) { self.run() }) != nil
        }
        told.signal()
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
            // After a late wake-up the process was probably stopped, so only part of the time counts.
            let (over, isMainWatched) = look(after: min(before.duration(to: now), interval * 2))
            for watched in over { watched.onOver(watched.thread) }
            // Without free threads, libdispatch would block this one.
            if isMainWatched, isMainFree.load(ordering: .acquiring), SystemThreads.isOneAvailable { askMain() }
            before = now
        }
    }

    private func askMain() {
        isMainFree.store(false, ordering: .releasing)
        Task { @MainActor in self.isMainFree.store(true, ordering: .releasing) }
    }

    /// Adds the elapsed time to the watches.
    ///
    /// - Returns: the watches whose time has just run out; whether the main actor is watched.
    private func look(after time: Duration) -> (over: [Watched], isMainWatched: Bool) {
        let isMainFree = isMainFree.load(ordering: .acquiring)
        return state.withLock { state in
            var seen: Set<Int> = []
            var over: [Watched] = []
            for index in state.watched.indices.reversed() {
                let watched = state.watched[index]
                let isMain = watched.thread == 0
                if isMain, isMainFree {
                    state.watched[index].spent = .zero
                    continue
                }
                guard isMain || seen.insert(watched.thread).inserted else { continue }
                let spent = watched.spent.map { $0 + time } ?? .zero
                state.watched[index].spent = spent
                guard spent >= watched.limit, (watched.spent ?? .zero) < watched.limit else { continue }
                over.append(watched)
                if isMain { state.watched[index].spent = .zero }
            }
            return (over, state.watched.contains { $0.thread == 0 })
        }
    }
}

/// The calls on the stack of a blocked thread.
public struct ThreadStack: Sendable {
    /// The number of the thread; 0 is the thread of the main actor.
    public let thread: Int
    /// The code addresses, innermost first; empty when the thread doesn't answer.
    public let addresses: [UInt]

    /// Reads the stack of a thread by its number.
    package init(ofThread thread: Int) {
        var addresses = [UInt](repeating: 0, count: 64)
        let count = csystem_stack(thread, &addresses, Int32(addresses.count))
        self.addresses = Array(addresses.prefix(Int(count)))
        self.thread = thread
    }

    /// A Boolean value that indicates whether the thread didn't answer.
    package var isUnknown: Bool { addresses.isEmpty }

    /// Returns whether one of the calls is of the library that crash notes are about.
    package func has(_ notes: CrashNotes) -> Bool { addresses.contains { crash_notes_has(notes.slot, $0) } }
}
