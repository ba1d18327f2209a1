import PluginCore
import Console
import Glibc
import PluginRuntime
import Processes
import AppScreens

/// The settings of the host's process as a whole, which plugins share.
enum HostProcess {
    /// Applies the settings; must be called before anything else.
    ///
    /// - Throws: `ReportedError`, `OutputError`.
    static func begin(isJSON: Bool) throws {
        try DescriptorLimit.raise()
        try StandardOutput.reserve()
        _ = PluginOutput.take { StandardOutput.relay($0, from: $1) }
        StandardOutput.beforeWriting { PluginOutput.flush() }
        let stream = isJSON ? StandardStream.output : .error
        ProcessEnd.protect(status: ExitStatus.software.rawValue, descriptor: stream.descriptor) {
            TerminalScreen.restore()
            let report = FailureReport(
                code: "hostEnded", subject: $0, message: localized("\($0) called \($1)(), which ends the host"),
                remedy: localized(
                    "tell the plugin's author: a plugin must not end the process that it shares with others"))
            return isJSON ? report.json.text(pretty: true) + "\n" : report.text(for: Terminal(.error))
        }
    }

    /// Ends the process without running any more plugin code.
    static func end(as ender: ProcessEnd.Ender = .command, _ status: ExitStatus) -> Never {
        TerminalScreen.restore()
        StandardOutput.settle()
        if let note = Localization.note { StandardOutput.note(note) }
        ProcessEnd.now(as: ender, status: status.rawValue)
    }

    // MARK: Ends that the host did not choose

    /// Ends the program when a plugin blocks it forever, because nothing else could.
    ///
    /// If the plugin's version has not run successfully yet, the hang is recorded and the next start rolls the version back.
    static func end(for hang: HangReport, isJSON: Bool) {
        if hang.outcome == .shortage { endForShortage(isJSON: isJSON) }
        let identity = hang.report.identity
        let remedy =
            switch hang.outcome {
            case .quarantine: localized("run the command again; it continues without this version; tell its author")
            case .strike:
                localized("run the command again; if this version hangs once more, it is quarantined; tell its author")
            default:
                localized(
                    "run the command again; if it hangs once more, roll back with \"hostapp rollback "
                        + "\(identity.identifier)\"; tell its author")
            }
        let report = FailureReport(
            code: "hostHung", subject: identity.description,
            message: localized("\(identity) \(hang.report.reason.sentence); the host exits"), remedy: remedy,
            details: hang.stack.lines)
        tell(report, isJSON: isJSON)
        end(as: .watch, .software)
    }

    /// Reports why a command cannot end in order; from here on only the watchdog writes output.
    private static func tell(_ report: FailureReport, isJSON: Bool) {
        TerminalScreen.restore()
        ProcessEnd.claim(as: .watch)
        guard isJSON else { return StandardOutput.note(report.text()) }
        _ = try? StandardOutput.write(report.json.text(pretty: true) + "\n")
    }

    private static func endForShortage(isJSON: Bool) -> Never {
        let report = FailureReport(
            code: "threadsUnavailable", subject: "hostapp",
            message: localized("the system cannot create another thread for \"hostapp\""),
            remedy: localized(
                "quit other programs, or raise the limits on processes and memory (\"ulimit -u\", \"ulimit -v\"); "
                    + "then run the command again"))
        tell(report, isJSON: isJSON)
        // Flushing the last output of plugins can need a thread, so this ends the process without flushing it.
        ProcessEnd.now(as: .watch, status: ExitStatus.tryLater.rawValue)
    }
}

/// The limit of open file descriptors of the process.
enum DescriptorLimit {
    /// The minimum for installing and running a few plugins; with much less, the system libraries end the process silently.
    static let needed: rlim_t = 64
    /// The limit that a host requests, because every loaded version keeps one descriptor open.
    static let wanted: rlim_t = 65_536

    /// Raises the limit as far as the process may.
    ///
    /// - Throws: ``ReportedError`` if the result is still too low.
    static func raise() throws(ReportedError) {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return }
        if limit.rlim_cur < wanted, limit.rlim_cur < limit.rlim_max {
            limit.rlim_cur = min(limit.rlim_max, wanted)
            setrlimit(resource, &limit)
            getrlimit(resource, &limit)
        }
        guard limit.rlim_cur < needed else { return }
        let report = FailureReport(
            code: "tooFewDescriptors", subject: "\(limit.rlim_cur)",
            message: localized(
                "this process may have only \(limit.rlim_cur) files open at a time, and hostapp needs \(needed)"),
            remedy: localized("raise the limit, for example with \"ulimit -n 1024\", and run the command again"))
        throw ReportedError(report: report, exitStatus: .ioError)
    }

    private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
}
