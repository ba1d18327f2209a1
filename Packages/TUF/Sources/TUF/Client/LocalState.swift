import TUFMetadata

/// The state of the last refresh, verified again without the repository.
struct LocalState {
    let store: MetadataStore
    let time: UTCTime

    /// Returns the state of the last complete refresh.
    ///
    /// A refresh saves one file after the other. If the last one was interrupted, its files do not fit together, and the state before it is
    /// used. Metadata that has expired is no reason for that: a newer one has replaced it.
    func load() throws(TUFError) -> TrustedMetadata {
        guard let bytes = try store.read("root") else { throw TUFError(.rootMissing, "root.json") }
        let root: SignedMetadata<Root> = try about("root.json") { () throws(TUFError) in
            let root = try SignedMetadata<Root>(bytes)
            try root.verify(by: root.content.keys, role: root.content.keys(of: .root))
            try root.content.checkExpiry(at: time)
            return root
        }
        do throws(TUFError) {
            return try state(in: store, root)
        } catch {
            guard error.code != .expired, let previous = try? state(in: store.previous, root) else { throw error }
            return previous
        }
    }

    private func state(
        in store: MetadataStore, _ root: SignedMetadata<Root>
    ) throws(TUFError) -> TrustedMetadata {
        let timestamp: SignedMetadata<Timestamp> = try metadata("timestamp", .timestamp, root.content, nil, in: store)
        let snapshot: SignedMetadata<Snapshot> = try metadata(
            "snapshot", .snapshot, root.content, timestamp.content.snapshot, in: store)
        guard let description = snapshot.content["targets"] else { throw TUFError(.roleUnknown, "targets") }
        let targets: SignedMetadata<Targets> = try metadata("targets", .targets, root.content, description, in: store)
        return TrustedMetadata(root: root, timestamp: timestamp, snapshot: snapshot, targets: targets, time: time)
    }

    /// Saves the current state as the last complete one, if it is complete, before a refresh replaces the first file of it.
    func preserve(_ root: SignedMetadata<Root>) throws(TUFError) {
        guard let current = try? state(in: store, root) else { return }
        let files = [
            ("timestamp", current.timestamp.bytes), ("snapshot", current.snapshot.bytes),
            ("targets", current.targets.bytes),
        ]
        for (role, bytes) in files where try store.previous.read(role) != bytes {
            try store.previous.save(role, bytes)
        }
    }

    private func metadata<Content: RoleContent>(
        _ name: String, _ role: TopLevelRole, _ root: Root, _ description: FileDescription?, in store: MetadataStore
    ) throws(TUFError) -> SignedMetadata<Content> {
        guard let bytes = try store.read(name) else { throw TUFError(.notFound, "\(name).json") }
        return try about("\(name).json") { () throws(TUFError) in
            let metadata: SignedMetadata<Content>
            if let description {
                metadata = try description.verified(bytes, keys: root.keys, role: root.keys(of: role))
            } else {
                metadata = try SignedMetadata(bytes)
                try metadata.verify(by: root.keys, role: root.keys(of: role))
            }
            try metadata.content.checkExpiry(at: time)
            return metadata
        }
    }
}
