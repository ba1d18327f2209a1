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

extension TrustedMetadata {
    /// Returns the path of a target's file, percent-encoded, relative to the address of the repository's targets.
    ///
    /// With consistent snapshots, the name of the file begins with a hash.
    ///
    /// - Throws: ``TUFError`` with code `targetNameUnsafe` for a path that would lead elsewhere.
    public func path(of target: FoundTarget) throws(TUFError) -> String {
        try RepositoryLayout.target(
            target.path, hash: root.content.isConsistent ? target.file.hashes.forFileName : nil)
    }

    /// Returns the address of a target's file.
    ///
    /// ```swift
    /// let address = try trusted.address(of: target, base: "https://example.org/targets")
    /// // https://example.org/targets/shop/9f86d081...shop-1.1.0.zip
    /// ```
    ///
    /// - Parameter base: The address of the repository's targets.
    /// - Throws: ``TUFError`` with code `targetNameUnsafe` for a path that would lead elsewhere.
    public func address(of target: FoundTarget, base: String) throws(TUFError) -> String {
        (base.hasSuffix("/") ? base : base + "/") + (try path(of: target))
    }
}
