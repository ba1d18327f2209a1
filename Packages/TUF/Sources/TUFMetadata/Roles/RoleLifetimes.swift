/// The days for which newly signed metadata is valid.
public struct RoleLifetimes: Hashable, Sendable {
    /// The days of a root, whose keys are offline.
    public var root = 365
    /// The days of targets metadata.
    public var targets = 90
    /// The days of a snapshot.
    public var snapshot = 7
    /// The days of a timestamp, which limit how long clients can be kept from updates.
    public var timestamp = 1

    /// Creates the usual lifetimes.
    public init() {}

    /// Returns the lifetime of a role in days. Roles that the root doesn't name are delegated ones.
    public func days(of role: String) -> Int {
        switch TopLevelRole(rawValue: role) {
        case .root: root
        case .snapshot: snapshot
        case .timestamp: timestamp
        case .targets, nil: targets
        }
    }
}
