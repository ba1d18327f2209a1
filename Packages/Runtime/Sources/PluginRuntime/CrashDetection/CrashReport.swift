import HostSystem
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

    /// The number of the signal; `nil` when there was none.
    public var signal: Int32? {
        if case .crashed(let signal) = cause { signal } else { nil }
    }

    /// The end of a sentence about the version, such as "hung the host while it was loaded".
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
        case .crashed(let signal): "crashed the host (\(SignalName.name(of: signal))) \(place)"
        case .hung: "hung the host \(place)"
        case .exited: "ended the host \(place)"
        case .ended: "was running twice when the host was killed, \(place)"
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
}

/// A report that code of a bundle has blocked its thread for too long; a host that receives it should end its process.
public struct HangReport: Sendable {
    /// The consequence of a hang at the next start of a host.
    public enum Consequence: Sendable {
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
    /// The consequence of the hang.
    public let consequence: Consequence
    /// The calls on the thread's stack, innermost first: library, offset, and the function's name if known.
    ///
    /// Empty when the thread doesn't answer.
    public let stack: [String]
}
