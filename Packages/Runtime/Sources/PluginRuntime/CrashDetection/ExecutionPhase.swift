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
