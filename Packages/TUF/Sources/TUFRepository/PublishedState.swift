internal import Synchronization
public import TUFMetadata

/// The state of a repository that clients see.
public struct PublishedState: Sendable {
    /// The newest root.
    public let root: SignedMetadata<Root>
    /// The timestamp.
    public let timestamp: SignedMetadata<Timestamp>
    /// The current snapshot.
    public let snapshot: SignedMetadata<Snapshot>
    private let folder: RepositoryFolder
    private let loaded = LoadedTargets()

    /// Reads the state, or returns nil if there is none.
    init?(in folder: RepositoryFolder) throws(TUFError) {
        guard let timestamp: SignedMetadata<Timestamp> = try folder.read("timestamp.json") else { return nil }
        guard let root = try folder.newestRoot() else { throw TUFError(.notFound, "root.json") }
        let name = RepositoryLayout.metadata("snapshot", version: timestamp.content.snapshot.version)
        guard let snapshot: SignedMetadata<Snapshot> = try folder.read(name) else { throw TUFError(.notFound, name) }
        (self.root, self.timestamp, self.snapshot, self.folder) = (root, timestamp, snapshot, folder)
    }

    /// Returns the metadata of a targets role, or nil if there is no such role. It is read once.
    public func targets(of role: String) throws(TUFError) -> SignedMetadata<Targets>? {
        guard let description = snapshot.content[role] else { return nil }
        if let metadata = loaded.roles.withLock({ $0[role] }) { return metadata }
        let name = RepositoryLayout.metadata(role, version: description.version)
        guard let metadata: SignedMetadata<Targets> = try folder.read(name) else { throw TUFError(.notFound, name) }
        loaded.roles.withLock { $0[role] = metadata }
        return metadata
    }
}

/// The metadata of targets roles that has been read.
private final class LoadedTargets: Sendable {
    let roles = Mutex<[String: SignedMetadata<Targets>]>([:])
}
