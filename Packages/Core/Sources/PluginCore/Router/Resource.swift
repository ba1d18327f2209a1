/// The result of a request: a page or a value.
@frozen
public enum Resource: Sendable {
    /// A page to show.
    case page(any Page)
    /// A value for the caller, or an empty tuple if a handler has no result.
    case object(any Sendable)
}
