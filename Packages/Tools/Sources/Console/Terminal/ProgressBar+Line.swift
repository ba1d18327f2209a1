extension ProgressBar {
    private static let barWidth = 20

    /// Returns the bar as text of limited width; if space is short, first the bar and then the amounts are left out.
    ///
    /// - Parameter rate: the amount per second, from which the time left follows; `nil` if it is unknown.
    package static func line(
        done: Int, total: Int?, label: String, unit: Unit, width: Int, rate: Double? = nil
    ) -> String {
        let (done, rate) = (max(0, done), rate.map { min($0, 1e15) })
        let label = printable(label)
        guard let total, total > 0 else {
            let speed = rate.map { "  \(amount(Int($0), unit))/s" } ?? ""
            return fitted(label, ["  " + amount(done, unit) + speed, "  " + amount(done, unit)], width)
        }
        let fraction = min(1, Double(done) / Double(total))
        let filled = Int(fraction * Double(barWidth))
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: barWidth - filled)
        let percent = padded("\(Int(fraction * 100))%", to: 4, .trailing)
        let amounts = "  \(amount(done, unit)) of \(amount(total, unit))"
        var endings = ["  [\(bar)] \(percent)\(amounts)", "  \(percent)\(amounts)", "  \(percent)"]
        if let rate {
            let left = rate >= 1 ? "  \(timeLeft(Double(total - done) / rate))" : ""
            let speed = "  \(amount(Int(rate), unit))/s\(left)"
            endings = [endings[0] + speed, endings[1] + speed, endings[2] + speed] + endings[1...]
        }
        return fitted(label, endings, width)
    }

    /// Returns a time for people, such as `15 s left`, `2 min left` or `3 h left`, rounded up.
    private static func timeLeft(_ seconds: Double) -> String {
        let seconds = Int(min(max(seconds, 0), 1e9).rounded(.up))
        if seconds < 120 { return "\(seconds) s left" }
        return seconds < 7200 ? "\((seconds + 59) / 60) min left" : "\((seconds + 3599) / 3600) h left"
    }

    /// Returns the label with the first ending that leaves it up to 16 columns, or else with the last ending.
    private static func fitted(_ label: String, _ endings: [String], _ width: Int) -> String {
        let needed = min(displayWidth(of: label), 16)
        let ending = endings.first { $0.count + needed <= width } ?? endings.last ?? ""
        return truncated(truncated(label, to: max(0, width - ending.count)) + ending, to: max(0, width))
    }

    private static func amount(_ count: Int, _ unit: Unit) -> String {
        unit == .bytes ? byteCount(count) : "\(count)"
    }
}

/// Formats a number of bytes for people, such as `999 bytes`, `1.2 kB` or `27.0 MB`.
///
/// Units are powers of ten, truncated to one decimal digit.
public func byteCount(_ bytes: Int) -> String {
    var divisor = 1000
    var units = ["kB", "MB", "GB", "TB"][...]
    guard bytes >= divisor, var unit = units.popFirst() else { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
    while bytes / divisor >= 1000, let next = units.popFirst() {
        divisor *= 1000
        unit = next
    }
    return "\(bytes / divisor).\(bytes % divisor / (divisor / 10)) \(unit)"
}
