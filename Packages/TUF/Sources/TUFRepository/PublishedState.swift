import TUFMetadata

/// The state of a repository that clients see.
struct PublishedState: Sendable {
    let root: SignedMetadata<Root>
    let timestamp: SignedMetadata<Timestamp>
    let snapshot: SignedMetadata<Snapshot>

    /// Reads the state, or returns nil if there is none.
    init?(in folder: RepositoryFolder) throws(TUFError) {
        guard let timestamp: SignedMetadata<Timestamp> = try folder.read("timestamp.json") else { return nil }
        guard let root = try folder.newestRoot() else { throw TUFError(.notFound, "root.json") }
        let name = RepositoryLayout.metadata("snapshot", version: timestamp.content.snapshot.version)
        guard let snapshot: SignedMetadata<Snapshot> = try folder.read(name) else { throw TUFError(.notFound, name) }
        (self.root, self.timestamp, self.snapshot) = (root, timestamp, snapshot)
    }

    /// Returns the metadata of a targets role, or nil if there is no such role.
    func targets(of role: String, in folder: RepositoryFolder) throws(TUFError) -> SignedMetadata<Targets>? {
        guard let description = snapshot.content[role] else { return nil }
        let name = RepositoryLayout.metadata(role, version: description.version)
        guard let metadata: SignedMetadata<Targets> = try folder.read(name) else { throw TUFError(.notFound, name) }
        return metadata
    }
}
