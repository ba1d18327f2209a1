/// What of a version's code runs for the first time.
public enum ProbationPhase: String, Hashable, Sendable {
    /// Its library is opened, and its principal object started.
    case load
    /// It is called for the first time.
    case firstUse
}
