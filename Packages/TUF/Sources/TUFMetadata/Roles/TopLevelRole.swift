/// A role whose keys are in the root metadata.
public enum TopLevelRole: String, Hashable, Sendable, CaseIterable {
    /// The role that names the keys of all these roles.
    case root
    /// The role that says which snapshot is current.
    case timestamp
    /// The role that says which version of each targets metadata is current.
    case snapshot
    /// The role that describes targets, and delegates to others.
    case targets
}
