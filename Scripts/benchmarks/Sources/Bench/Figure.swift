/// One measured ratio.
struct Figure {
    let name: String
    let baseline: String
    /// Medians in seconds.
    let measured: Double
    let compared: Double
    /// The most that the ratio may be; `nil` for a figure that is there to be known.
    let budget: Double?

    var ratio: Double { measured / compared }

    static func printTable(_ figures: [Figure]) {
        let width = figures.map { $0.name.count + $0.baseline.count + 6 }.max() ?? 0
        for figure in figures {
            let name = "\(figure.name) / \(figure.baseline)"
            let padding = String(repeating: " ", count: max(1, width - name.count))
            let verdict = figure.budget.map { budget in
                "   \(figure.ratio <= budget ? "within" : "OVER") the budget of \(two(budget))x"
            }
            print("\(name)\(padding)\(two(figure.ratio))x\(verdict ?? "")")
            print("    medians: \(spelt(figure.measured)) and \(spelt(figure.compared))")
        }
    }

    private static func two(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }

    private static func spelt(_ seconds: Double) -> String {
        if seconds < 2e-6 { return "\(two(seconds * 1e9)) ns" }
        return seconds < 0.002 ? "\(Int(seconds * 1e6)) µs" : "\(two(seconds * 1e3)) ms"
    }
}

/// The middle of several runs.
func median(_ runs: [Double]) -> Double {
    let sorted = runs.sorted()
    return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
}

/// How long `body` takes, in seconds.
func seconds(_ body: () async throws -> Void) async rethrows -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    try await body()
    let elapsed = clock.now - start
    return Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
}
