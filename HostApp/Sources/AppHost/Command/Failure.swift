import Console
import PluginCore

/// The report of an error and the exit status that belongs to it.
struct Failure {
    let report: FailureReport
    let status: Console.ExitStatus

    /// Creates the failure for an error.
    ///
    /// Every error that the host throws is reportable; any other error comes from a plugin.
    init(_ error: any Error) {
        guard error is any ReportableError else {
            self = .ofPlugin(error)
            return
        }
        let (report, status) = FailureReport.of(error)
        self.init(report: report, status: status)
    }

    private init(report: FailureReport, status: Console.ExitStatus) {
        let host = HostConfiguration.current
        var report = report
        report.message = host.naming(report.message)
        report.remedy = report.remedy.map(host.naming)
        report.details = report.details.map(host.naming)
        self.report = report
        self.status = status
    }

    /// The failure for an error of a type that is private to an unknown plugin.
    static func ofPlugin(_ error: any Error) -> Failure {
        let failed = AtriumError(.pluginFailed, localized("a plugin"), reason: .verbatim("\(error)"))
        return Failure(report: failed.report, status: failed.exitStatus)
    }

    /// The members of the report for use in a larger JSON object.
    var jsonMembers: [(String, JSONText)] {
        guard case .object(let members) = report.json else { return [] }
        return members
    }

    /// Prints the report to standard error.
    func note() {
        StandardOutput.note(report.text(for: Terminal(.error)))
    }
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
