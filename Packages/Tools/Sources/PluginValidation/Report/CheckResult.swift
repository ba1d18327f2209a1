import Console

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
    public var seconds: Double = 0

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

    /// The result as JSON.
    var json: JSONText {
        [
            "id": .string(check), "result": .string(outcome.rawValue),
            "seconds": .number((seconds * 1000).rounded() / 1000), "problems": .strings(problems),
            "notes": .strings(notes),
        ]
    }
}
