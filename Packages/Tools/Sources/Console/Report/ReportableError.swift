/// An error that provides its own report and exit status.
///
/// ```swift
/// let (report, status) = FailureReport.of(error)
/// StandardOutput.note(report.text(for: Terminal(.error)))
/// status.exit()
/// ```
public protocol ReportableError: Error {
    /// The report for people and scripts.
    var report: FailureReport { get }
    /// The exit status of a program that fails with this error.
    var exitStatus: ExitStatus { get }
}

extension UsageError: ReportableError {
    /// The exit status for an invalid command line, or for one whose paths lead nowhere.
    public var exitStatus: ExitStatus { code == .currentFolderMissing ? .notFound : .usage }
}

extension OutputError: ReportableError {
    /// The exit status for failed input or output.
    public var exitStatus: ExitStatus { .ioError }
}

extension FailureReport {
    /// Returns the report and the exit status of any error.
    ///
    /// An error that isn't a ``ReportableError`` is an internal error of the program and ends it with ``ExitStatus/software``.
    public static func of(_ error: any Error) -> (report: FailureReport, status: ExitStatus) {
        if let error = error as? any ReportableError { return (error.report, error.exitStatus) }
        let report = FailureReport(
            code: "internal", subject: "", message: localized("internal error: \(error)"),
            remedy: localized("report this to the maintainers of the program, with your command line"))
        return (report, .software)
    }
}
