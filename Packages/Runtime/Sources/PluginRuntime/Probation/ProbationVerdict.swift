#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
public import PluginCore

/// A version whose code brought a host down before it had proven itself.
public struct ProbationVerdict: Hashable, Sendable {
    /// How it did.
    public enum Cause: Hashable, Sendable {
        /// A signal ended the process, while or because its code ran.
        case crashed(signal: Int32)
        /// It held its thread for too long.
        case hung
        /// It ended the process, as `exit` does, or put another program in its place, as `exec` does.
        case exited
        /// The process ended while its code ran, more than once, and nobody could write down why: it was killed.
        case ended
    }

    /// Which bundle, in which version.
    public let identity: BundleIdentity
    /// The digest of the version's content.
    public let digest: String
    /// What happened.
    public let cause: Cause
    /// What of it ran.
    public let phase: ProbationPhase
    /// When, in seconds since 1970.
    public let at: Int64

    /// The signal's number; `nil` when there was none.
    public var signal: Int32? {
        if case .crashed(let signal) = cause { signal } else { nil }
    }

    /// What happened, as the end of a sentence about the version: `crashed the host (SIGSEGV) while it was loaded`.
    public var explanation: String {
        let place =
            switch phase {
            case .load: "while it was loaded"
            case .firstUse: "when it was first used"
            case .page: "when its page was shown"
            case .pageAction: "when an action of its page was performed"
            case .running: "after it was loaded"
            }
        return switch cause {
        case .crashed(let signal): "crashed the host (\(Self.name(of: signal))) \(place)"
        case .hung: "hung the host \(place)"
        case .exited: "ended the host \(place)"
        case .ended: "was at work twice when the host was killed, \(place)"
        }
    }

    private static func name(of signal: Int32) -> String {
        switch signal {
        case SIGSEGV: "SIGSEGV"
        case SIGBUS: "SIGBUS"
        case SIGILL: "SIGILL"
        case SIGFPE: "SIGFPE"
        case SIGABRT: "SIGABRT"
        case SIGTRAP: "SIGTRAP"
        case SIGSYS: "SIGSYS"
        default: "signal \(signal)"
        }
    }
}
