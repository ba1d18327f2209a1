import TUFMetadata

/// The saved files of the top-level roles below the root, which the root's keys have signed. They may have expired.
///
/// A file is nil if it is missing, damaged, or not signed by the root's keys.
struct SavedMetadata: Sendable {
    let timestamp: SignedMetadata<Timestamp>?
    let snapshot: SignedMetadata<Snapshot>?
    let targets: SignedMetadata<Targets>?

    init(in store: MetadataStore, signedBy root: Root) {
        func metadata<Content: RoleContent>(_ role: TopLevelRole) -> SignedMetadata<Content>? {
            guard let saved = store.metadata(role.rawValue, Content.self),
                (try? saved.verify(by: root.keys, role: root.keys(of: role))) != nil
            else { return nil }
            return saved
        }
        timestamp = metadata(.timestamp)
        snapshot = metadata(.snapshot)
        targets = metadata(.targets)
    }
}
