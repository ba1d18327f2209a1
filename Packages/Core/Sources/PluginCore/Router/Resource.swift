/// What a bundle answers a ``ResourceRequest`` with.
@frozen
public enum Resource: Sendable {
    /// A page to show.
    case page(any Page)
    /// A value for whoever asked; `()` when a handler has nothing to return.
    case object(any Sendable)
}
