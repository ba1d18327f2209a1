/// An error that knows how it is told: what every command line of this house throws ends here.
///
/// ```swift
/// let (report, status) = FailureReport.of(error)
/// StandardOutput.note(report.text(for: Terminal(.error)))
/// status.exit()
/// ```
public protocol ReportableError: Error {
    /// The failure in words.
    var report: FailureReport { get }
    /// What the program that it ended tells its caller.
    var exitStatus: ExitStatus { get }
}

extension UsageError: ReportableError {
    /// ``ExitStatus/usage``.
    public var exitStatus: ExitStatus { .usage }
}

extension OutputError: ReportableError {
    /// ``ExitStatus/ioError``.
    public var exitStatus: ExitStatus { .ioError }
}

extension FailureReport {
    /// How any error is told, and what the program ends with; one that is not ``ReportableError`` is the program's own
    /// fault, and ends it with ``ExitStatus/software``.
    public static func of(_ error: any Error) -> (report: FailureReport, status: ExitStatus) {
        if let error = error as? any ReportableError { return (error.report, error.exitStatus) }
        let report = FailureReport(
            code: "internal", subject: "", message: "something went wrong that nobody foresaw: \(error)",
            remedy: "report this to the maintainers of the program, with the command line that led here")
        return (report, .software)
    }
}
