import HostSystem

/// A time in seconds, written as in `2030-01-01T00:00:00Z`.
public struct UTCTime: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The seconds since 1970, without leap seconds.
    public let seconds: Int

    /// Creates a time from the seconds since 1970.
    public init(seconds: Int) {
        self.seconds = seconds
    }

    /// The current time.
    public static var now: UTCTime { UTCTime(seconds: Int(Clock.now())) }

    /// Returns the time some days later.
    public func adding(days: Int) -> UTCTime { UTCTime(seconds: seconds + days * 86_400) }

    /// Returns whether a time is before another one.
    public static func < (one: UTCTime, other: UTCTime) -> Bool { one.seconds < other.seconds }

    /// The year 1 is the first one.
    private static let first = -62_135_596_800

    /// Parses a time in exactly the form of the specification.
    public init?(_ text: String) {
        guard let seconds = HostSystem.UTCTime.seconds(text), seconds >= Self.first else { return nil }
        self.seconds = Int(seconds)
    }

    /// The time in the form of the specification, for the years 1 to 9999.
    public var description: String { HostSystem.UTCTime.text(Int64(max(seconds, Self.first))) }
}
