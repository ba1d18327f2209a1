import Console
import PluginCore

/// How the host tells an error, and what it ends with.
struct Failure {
    let report: FailureReport
    let status: Console.ExitStatus

    /// Whatever the host itself throws is reportable; anything else was thrown by a plugin.
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

    /// An error of a type that only a plugin knows, of which nobody can say which one.
    static func ofPlugin(_ error: any Error) -> Failure {
        let failed = AtriumError(.pluginFailed, "a plugin", detail: "\(error)")
        return Failure(report: failed.report, status: failed.exitStatus)
    }

    /// Tells people, on standard error.
    func note() {
        StandardOutput.note(report.text(for: Terminal(.error)))
    }
}
