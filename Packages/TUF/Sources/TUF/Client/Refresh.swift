import TUFMetadata

/// One refresh of the top-level roles, with one start time for all checks.
///
/// See sections 5.2 to 5.6 of the specification.
struct Refresh {
    let store: MetadataStore
    let source: any RepositorySource
    let limits: ClientLimits
    let time: UTCTime

    func run() async throws(TUFError) -> TrustedMetadata {
        let update = RootUpdate(store: store, source: source, limits: limits)
        let trusted = try update.trusted()
        async let newest = update.result(from: trusted)
        // Saved files are mostly still the newest ones, and are verified while the server is asked for the next root.
        let early = SavedMetadata(in: store, signedBy: trusted.content)
        let root = try await newest.get()
        // A new root may have removed some of them, and may have other keys.
        let isSame = root.content.version == trusted.content.version
        let saved = isSame ? early : SavedMetadata(in: store, signedBy: root.content)
        try about("root.json") { () throws(TUFError) in try root.content.checkExpiry(at: time) }
        let timestamp = try await timestamp(root, saved.timestamp)
        let snapshot = try await snapshot(root.content, timestamp.content, saved.snapshot)
        let loader = TargetsLoader(store: store, source: source, limits: limits, time: time)
        let targets = try await loader.load(
            "targets", keys: root.content.keys, role: root.content.keys(of: .targets), snapshot: snapshot.content,
            isConsistent: root.content.isConsistent, verified: saved.targets)
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
            try new.verify(by: root.keys, role: root.keys(of: .timestamp))
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
            try LocalState(store: store, time: time).preserve(metadata)
            try store.save("timestamp", bytes)
            return new
        }
    }

    private func snapshot(
        _ root: Root, _ timestamp: Timestamp, _ trusted: SignedMetadata<Snapshot>?
    ) async throws(TUFError) -> SignedMetadata<Snapshot> {
        let description = timestamp.snapshot
        if let trusted, description.describes(trusted, at: time) { return trusted }
        let name = RepositoryLayout.metadata("snapshot", version: root.isConsistent ? description.version : nil)
        let limit = limits.most(description.length, or: limits.snapshotLength)
        let bytes = try await source.content(of: name, atMost: limit)
        return try about(name) { () throws(TUFError) in
            let new: SignedMetadata<Snapshot> = try description.verified(
                bytes, keys: root.keys, role: root.keys(of: .snapshot))
            if let trusted { try new.content.checkRollback(from: trusted.content) }
            try new.content.checkExpiry(at: time)
            try store.save("snapshot", bytes)
            return new
        }
    }

    private static func checkRollback(from old: Int, to new: Int, of role: String) throws(TUFError) {
        guard new >= old else { throw TUFError(.rollback, detail: "\(role) has version \(new) after \(old)") }
    }
}

extension FileDescription {
    /// Reads a file that this value describes, and verifies everything but its expiry.
    func verified<Content: RoleContent>(
        _ bytes: [UInt8], keys: [String: PublicKey], role: RoleKeys
    ) throws(TUFError) -> SignedMetadata<Content> {
        // The hashes come first: they are a quick way to reject a file that is not the announced one.
        try verify(bytes)
        let metadata = try SignedMetadata<Content>(bytes)
        try metadata.verify(by: keys, role: role)
        guard metadata.content.version == version else {
            throw TUFError(.versionMismatch, detail: "\(metadata.content.version) in place of \(version)")
        }
        return metadata
    }

    /// Returns whether a file whose signatures are verified is the one that this value describes, and is valid at a time.
    func describes<Content: RoleContent>(_ metadata: SignedMetadata<Content>, at time: UTCTime) -> Bool {
        metadata.content.version == version && time < metadata.content.expires && (try? verify(metadata.bytes)) != nil
    }
}

/// Adds the name of a file to the errors of a closure.
func about<Result>(_ name: String, _ body: () throws(TUFError) -> Result) throws(TUFError) -> Result {
    do throws(TUFError) {
        return try body()
    } catch {
        throw error.about(name)
    }
}
