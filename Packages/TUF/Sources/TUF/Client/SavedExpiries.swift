public import TUFMetadata

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
        guard let root = store.metadata("root", Root.self) else { return [] }
        let keys = root.content.keys
        var expiries: [SavedExpiry] = []
        func saved<Content: RoleContent>(
            _ name: String, _ type: Content.Type, _ keys: [String: PublicKey], _ role: RoleKeys
        ) -> Content? {
            guard let metadata = store.metadata(name, type), (try? metadata.verify(by: keys, role: role)) != nil else {
                return nil
            }
            return metadata.content
        }
        func note(_ role: String, _ content: (any RoleContent)?) {
            if let content { expiries.append(SavedExpiry(role: role, expires: content.expires)) }
        }
        note("root", saved("root", Root.self, keys, root.content.keys(of: .root)))
        note("timestamp", saved("timestamp", Timestamp.self, keys, root.content.keys(of: .timestamp)))
        let snapshot = saved("snapshot", Snapshot.self, keys, root.content.keys(of: .snapshot))
        note("snapshot", snapshot)
        let targets = saved("targets", Targets.self, keys, root.content.keys(of: .targets))
        note("targets", targets)
        for delegation in targets?.delegations?.roles ?? [] {
            let content = saved(delegation.name, Targets.self, targets?.delegations?.keys ?? [:], delegation.keys)
            guard let content, snapshot?[delegation.name]?.version == content.version else { continue }
            note(delegation.name, content)
        }
        return expiries
    }
}
