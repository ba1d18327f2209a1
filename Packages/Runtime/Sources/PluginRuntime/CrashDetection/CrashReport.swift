import HostSystem
import Registry
public import PluginCore

/// A version whose code crashed or hung a host before it had run successfully.
public struct CrashReport: Hashable, Sendable {
    /// The way in which the version failed.
    public enum Cause: Hashable, Sendable {
        /// A signal ended the process while the code ran, or because of it.
        case crashed(signal: Int32)
        /// The code blocked its thread for too long.
        case hung
        /// The code ended the process, or replaced its program.
        case exited
        /// The process was killed more than once while the code ran, without a record of the reason.
        case ended
    }

    /// The version that crashed or hung.
    public let identity: BundleIdentity
    /// The digest of the version's content.
    public let digest: String
    /// The way in which the version failed.
    public let cause: Cause
    /// The part of the code that ran.
    public let phase: ExecutionPhase
    /// The time of the failure, in seconds since 1970.
    public let at: Int64

    var version: VersionKey { VersionKey(identity: identity, digest: digest) }

    /// The number of the signal; `nil` when there was none.
    public var signal: Int32? {
        if case .crashed(let signal) = cause { signal } else { nil }
    }

    /// The reason for a quarantine. Its sentence continues one about the version, such as "hung the host while it was loaded".
    public var reason: ErrorReason {
        let phase = ErrorReason.Value.reason(phase.reason)
        return switch cause {
        case .crashed(let signal):
            ErrorReason("crashedHost", ["signal": "\(SignalName.name(of: signal))", "phase": phase])
        case .hung: ErrorReason("hungHost", ["phase": phase])
        case .exited: ErrorReason("endedHost", ["phase": phase])
        case .ended: ErrorReason("ranWhenKilled", ["phase": phase])
        }
    }
}

/// The part of a version's code that runs.
public enum ExecutionPhase: String, Hashable, Sendable {
    /// The library is opened and the principal object created.
    case load
    /// The code is called for the first time.
    case firstUse
    /// A page is asked for its content.
    case page
    /// A page performs an action.
    case pageAction
    /// The loaded code runs in its own task or thread.
    case running

    fileprivate var reason: ErrorReason {
        switch self {
        case .load: ErrorReason("whileLoaded")
        case .firstUse: ErrorReason("whenFirstUsed")
        case .page: ErrorReason("whenPageShown")
        case .pageAction: ErrorReason("whenPageActionPerformed")
        case .running: ErrorReason("afterLoaded")
        }
    }
}

/// A report that code of a bundle has blocked its thread for too long; a host that receives it should end its process.
public struct HangReport: Sendable {
    /// The outcome of a hang at the next start of a host.
    public enum Outcome: Sendable {
        /// The version is quarantined.
        case quarantine
        /// The version is quarantined if it happens again, because none of its code was on the stack.
        case strike
        /// None, because the version has run successfully before.
        case nothing
        /// None, because the system refused the process new threads.
        case shortage
    }

    /// The version, and the time of the hang.
    public let report: CrashReport
    /// The outcome of the hang.
    public let outcome: Outcome
    /// The calls on the thread's stack, innermost first: library, offset, and the function's name if known.
    ///
    /// Empty when the thread doesn't answer.
    public let stack: [String]
}
