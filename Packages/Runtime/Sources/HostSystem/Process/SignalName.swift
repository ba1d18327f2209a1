import Glibc

/// The names of the signals that end a process after a fault of its code.
public enum SignalName {
    /// The signal that ends a process which has used all its processor time.
    package static let processorTime = SIGXCPU

    /// The signals that report a fault or an abort of the process's own code.
    static let faults = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS]

    /// Returns whether a signal reports a fault or an abort of the process's own code, or a limit that it has exceeded.
    package static func isFault(_ signal: Int32) -> Bool {
        faults.contains(signal) || [SIGXCPU, SIGXFSZ].contains(signal)
    }

    /// The name of a signal, such as `SIGSEGV`; its number in words for one without a name here.
    public static func name(of signal: Int32) -> String {
        switch signal {
        case SIGSEGV: "SIGSEGV"
        case SIGBUS: "SIGBUS"
        case SIGILL: "SIGILL"
        case SIGFPE: "SIGFPE"
        case SIGABRT: "SIGABRT"
        case SIGTRAP: "SIGTRAP"
        case SIGSYS: "SIGSYS"
        case SIGXCPU: "SIGXCPU"
        case SIGXFSZ: "SIGXFSZ"
        default: "signal \(signal)"
        }
    }
}
