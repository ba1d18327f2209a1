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
        let numbers = text.split { "-T:Z".contains($0) }.compactMap { CInt($0) }
        guard numbers.count == 6 else { return nil }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[3], numbers[4], numbers[5])
        seconds = timegm(&parts)
        // Other forms, and numbers out of range, are written in another way.
        guard description == text else { return nil }
    }

    /// The time in the form of the specification, for the years 1 to 9999.
    public var description: String {
        var time = min(max(seconds, -62_135_596_800), 253_402_300_799)
        var parts = tm()
        gmtime_r(&time, &parts)
        var text = [CChar](repeating: 0, count: 32)
        let length = strftime(&text, text.count, "%04Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: text.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension JSONObject {
    func time(_ name: String) throws(TUFError) -> UTCTime {
        guard let time = UTCTime(try string(name)) else { throw JSONValue.problem(name, "a time") }
        return time
    }
}
