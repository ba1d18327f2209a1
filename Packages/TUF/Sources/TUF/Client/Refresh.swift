public import TUFMetadata

/// One refresh of the top-level roles, with one start time for all checks.
///
/// See sections 5.2 to 5.6 of the specification.
struct Refresh {
    let store: MetadataStore
    let source: any RepositorySource
    let limits: ClientLimits
    let time: UTCTime

    func run() async throws(TUFError) -> TrustedMetadata {
        let trusted = try store.trustedRoot()
        // With its error as a value, because `async let` does not keep the type of what is thrown.
        async let newest = result { () async throws(TUFError) in try await newestRoot(from: trusted) }
        // Saved files are mostly still the newest ones, and are verified while the server is asked for the next root.
        let early = SavedMetadata(in: store, signedBy: trusted.content)
        let root = try await newest.get()
        // A new root may have removed some of them, and may have other keys.
        let isSame = root.content.version == trusted.content.version
        let saved = isSame ? early : SavedMetadata(in: store, signedBy: root.content)
        try root.content.checkExpiry(at: time, of: "root.json")
        let timestamp = try await timestamp(root, saved.timestamp)
        let loader = RoleLoader(
            store: store, source: source, limits: limits, time: time, isConsistent: root.content.isConsistent)
        let snapshot = try await loader.load(
            RoleReference(.snapshot, of: root.content), timestamp.content.snapshot, atMost: limits.snapshotLength,
            saved: saved.snapshot
        ) { new throws(TUFError) in
            if let old = saved.snapshot { try new.checkRollback(from: old.content) }
        }
        let targets = try await loader.targets(
            RoleReference(.targets, of: root.content), in: snapshot.content, verified: saved.targets)
        return TrustedMetadata(root: root, timestamp: timestamp, snapshot: snapshot, targets: targets, time: time)
    }

    private func timestamp(
        _ metadata: SignedMetadata<Root>, _ trusted: SignedMetadata<Timestamp>?
    ) async throws(TUFError) -> SignedMetadata<Timestamp> {
        let root = metadata.content
        let name = RepositoryLayout.metadata("timestamp", version: nil)
        let bytes = try await source.content(of: name, atMost: limits.timestampLength)
        return try about(name) { () throws(TUFError) in
            // The same file was verified with the same keys.
            if let trusted, trusted.bytes == bytes {
                try trusted.content.checkExpiry(at: time)
                return trusted
            }
            let new = try SignedMetadata<Timestamp>(bytes)
            try new.verify(by: root, as: .timestamp)
            if let trusted {
                // The same version means that nothing has changed, whatever else the file says.
                if new.content.version == trusted.content.version {
                    try trusted.content.checkExpiry(at: time)
                    return trusted
                }
                try Self.checkRollback(from: trusted.content.version, to: new.content.version, of: "timestamp")
                try Self.checkRollback(
                    from: trusted.content.snapshot.version, to: new.content.snapshot.version, of: "snapshot")
            }
            try new.content.checkExpiry(at: time)
            try store.preserve(metadata, at: time)
            try store.save("timestamp", bytes)
            return new
        }
    }

    private static func checkRollback(from old: Int, to new: Int, of role: String) throws(TUFError) {
        guard new >= old else { throw TUFError(.rollback, detail: "\(role) has version \(new) after \(old)") }
    }
}

extension FileDescription {
    /// Returns whether a file whose signatures are verified is the one that this value describes. It may have expired.
    func describes<Content: RoleContent>(_ metadata: SignedMetadata<Content>) -> Bool {
        metadata.content.version == version && (try? verify(metadata.bytes)) != nil
    }
}

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

extension Refresh {
    /// Follows the chain of roots from the trusted one to the newest one. Each new root is saved as soon as it is trusted.
    ///
    /// See section 5.3 of the specification.
    private func newestRoot(from trusted: SignedMetadata<Root>) async throws(TUFError) -> SignedMetadata<Root> {
        var root = trusted
        for _ in 0..<limits.rootRotations {
            let (version, overflows) = root.content.version.addingReportingOverflow(1)
            let name = RepositoryLayout.metadata("root", version: version)
            guard !overflows, let bytes = try await file(name) else { break }
            root = try about(name) { () throws(TUFError) in
                let next = try SignedMetadata<Root>(bytes)
                // Both the keys that are trusted now and the new ones must agree.
                try next.verify(by: root.content, as: .root)
                try next.verify(by: next.content, as: .root)
                guard next.content.version == version else {
                    throw TUFError(.versionMismatch, detail: "\(next.content.version) in place of \(version)")
                }
                try recover(from: root.content, to: next.content)
                try store.save("root", bytes)
                return next
            }
        }
        return root
    }

    private func file(_ name: String) async throws(TUFError) -> [UInt8]? {
        do {
            return try await source.content(of: name, atMost: limits.rootLength)
        } catch {
            if error.code == .notFound { return nil }
            throw error
        }
    }

    /// Removes timestamp and snapshot if a key of one of them has been replaced.
    ///
    /// An attacker with the old key may have signed a very high version, which would make all later versions of the owner look like a
    /// rollback. This happens before the root is saved, so that an interruption in between cannot leave the old files in use.
    private func recover(from old: Root, to new: Root) throws(TUFError) {
        let isRotated = [TopLevelRole.timestamp, .snapshot].contains { role in
            !Set(old.keys(of: role).ids).isSubset(of: new.keys(of: role).ids)
        }
        guard isRotated else { return }
        try store.remove(.timestamp)
        try store.remove(.snapshot)
    }
}
