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
        func padded(_ number: Int32, _ width: Int = 2) -> String {
            let digits = String(number)
            return String(repeating: "0", count: width - digits.count) + digits
        }
        return padded(parts.tm_year + 1_900, 4) + "-" + padded(parts.tm_mon + 1) + "-" + padded(parts.tm_mday) + "T"
            + padded(parts.tm_hour) + ":" + padded(parts.tm_min) + ":" + padded(parts.tm_sec) + "Z"
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
