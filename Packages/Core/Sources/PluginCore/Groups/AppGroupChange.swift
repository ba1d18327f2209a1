/// A change in an app group.
public enum AppGroupChange: Hashable, Sendable {
    /// A file in the group's documents was created, changed or removed. The value is its relative path.
    case file(String)
    /// The defaults were changed.
    case defaults
}
