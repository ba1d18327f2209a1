/// One measured ratio.
struct Figure {
    let name: String
    let baseline: String
    /// Medians, in seconds or bytes.
    let measured: Double
    let compared: Double
    /// The most that the ratio may be; `nil` for a figure that is there to be known.
    let budget: Double?
    var unit = Unit.seconds

    /// What is measured.
    enum Unit {
        case seconds, bytes
    }

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
            print("    medians: \(figure.spelt(figure.measured)) and \(figure.spelt(figure.compared))")
        }
    }

    private static func two(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }

    private func spelt(_ value: Double) -> String {
        switch unit {
        case .bytes: "\(Self.two(value / 0x100000)) MiB"
        case .seconds where value < 2e-6: "\(Self.two(value * 1e9)) ns"
        case .seconds: value < 0.002 ? "\(Int(value * 1e6)) µs" : "\(Self.two(value * 1e3)) ms"
        }
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
