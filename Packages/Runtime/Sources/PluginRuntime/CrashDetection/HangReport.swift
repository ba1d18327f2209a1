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
