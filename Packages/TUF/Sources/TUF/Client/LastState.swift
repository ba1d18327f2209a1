public import TUFMetadata

/// The saved files of the top-level roles below the root, which the root's keys have signed. They may have expired.
///
/// A file is nil if it is missing, damaged, or not signed by the root's keys.
struct SavedMetadata {
    let timestamp: SignedMetadata<Timestamp>?
    let snapshot: SignedMetadata<Snapshot>?
    let targets: SignedMetadata<Targets>?

    init(in store: MetadataStore, signedBy root: Root) {
        func metadata<Content: RoleContent>(_ role: TopLevelRole) -> SignedMetadata<Content>? {
            guard let saved = store.metadata(role.rawValue, Content.self),
                (try? saved.verify(by: root, as: role)) != nil
            else { return nil }
            return saved
        }
        timestamp = metadata(.timestamp)
        snapshot = metadata(.snapshot)
        targets = metadata(.targets)
    }
}

// The state of the last refresh, verified again without the repository.
extension MetadataStore {
    /// Returns the state of the last complete refresh.
    ///
    /// A refresh saves one file after the other. If the last one was interrupted, its files do not fit together, and the state before it is
    /// used. Metadata that has expired is no reason for that: a newer one has replaced it.
    func lastState(at time: UTCTime) throws(TUFError) -> TrustedMetadata {
        let root = try trustedRoot()
        try root.content.checkExpiry(at: time, of: "root.json")
        do {
            return try state(root, at: time)
        } catch {
            guard error.code != .expired, let previous = try? previous.state(root, at: time) else { throw error }
            return previous
        }
    }

    private func state(_ root: SignedMetadata<Root>, at time: UTCTime) throws(TUFError) -> TrustedMetadata {
        let saved = SavedMetadata(in: self, signedBy: root.content)
        let timestamp = try Self.valid(saved.timestamp, "timestamp", at: time)
        let snapshot = try Self.valid(saved.snapshot, "snapshot", as: timestamp.content.snapshot, at: time)
        guard let description = snapshot.content["targets"] else { throw TUFError(.roleUnknown, "targets") }
        let targets = try Self.valid(saved.targets, "targets", as: description, at: time)
        return TrustedMetadata(root: root, timestamp: timestamp, snapshot: snapshot, targets: targets, time: time)
    }

    /// Saves the current state as the last complete one, if it is complete, before a refresh replaces the first file of it.
    func preserve(_ root: SignedMetadata<Root>, at time: UTCTime) throws(TUFError) {
        guard let current = try? state(root, at: time) else { return }
        let files = [
            ("timestamp", current.timestamp.bytes), ("snapshot", current.snapshot.bytes),
            ("targets", current.targets.bytes),
        ]
        for (role, bytes) in files where try previous.read(role) != bytes {
            try previous.save(role, bytes)
        }
    }

    /// Returns a saved file, unless it is missing, has expired, or is not the described one.
    private static func valid<Content: RoleContent>(
        _ saved: SignedMetadata<Content>?, _ role: String, as description: FileDescription? = nil, at time: UTCTime
    ) throws(TUFError) -> SignedMetadata<Content> {
        guard let saved, description?.describes(saved) ?? true else { throw TUFError(.notFound, "\(role).json") }
        try saved.content.checkExpiry(at: time, of: "\(role).json")
        return saved
    }
}

extension TUFClient {
    /// The end of the life of a role, according to its saved metadata.
    public struct SavedExpiry: Hashable, Sendable {
        /// The name of the role.
        public let role: String
        /// The time from which its metadata is no longer trusted.
        public let expires: UTCTime
    }

    /// Returns the ends of the lives of the saved roles, also of those that have expired, without using the repository.
    ///
    /// These are the top-level roles and the direct delegations of targets.
    /// Metadata that is damaged, not signed by the keys of its role, or replaced by a newer version is left out.
    public func savedExpiries() -> [SavedExpiry] {
        guard let root = try? store.trustedRoot() else { return [] }
        let saved = SavedMetadata(in: store, signedBy: root.content)
        let contents: [(role: String, content: (any RoleContent)?)] = [
            ("root", root.content), ("timestamp", saved.timestamp?.content), ("snapshot", saved.snapshot?.content),
            ("targets", saved.targets?.content),
        ]
        var expiries = contents.compactMap { role, content in
            content.map { SavedExpiry(role: role, expires: $0.expires) }
        }
        guard let delegations = saved.targets?.content.delegations else { return expiries }
        for delegation in delegations.roles {
            guard let role = store.metadata(delegation.name, Targets.self),
                (try? role.verify(by: delegations.keys, role: delegation.keys)) != nil,
                saved.snapshot?.content[delegation.name]?.version == role.content.version
            else { continue }
            expiries.append(SavedExpiry(role: delegation.name, expires: role.content.expires))
        }
        return expiries
    }
}
