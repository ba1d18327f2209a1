public import Console
public import PluginCore

/// The results of all checks of a plugin, as text and as JSON.
public struct ValidationReport: Sendable {
    /// The validated bundle.
    public let bundle: BundleIdentity
    /// The seed of the random input.
    public let seed: UInt64
    /// The results in the order in which the checks ran.
    public let results: [CheckResult]

    /// Creates a report.
    public init(on bundle: BundleIdentity, seed: UInt64, _ results: [CheckResult]) {
        self.bundle = bundle
        self.seed = seed
        self.results = results
    }

    /// The exit status, which tells whether a check has found a fault.
    public var exitStatus: ExitStatus { results.contains { $0.outcome == .failed } ? .refused : .done }

    /// Renders the results as a table, with what was found below each check.
    public func text(for terminal: Terminal) -> String {
        var text = ""
        for result in results {
            var line = WrappedText()
            line.append(result.outcome.rawValue) { terminal.styled($0, Self.style(of: result)) }
            let gap = String(repeating: " ", count: 9 - result.outcome.rawValue.count)
            line.append(gap + result.check + seconds(result))
            text += line.lines(width: terminal.wrappingWidth, hanging: 2).joined(separator: "\n") + "\n"
            for finding in result.problems + result.notes {
                let line = WrappedText("  - " + printable(finding))
                text += line.lines(width: terminal.wrappingWidth, hanging: 4).joined(separator: "\n") + "\n"
            }
        }
        return text + "\n" + summary
    }

    /// The results as a JSON document.
    public var json: JSONText {
        [
            "bundle": .string(bundle.description), "seed": .integer(Int(clamping: seed)),
            "passed": .bool(exitStatus == .done), "checks": .array(results.map(\.json)),
        ]
    }

    private static func style(of result: CheckResult) -> TextStyle {
        switch result.outcome {
        case .passed: .green
        case .warning: .yellow
        case .failed: .red
        case .skipped: .dim
        }
    }

    private func seconds(_ result: CheckResult) -> String {
        result.outcome == .skipped ? "" : " (\((result.seconds * 10).rounded() / 10) s)"
    }

    private var summary: String {
        func count(_ outcome: CheckResult.Outcome) -> Int { results.count { $0.outcome == outcome } }
        return "\(bundle): \(count(.passed)) passed, \(count(.warning)) with warnings, \(count(.failed)) failed, "
            + "\(count(.skipped)) skipped; the seed is \(seed)\n"
    }
}
