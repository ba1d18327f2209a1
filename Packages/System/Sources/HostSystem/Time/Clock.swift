import Dispatch
import Glibc
package import PluginCore
import Synchronization

/// The clocks of the system.
package enum Clock {
    /// The time in seconds since 1970.
    package static func now() -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec)
    }

    /// The time in milliseconds since a moment in the past, which no change of the system's clock moves.
    package static func milliseconds() -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000
    }

    /// Lets this thread wait.
    package static func pause(_ duration: Duration) { usleep(UInt32(duration / .microseconds(1))) }
}

/// Times in the format of RFC 3339, in UTC and with whole seconds: 2026-11-21T12:00:00Z.
package enum UTCTime {
    /// The times that a four-digit year can express, in seconds since 1970.
    package static let range: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

    /// Returns the text of a time.
    ///
    /// - Parameter seconds: the seconds since 1970, clamped to ``range``.
    package static func text(_ seconds: Int64) -> String {
        var (time, parts) = (time_t(min(max(seconds, range.lowerBound), range.upperBound)), tm())
        gmtime_r(&time, &parts)
        func padded(_ number: Int32, _ width: Int = 2) -> Substring { String(number + 10_000).suffix(width) }
        let day = "\(padded(parts.tm_year + 1_900, 4))-\(padded(parts.tm_mon + 1))-\(padded(parts.tm_mday))"
        return "\(day)T\(padded(parts.tm_hour)):\(padded(parts.tm_min)):\(padded(parts.tm_sec))Z"
    }

    /// Parses a time into seconds since 1970.
    ///
    /// - Returns: `nil` for any text that ``text(_:)`` doesn't produce.
    package static func seconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count == 20 else { return nil }
        func number(_ place: Range<Int>) -> Int32 {
            bytes[place].reduce(0) { $0 * 10 + Int32($1) - 48 }
        }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (number(0..<4) - 1_900, number(5..<7) - 1, number(8..<10))
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (number(11..<13), number(14..<16), number(17..<19))
        let seconds = Int64(timegm(&parts))
        // A character that isn't a digit, or a day that the month doesn't have, produces another text.
        return Self.text(seconds).utf8.elementsEqual(bytes) ? seconds : nil
    }
}

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

    /// Runs a closure after some seconds, on a thread that receives all signals. It must return soon, because others wait for that thread.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` if there is no thread.
    package func after(_ seconds: Double, _ body: @escaping @Sendable () -> Void) throws(AtriumError) -> Deadline {
        let time = clock.now + .seconds(seconds)
        let (deadline, isSooner) = try state.withLock { state throws(AtriumError) -> (Deadline, Bool) in
            if !state.isRunning { try DetachedThread.run(receivingSignals: true) { self.run() } }
            state.isRunning = true
            state.number += 1
            state.entries[state.number] = Entry(time: time, body: body)
            let isSooner = state.next.map { time < $0 } ?? true
            if isSooner { state.next = time }
            return (Deadline(number: state.number), isSooner)
        }
        if isSooner { changed.signal() }
        return deadline
    }

    /// Cancels a deadline. A closure that has begun is not stopped.
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
