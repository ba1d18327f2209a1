extension ProgressBar {
    private static let barWidths = 10...20
    /// The columns of a percentage, and of the frame of a bar before it.
    private static let (percentWidth, frameWidth) = (5, 4)
    /// The columns for a rate and the time left, for which a bar of bytes makes room, so that it keeps its width when they are known.
    private static let rateWidth = 26
    /// The columns that a label has at least.
    private static let leastLabelWidth = 16

    /// Returns the bar as text of limited width; if space is short, first the amounts and then the bar are left out.
    ///
    /// - Parameters:
    ///   - labelWidth: the columns of the longest label of several bars below each other, which begin in the same column.
    ///   - rate: the amount per second, from which the time left follows; `nil` if it is unknown.
    package static func line(
        done: Int, total: Int?, label: String, unit: Unit, width: Int, labelWidth: Int = 0, rate: Double? = nil
    ) -> String {
        let (done, rate) = (max(0, done), rate.map { min($0, 1e15) })
        let label = printable(label)
        let rest = percentWidth + frameWidth + rateWidth
        let column = min(
            max(labelWidth, displayWidth(of: label)), max(leastLabelWidth, width - rest - barWidths.lowerBound))
        guard let total, total > 0 else {
            let speed = rate.map { "  \(amount(Int($0), unit))/s" } ?? ""
            return fitted(label, ["  " + amount(done, unit) + speed, "  " + amount(done, unit)], column, width)
        }
        let fraction = min(1, Double(done) / Double(total))
        let room = unit == .bytes ? width - column - rest : .max
        let barWidth = min(max(room, barWidths.lowerBound), barWidths.upperBound)
        let filled = Int(fraction * Double(barWidth))
        let percent = " " + padded("\(Int(fraction * 100))%", to: 4, .trailing)
        let bar = "  [" + String(repeating: "#", count: filled) + String(repeating: "-", count: barWidth - filled) + "]"
        let amounts = localized("  \(amount(done, unit)) of \(amount(total, unit))")
        var endings = [bar + percent + amounts, bar + percent, " " + percent + amounts, " " + percent]
        if let rate {
            let left = rate >= 1 ? "  \(timeLeft(Double(total - done) / rate))" : ""
            let speed = "  \(amount(Int(rate), unit))/s\(left)"
            endings = [endings[0] + speed, endings[1] + speed, endings[1], endings[3] + speed, endings[3]]
        }
        return fitted(label, endings, column, width)
    }

    /// Returns a time for people, such as `15 s left`, `2 min left` or `3 h left`, rounded up.
    private static func timeLeft(_ seconds: Double) -> String {
        let seconds = Int(min(max(seconds, 0), 1e9).rounded(.up))
        if seconds < 120 { return localized("\(seconds) s left") }
        return seconds < 7200
            ? localized("\((seconds + 59) / 60) min left") : localized("\((seconds + 3599) / 3600) h left")
    }

    /// Returns the label in a number of columns and the first ending that fits, or else the last one and less of the label.
    private static func fitted(_ label: String, _ endings: [String], _ column: Int, _ width: Int) -> String {
        let ending = endings.first { displayWidth(of: $0) + column <= width } ?? endings.last ?? ""
        let column = max(0, min(column, width - displayWidth(of: ending)))
        return truncated(padded(truncated(label, to: column), to: column) + ending, to: max(0, width))
    }

    private static func amount(_ count: Int, _ unit: Unit) -> String {
        unit == .bytes ? byteCount(count) : "\(count)"
    }
}

/// Formats a number of bytes for people, such as `999 bytes`, `1.2 kB` or `27.0 MB`.
///
/// Units are powers of ten, truncated to one decimal digit.
public func byteCount(_ bytes: Int) -> String {
    guard bytes >= 1000 else { return bytes == 1 ? localized("1 byte") : localized("\(bytes) bytes") }
    var (divisor, units) = (1000, ["kB", "MB", "GB", "TB"])
    while bytes / divisor >= 1000, units.count > 1 {
        divisor *= 1000
        units.removeFirst()
    }
    return "\(bytes / divisor).\(bytes % divisor / (divisor / 10)) \(units[0])"
}

/// The rate of an operation over its last seconds.
struct ProgressRate {
    private var samples: [(time: Duration, done: Int)] = []
    /// The time over which the rate is computed.
    private static let window = Duration.seconds(5)
    /// The time between two samples.
    private static let step = Duration.milliseconds(200)

    /// Adds the amount that is done at a time. An operation that begins again loses its samples.
    mutating func add(_ done: Int, at time: Duration) {
        let done = max(0, done)
        if let last = samples.last {
            if done < last.done { samples = [] }
            guard samples.isEmpty || time - last.time >= Self.step else { return }
        }
        samples.append((time, done))
        while samples.count > 2, time - samples[1].time >= Self.window { samples.removeFirst() }
    }

    /// Returns the amount per second; `nil` in the first second.
    func perSecond(at time: Duration) -> Double? {
        guard let first = samples.first, let last = samples.last else { return nil }
        let seconds = (time - first.time) / .seconds(1)
        return seconds >= 1 ? Double(last.done - first.done) / seconds : nil
    }
}
