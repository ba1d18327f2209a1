import Glibc

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

    /// The processor time that a process has used, in seconds; `nil` if it does not exist.
    static func processorTime(of process: Int32) -> Double? {
        var (clock, time) = (clockid_t(), timespec())
        guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else { return nil }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Lets this thread wait.
    package static func pause(_ duration: Duration) { usleep(UInt32(duration / .microseconds(1))) }

    /// Returns the time of day in UTC, such as 17:04:59Z.
    static func timeOfDay() -> String {
        let second = Int(now() % 86_400)
        let parts = [second / 3_600, second / 60 % 60, second % 60]
        return parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":") + "Z"
    }
}
