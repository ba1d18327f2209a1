/// Something that was done to an installed bundle.
public struct HistoryEntry: Hashable, Sendable {
    /// What can be done.
    public enum Event: String, Hashable, Sendable, CaseIterable {
        /// A version became active where none was.
        case installed
        /// A version took the place of another.
        case updated
        /// The previous version became active again.
        case rolledBack
        /// All versions went.
        case uninstalled
        /// A version was kept that becomes active when a host starts next.
        case staged
        /// A version is not kept any more, and goes from the disk when nobody uses it.
        case pruned
        /// A version was put away because it brought the host down.
        case quarantined
        /// Nothing took the place of a version that was put away.
        case disabled
        /// A version that was put away may be installed again.
        case unblocked
    }

    /// When, in seconds since 1970.
    public let at: Int64
    /// To whom.
    public let identifier: String
    /// What.
    public let event: Event
    /// The version that it was done with: the one that is active since, the one that waits, or the one that went.
    public let version: String
    /// The version that was active before; `nil` when there was none.
    public let before: String?
}
