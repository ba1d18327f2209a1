public import TUFMetadata

/// The metadata of the four top-level roles, verified together at one time.
public struct TrustedMetadata: Sendable {
    /// The keys of the top-level roles.
    public let root: SignedMetadata<Root>
    /// The reference to the snapshot.
    public let timestamp: SignedMetadata<Timestamp>
    /// The versions of all targets metadata.
    public let snapshot: SignedMetadata<Snapshot>
    /// The targets and delegations of the top-level role.
    public let targets: SignedMetadata<Targets>
    /// The time at which everything was valid, and at which delegated roles must be.
    public let time: UTCTime

    /// The time at which the first of these files expires.
    public var expires: UTCTime {
        min(root.content.expires, timestamp.content.expires, snapshot.content.expires, targets.content.expires)
    }
}
