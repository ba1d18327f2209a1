/// An entry in the history of an installed bundle.
public struct HistoryEntry: Hashable, Sendable {
    /// The events in the history.
    public enum Event: String, Hashable, Sendable, CaseIterable {
        /// A version became active where none was before.
        case installed
        /// A version replaced another as the active one.
        case updated
        /// The previous version became active again.
        case rolledBack
        /// All versions were removed.
        case uninstalled
        /// A version was added that becomes active when a host starts next.
        case staged
        /// A version was removed from the registry; its files are deleted when no process uses them.
        case pruned
        /// A version was quarantined because it crashed or hung the host.
        case quarantined
        /// A quarantined version was not replaced by another.
        case disabled
        /// A quarantined version was allowed to be installed again.
        case unblocked
    }

    /// The time, in seconds since 1970.
    public let at: Int64
    /// The identifier of the bundle.
    public let identifier: String
    /// The event.
    public let event: Event
    /// The version that the event is about: the one that became active, was staged, or was removed.
    public let version: String
    /// The version that was active before; `nil` when there was none.
    public let before: String?
}
