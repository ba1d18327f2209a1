/// What of a version's code runs for the first time.
public enum ProbationPhase: String, Hashable, Sendable {
    /// Its library is opened, and its principal object started.
    case load
    /// It is called for the first time.
    case firstUse
    /// A page of it is asked what it shows.
    case page
    /// A page of it performs an action.
    case pageAction
    /// It has been loaded, and runs in a task or on a thread of its own.
    case running
}
