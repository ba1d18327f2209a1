/// The rule for links that no plugin handles and that the system can open.
enum SystemLinkRule: String, CaseIterable, Sendable {
    /// Pass them on after a question.
    case ask
    /// Pass them on at once; those that come from outside of the app, or from a plugin in a process of its own, only after a question.
    case open
    /// Pass none on.
    case never
}
