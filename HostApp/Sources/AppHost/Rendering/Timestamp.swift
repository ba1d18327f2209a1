import Glibc

/// Formats a time in UTC as in RFC 3339, for example `2026-11-21T12:00:00Z`.
///
/// - Parameter seconds: the time in seconds since 1970.
func timestamp(_ seconds: Int64) -> String {
    var time = time_t(seconds)
    var parts = tm()
    guard gmtime_r(&time, &parts) != nil else { return String(seconds) }
    func padded(_ number: Int, to width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let date = [
        padded(Int(parts.tm_year) + 1900, to: 4), padded(Int(parts.tm_mon) + 1), padded(Int(parts.tm_mday)),
    ]
    let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { padded(Int($0)) }
    return "\(date.joined(separator: "-"))T\(clock.joined(separator: ":"))Z"
}
