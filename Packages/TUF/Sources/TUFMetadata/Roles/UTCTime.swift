import Glibc

/// A time in seconds, written as in `2030-01-01T00:00:00Z`.
public struct UTCTime: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The seconds since 1970, without leap seconds.
    public let seconds: Int

    /// Creates a time from the seconds since 1970.
    public init(seconds: Int) {
        self.seconds = seconds
    }

    /// The current time.
    public static var now: UTCTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UTCTime(seconds: Int(time.tv_sec))
    }

    /// Returns the time some days later.
    public func adding(days: Int) -> UTCTime { UTCTime(seconds: seconds + days * 86_400) }

    /// Returns whether a time is before another one.
    public static func < (one: UTCTime, other: UTCTime) -> Bool { one.seconds < other.seconds }

    /// Parses a time in exactly the form of the specification.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 20 else { return nil }
        for (offset, mark) in "0000-00-00T00:00:00Z".utf8.enumerated() {
            let isRight = mark == UInt8(ascii: "0") ? 0x30...0x39 ~= bytes[offset] : bytes[offset] == mark
            guard isRight else { return nil }
        }
        func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 * 10 + Int($1 - 0x30) } }
        let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
        let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
        guard year > 0, 1...12 ~= month, 1...Self.days(inMonth: month, of: year) ~= day, hour < 24, minute < 60,
            second < 60
        else { return nil }
        seconds = Self.days(before: year, month, day) * 86_400 + hour * 3600 + minute * 60 + second
    }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    /// Returns the days from 1970 to a day, in years that begin in March, so that a leap day is the last one.
    private static func days(before year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }

    /// The time in the form of the specification, for the years 1 to 9999.
    public var description: String {
        let limits = (low: -62_135_596_800, high: 253_402_300_799)
        let clamped = min(max(seconds, limits.low), limits.high)
        var days = clamped / 86_400
        var rest = clamped % 86_400
        if rest < 0 { (days, rest) = (days - 1, rest + 86_400) }
        // The largest year and month that begin on or before the day.
        var year = 1970 + (days < 0 ? days / 365 - 1 : days / 366)
        while Self.days(before: year + 1, 1, 1) <= days { year += 1 }
        var month = 1
        while month < 12, Self.days(before: year, month + 1, 1) <= days { month += 1 }
        let day = days - Self.days(before: year, month, 1) + 1
        func padded(_ number: Int, _ width: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T"
            + "\(padded(rest / 3600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2))Z"
    }
}

extension JSONObject {
    func time(_ name: String) throws(TUFError) -> UTCTime {
        guard let time = UTCTime(try string(name)) else { throw JSONValue.problem(name, "a time") }
        return time
    }
}
