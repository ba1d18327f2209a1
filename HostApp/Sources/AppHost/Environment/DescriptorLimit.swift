import Console
#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// How many descriptors a process may have open at a time.
enum DescriptorLimit {
    /// What a host needs to install and run a handful of plugins. With much less the system libraries end the process without a word.
    static let needed: rlim_t = 64
    /// What a host asks for: each version that is loaded keeps one open.
    static let wanted: rlim_t = 65_536

    /// Raises the limit as far as the process may.
    ///
    /// - Throws: ``TooLow`` when that is not enough.
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

    #if canImport(Glibc)
        private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
    #else
        private static var resource: Int32 { RLIMIT_NOFILE }
    #endif

    /// The refusal to run with so few.
    struct TooLow: ReportableError {
        let limit: rlim_t

        var report: FailureReport {
            FailureReport(
                code: "tooFewDescriptors", subject: "\(limit)",
                message: "this process may have only \(limit) files open at a time, and hostapp needs \(needed)",
                remedy: "raise the limit, for example with \"ulimit -n 1024\", and run the command again")
        }

        var exitStatus: Console.ExitStatus { .ioError }
    }
}
