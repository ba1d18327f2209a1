import Console
import PluginCore

/// The report of an error and the exit status that belongs to it.
struct Failure {
    private(set) var report: FailureReport
    let status: Console.ExitStatus

    /// Creates the failure for an error.
    ///
    /// Every error that the host throws is reportable; any other error comes from a plugin.
    init(_ error: any Error) {
        (report, status) = FailureReport.of(error is any ReportableError ? error : Self.ofPlugin(error))
        let host = HostConfiguration.current
        report.message = host.naming(report.message)
        report.remedy = report.remedy.map(host.naming)
        report.details = report.details.map(host.naming)
    }

    /// Returns the error in place of one of a type that is private to an unknown plugin.
    static func ofPlugin(_ error: any Error) -> AtriumError {
        AtriumError(.pluginFailed, localized("a plugin"), reason: .verbatim("\(error)"))
    }

    /// The members of the report for use in a larger JSON object.
    var jsonMembers: JSONMembers {
        guard case .object(let members) = report.json else { return [:] }
        return JSONMembers(members)
    }

    /// Prints the report to standard error.
    func note() {
        StandardOutput.note(report.text(for: Terminal(.error)))
    }
}

/// An error that has a report of its own.
struct ReportedError: ReportableError {
    let report: FailureReport
    let exitStatus: Console.ExitStatus
}

/// Returns the outcome of an asynchronous body.
func attempt<Success>(
    _ body: () async throws -> Success
) async -> Result<Success, any Error> {
    do {
        return .success(try await body())
    } catch {
        return .failure(error)
    }
}
