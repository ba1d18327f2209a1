public import Console
public import PluginCore
import Synchronization

extension Answer {
    /// Creates the answer of a command about the checks of a bundle, with the exit status that tells whether one has found a fault.
    ///
    /// - Parameters:
    ///   - seed: the seed of the random input.
    ///   - results: the results in the order in which the checks ran.
    public init(about bundle: BundleIdentity, seed: UInt64, _ results: [CheckResult], for terminal: Terminal) {
        func count(_ outcome: CheckResult.Outcome) -> Int { results.count { $0.outcome == outcome } }
        let summary =
            "\(bundle): \(count(.passed)) passed, \(count(.warning)) with warnings, \(count(.failed)) failed, "
            + "\(count(.skipped)) skipped; the seed is \(seed)\n"
        let isPassed = count(.failed) == 0
        self.init(
            text: results.map { $0.text(for: terminal) }.joined() + "\n" + summary,
            json: ["bundle": bundle, "seed": Int(clamping: seed), "passed": isPassed, "checks": results.map(\.json)],
            status: isPassed ? .done : .refused)
    }
}

/// The result of one check of a plugin.
public struct CheckResult: Sendable, Codable, Equatable {
    /// The outcome of a check.
    public enum Outcome: String, Sendable, Codable {
        /// The plugin does what the check requires, and no problem was found.
        case passed
        /// No fault was found, but a problem that may be one, or that has kept a part from being checked.
        case warning
        /// The plugin has a fault.
        case failed
        /// The check does not apply to the plugin, or could not be run.
        case skipped
    }

    /// The identifier of the check.
    public let check: String
    /// The outcome.
    public let outcome: Outcome
    /// The faults that were found, or the reason why the check was skipped.
    public let problems: [String]
    /// Other findings: the problems of a warning, such as an error that has answered a request, and facts.
    public let notes: [String]
    /// The time that the check took, in seconds.
    public var seconds = 0.0

    /// Creates a result.
    public init(check: String, outcome: Outcome, problems: [String] = [], notes: [String] = []) {
        self.check = check
        self.outcome = outcome
        self.problems = problems
        self.notes = notes
    }

    /// Creates the result of a check in a process that ended without one.
    ///
    /// - Parameters:
    ///   - ending: the way in which the process ended, as a clause, such as "it crashed (SIGSEGV)".
    ///   - step: the last step that the check has begun; `nil` for none.
    ///   - output: the last lines that the process has written.
    public init(check: String, endedBy ending: String, during step: String?, output: [String]) {
        let place = step.map { " during: \($0)" } ?? " before the first step"
        self.init(check: check, outcome: .failed, problems: [ending + place], notes: output.map { "it wrote: \($0)" })
    }

    /// Creates the result of a check that needs a plugin which loads; `nil` if the check can run.
    ///
    /// - Parameter results: the results of the checks before it.
    public init?(skipping check: ValidationCheck, after results: [CheckResult]) {
        let load = ValidationCheck.load.identifier
        guard results.contains(where: { $0.check == load && $0.outcome == .failed }) else { return nil }
        self.init(
            check: check.identifier, outcome: .skipped,
            problems: ["the plugin cannot be loaded; see the check \"\(load)\""])
    }

    /// Returns the line of the check, with what was found below.
    func text(for terminal: Terminal) -> String {
        let style: TextStyle =
            switch outcome {
            case .passed: .green
            case .warning: .yellow
            case .failed: .red
            case .skipped: .dim
            }
        let seconds = outcome == .skipped ? "" : " (\((seconds * 10).rounded() / 10) s)"
        var line = WrappedText(outcome.rawValue) { terminal.styled($0, style) }
        line.append(String(repeating: " ", count: 9 - outcome.rawValue.count) + check + seconds)
        let findings = (problems + notes).map {
            WrappedText("  - " + $0).text(width: terminal.wrappingWidth, hanging: 4)
        }
        return line.text(width: terminal.wrappingWidth, hanging: 2) + findings.joined()
    }

    /// The result as JSON.
    var json: JSONText {
        [
            "id": check, "result": outcome.rawValue, "seconds": (seconds * 1000).rounded() / 1000,
            "problems": problems, "notes": notes,
        ]
    }
}

/// A message of a process that runs a check, one JSON document per line.
public enum CheckMessage: Sendable, Codable {
    /// A step begins.
    case step(String)
    /// The result, which is the last message.
    case result(CheckResult)
    /// The plugin cannot be installed for a reason, so that no check can run.
    case refusal(String)
}

/// The progress of a check, which names the step during which the plugin crashed or hung.
public final class CheckProgress: Sendable {
    /// The length of a step's description in characters.
    private static let length = 200

    private let current = Mutex("")
    private let report: @Sendable (CheckMessage) -> Void

    /// Creates a progress.
    ///
    /// - Parameter report: receives each message, on any thread.
    public init(report: @escaping @Sendable (CheckMessage) -> Void) {
        self.report = report
    }

    /// The step that has begun last.
    var step: String { current.withLock { $0 } }

    /// Reports that a step begins. It can be the last message before a crash, so it is written at once.
    func begin(_ step: String) {
        let text = Self.plain(step)
        current.withLock { $0 = text }
        report(.step(text))
    }

    /// Reports the result.
    public func finish(_ result: CheckResult) { report(.result(result)) }

    /// Returns the start of a text, in which random input is spelled in ASCII.
    static func plain(_ text: String) -> String {
        var plain = ""
        for scalar in text.unicodeScalars {
            guard plain.count < length else { return plain + "..." }
            plain +=
                scalar.isASCII && scalar.value >= 0x20 && scalar.value != 0x7F
                ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
        }
        return plain
    }
}
