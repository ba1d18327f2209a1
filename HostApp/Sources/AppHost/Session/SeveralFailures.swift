public import Console

/// More than one thing failed before a session came to rest: what was just begun, and what had waited for it.
public struct SeveralFailures: ReportableError {
    /// What failed, in the order in which it did; at least one.
    public let errors: [any Error]

    init(_ errors: [any Error]) {
        self.errors = errors
    }

    /// The first failure, with the others as details.
    public var report: FailureReport {
        let reports = errors.map { Failure($0).report }
        guard var report = reports.first else { return Failure.ofPlugin(self).report }
        report.details += reports.dropFirst().map { "also: \($0.message)" }
        return report
    }

    /// That of the first failure.
    public var exitStatus: Console.ExitStatus { errors.first.map { Failure($0).status } ?? .software }
}
