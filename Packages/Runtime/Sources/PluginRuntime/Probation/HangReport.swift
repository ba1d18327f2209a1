/// Code of a bundle that holds its thread for too long, as a host hears of it that is to end itself.
public struct HangReport: Sendable {
    /// What the next start of a host does about the version.
    public enum Consequence: Sendable {
        /// Quarantines it.
        case quarantine
        /// Quarantines it if this happens again: nothing of its code was on the stack.
        case strike
        /// Nothing: it has run successfully before.
        case nothing
        /// Nothing: the system gave the process no more threads.
        case shortage
    }

    /// The version, and when it was held.
    public let verdict: ProbationVerdict
    /// What comes of it.
    public let consequence: Consequence
    /// The calls on the thread's stack, innermost first, a line each: library, place in it, and function where it has a name.
    /// Empty when the thread does not answer.
    public let stack: [String]
}
