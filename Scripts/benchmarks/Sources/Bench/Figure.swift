/// A ratio between a measurement and a baseline of the same run.
struct Figure: Sendable {
    let name: String
    let baseline: String
    /// The maximum ratio; `nil` for a figure without a limit.
    let budget: Double?
    var unit = Unit.seconds
    /// A Boolean value that indicates whether the figure needs matchit, without which a run skips it.
    var needsMatchit = false
    /// A Boolean value that indicates whether a smoke run skips the figure, which takes minutes.
    var isSlow = false

    /// The unit of the measurement.
    enum Unit: Sendable {
        case seconds, bytes
    }

    init(
        _ name: String, beside baseline: String, atMost budget: Double? = nil, unit: Unit = .seconds,
        needsMatchit: Bool = false, isSlow: Bool = false
    ) {
        (self.name, self.baseline, self.budget, self.unit) = (name, baseline, budget, unit)
        self.needsMatchit = needsMatchit
        self.isSlow = isSlow
    }
}

/// A figure with its two medians in seconds or bytes.
struct Measurement {
    let figure: Figure
    let measured: Double
    let compared: Double

    var ratio: Double { measured / compared }

    /// Renders one line with the name, the ratio and the budget, and one with the medians.
    ///
    /// - Parameter effort: the effort of the run; the ratios of a smoke run are not compared with the budget.
    func text(of effort: Effort) -> String {
        let goal = figure.budget.map { budget in
            effort == .smoke ? "" : "   \(ratio <= budget ? "within" : "OVER") the budget of \(Self.two(budget))x"
        }
        return """
            \(figure.name) / \(figure.baseline)   \(Self.two(ratio))x\(goal ?? "")
                medians: \(spelled(measured)) and \(spelled(compared))
            """
    }

    /// Formats a number with two decimals.
    static func two(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e15 else { return "\(value)" }
        let hundredths = Int((value * 100).rounded())
        let (whole, rest) = (abs(hundredths) / 100, abs(hundredths) % 100)
        return "\(hundredths < 0 ? "-" : "")\(whole).\(rest < 10 ? "0" : "")\(rest)"
    }

    private func spelled(_ value: Double) -> String {
        switch figure.unit {
        case .bytes where value < 0x100000: "\(Self.two(value / 0x400)) KiB"
        case .bytes: "\(Self.two(value / 0x100000)) MiB"
        case .seconds where value < 2e-6: "\(Self.two(value * 1e9)) ns"
        case .seconds: value < 0.002 ? "\(Int(value * 1e6)) µs" : "\(Self.two(value * 1e3)) ms"
        }
    }
}

/// Returns the median of several runs.
func median(_ runs: [Double]) -> Double {
    let sorted = runs.sorted()
    return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
}

/// Returns the duration of a closure in seconds.
func seconds(_ body: () async throws -> Void) async rethrows -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    try await body()
    let elapsed = clock.now - start
    return Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
}
