import Console

/// An error of a validation that runs no check.
enum ValidationError: Error, Equatable {
    /// The plugin cannot be installed in a sandbox.
    case notInstalled(String)
}

extension ValidationError: ReportableError {
    var report: FailureReport {
        switch self {
        case .notInstalled(let reason):
            FailureReport(
                code: "packageNotInstalled", subject: "", message: "the package cannot be installed: \(reason)",
                remedy: "correct the package; add --dependency for each package that it requires")
        }
    }

    var exitStatus: ExitStatus { .refused }
}
