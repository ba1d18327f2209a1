#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A time as RFC 3339 writes it, in UTC: `2026-11-21T12:00:00Z`.
///
/// - Parameter seconds: seconds since 1970.
func timestamp(_ seconds: Int64) -> String {
    var time = time_t(seconds)
    var parts = tm()
    guard gmtime_r(&time, &parts) != nil else { return String(seconds) }
    func two(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
    let date = "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    return "\(date)T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
}
