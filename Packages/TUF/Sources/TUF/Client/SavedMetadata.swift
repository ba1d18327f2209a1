import TUFMetadata

/// The saved files of the top-level roles below the root, whose signatures are not verified yet.
struct SavedMetadata: Sendable {
    let timestamp: SignedMetadata<Timestamp>?
    let snapshot: SignedMetadata<Snapshot>?
    let targets: SignedMetadata<Targets>?

    init(in store: MetadataStore) {
        timestamp = store.metadata("timestamp", Timestamp.self)
        snapshot = store.metadata("snapshot", Snapshot.self)
        targets = store.metadata("targets", Targets.self)
    }
}
