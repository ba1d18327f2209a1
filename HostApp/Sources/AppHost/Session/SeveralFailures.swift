public import Console

/// The errors of several operations that failed before a session was idle.
public struct SeveralFailures: ReportableError {
    /// The errors in the order in which they occurred; at least one.
    public let errors: [any Error]

    init(_ errors: [any Error]) {
        self.errors = errors
    }

    /// The report of the first error, with the others as details.
    public var report: FailureReport {
        let reports = errors.map { Failure($0).report }
        guard var report = reports.first else { return Failure.ofPlugin(self).report }
        report.details += reports.dropFirst().map { "also: \($0.message)" }
        return report
    }

    /// The exit status of the first error.
    public var exitStatus: Console.ExitStatus { errors.first.map { Failure($0).status } ?? .software }
}
