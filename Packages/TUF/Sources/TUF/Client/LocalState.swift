import TUFMetadata

/// The state of the last refresh, verified again without the repository.
struct LocalState {
    let store: MetadataStore
    let time: UTCTime

    func load() throws(TUFError) -> TrustedMetadata {
        guard let bytes = try store.read("root") else { throw TUFError(.rootMissing, "root.json") }
        let root: SignedMetadata<Root> = try about("root.json") { () throws(TUFError) in
            let root = try SignedMetadata<Root>(bytes)
            try root.verify(by: root.content.keys, role: root.content.keys(of: .root))
            try root.content.checkExpiry(at: time)
            return root
        }
        let timestamp: SignedMetadata<Timestamp> = try metadata("timestamp", .timestamp, root.content, nil)
        let snapshot: SignedMetadata<Snapshot> = try metadata(
            "snapshot", .snapshot, root.content, timestamp.content.snapshot)
        guard let description = snapshot.content["targets"] else { throw TUFError(.roleUnknown, "targets") }
        let targets: SignedMetadata<Targets> = try metadata("targets", .targets, root.content, description)
        return TrustedMetadata(root: root, timestamp: timestamp, snapshot: snapshot, targets: targets, time: time)
    }

    private func metadata<Content: RoleContent>(
        _ name: String, _ role: TopLevelRole, _ root: Root, _ description: FileDescription?
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
