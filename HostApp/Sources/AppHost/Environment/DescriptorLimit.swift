import Console
import Glibc

/// The limit of open file descriptors of the process.
enum DescriptorLimit {
    /// The minimum for installing and running a few plugins; with much less, the system libraries end the process silently.
    static let needed: rlim_t = 64
    /// The limit that a host requests, because every loaded version keeps one descriptor open.
    static let wanted: rlim_t = 65_536

    /// Raises the limit as far as the process may.
    ///
    /// - Throws: ``TooLow`` if the result is still too low.
    static func raise() throws(TooLow) {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return }
        if limit.rlim_cur < wanted, limit.rlim_cur < limit.rlim_max {
            limit.rlim_cur = min(limit.rlim_max, wanted)
            setrlimit(resource, &limit)
            getrlimit(resource, &limit)
        }
        guard limit.rlim_cur >= needed else { throw TooLow(limit: limit.rlim_cur) }
    }

    private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }

    /// The error for a limit that is too low.
    struct TooLow: ReportableError {
        let limit: rlim_t

        var report: FailureReport {
            FailureReport(
                code: "tooFewDescriptors", subject: "\(limit)",
                message: localized(
                    "this process may have only \(limit) files open at a time, and hostapp needs \(needed)"),
                remedy: localized("raise the limit, for example with \"ulimit -n 1024\", and run the command again"))
        }

        var exitStatus: Console.ExitStatus { .ioError }
    }
}
