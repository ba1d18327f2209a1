/// The limits that protect a client from a repository under an attacker's control.
public struct ClientLimits: Hashable, Sendable {
    /// The length of a root in bytes.
    public var rootLength = 512_000
    /// The length of a timestamp in bytes.
    public var timestampLength = 16_384
    /// The length of a snapshot in bytes if the timestamp doesn't say it.
    public var snapshotLength = 2_000_000
    /// The length of targets metadata in bytes if the snapshot doesn't say it.
    public var targetsLength = 5_000_000
    /// The length of a snapshot or of targets metadata in bytes, whatever other metadata says: a stolen key must not fill the memory.
    public var describedLength = 50_000_000
    /// The number of roots that one refresh follows.
    public var rootRotations = 256
    /// The number of roles that one search visits.
    public var visitedRoles = 32
    /// The number of roles of which the targets are listed.
    public var listedRoles = 20_000
    /// The time to wait for another process that refreshes the same metadata.
    public var lockWait: Duration = .seconds(60)

    /// Creates the limits of the reference implementation, which has none for the described length.
    public init() {}

    /// Returns the most bytes to read of metadata.
    ///
    /// - Parameters:
    ///   - length: The length that other metadata gives.
    ///   - limit: The limit for metadata without one.
    func most(_ length: Int?, or limit: Int) -> Int { length.map { min($0, describedLength) } ?? limit }
}
