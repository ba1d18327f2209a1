internal import HostSystem
public import TUFMetadata

/// The metadata that a client trusts, in a local folder with one file for each role.
///
/// The files are those that were served, byte for byte. A process that can write here can remove the protection against rollback, and replace
/// the root.
struct MetadataStore: Sendable {
    private let path: String
    /// The largest file that a client saves.
    private static let limit = 1 << 28

    init(path: String) {
        self.path = path
    }

    private static func name(_ role: String) -> String { RepositoryLayout.metadata(role, version: nil) }

    /// Returns the file of a role, or nil if it was not saved.
    func read(_ role: String) throws(TUFError) -> [UInt8]? {
        try about(Self.name(role)) { () throws(TUFError) in
            try Folder(existingFolder: path)?.read(Self.name(role), atMost: Self.limit)
        }
    }

    /// Returns the metadata of a role, or nil if none was saved that can be read.
    ///
    /// Damaged files are ignored, because the repository has them all, except for the root.
    func metadata<Content: RoleContent>(_ role: String, _: Content.Type) -> SignedMetadata<Content>? {
        (try? read(role)).flatMap { $0 }.flatMap { try? SignedMetadata($0) }
    }

    /// Returns the trusted root, which must be signed by its own keys.
    func trustedRoot() throws(TUFError) -> SignedMetadata<Root> {
        guard let bytes = try read("root") else { throw TUFError(.rootMissing, "root.json") }
        return try about("root.json") { () throws(TUFError) in
            let root = try SignedMetadata<Root>(bytes)
            try root.verify(by: root.content, as: .root)
            return root
        }
    }

    /// The store of the last complete state, which is used until the next one is complete.
    var previous: MetadataStore { MetadataStore(path: path + "/previous") }

    func save(_ role: String, _ bytes: [UInt8]) throws(TUFError) {
        try about(Self.name(role)) { () throws(TUFError) in
            try Folder(folder: path, isCreated: true).replace(Self.name(role), with: bytes)
        }
    }

    func remove(_ role: TopLevelRole) throws(TUFError) {
        let name = Self.name(role.rawValue)
        try about(name) { () throws(TUFError) in _ = try Folder(folder: path).remove(name) }
        // Nothing that a replaced key has signed is needed any more.
        _ = try? Folder(folder: previous.path).remove(name)
    }

    /// Locks the folder for one refresh, or throws an error after a while.
    func lock(waiting duration: Duration) async throws(TUFError) -> FolderUse {
        let clock = ContinuousClock()
        let end = clock.now.advanced(by: duration)
        while true {
            let lock = try about(path) { () throws(TUFError) in
                let folder = try Folder(folder: path, isCreated: true)
                guard let lock = try folder.lock() else { return FolderUse?.none }
                // Another process may be writing the metadata of a delegated role. Its file is younger than an hour.
                try folder.removeLeftovers(olderThan: 3600)
                return lock
            }
            if let lock { return lock }
            guard clock.now < end, (try? await Task.sleep(for: .milliseconds(20))) != nil else {
                throw TUFError(.busy, path)
            }
        }
    }
}

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
                (try? saved.verify(by: root, as: role)) != nil
            else { return nil }
            return saved
        }
        timestamp = metadata(.timestamp)
        snapshot = metadata(.snapshot)
        targets = metadata(.targets)
    }
}

/// The state of the last refresh, verified again without the repository.
struct LocalState {
    let store: MetadataStore
    let time: TUFMetadata.UTCTime

    /// Returns the state of the last complete refresh.
    ///
    /// A refresh saves one file after the other. If the last one was interrupted, its files do not fit together, and the state before it is
    /// used. Metadata that has expired is no reason for that: a newer one has replaced it.
    func load() throws(TUFError) -> TrustedMetadata {
        let root = try store.trustedRoot()
        try about("root.json") { () throws(TUFError) in try root.content.checkExpiry(at: time) }
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
        let saved = SavedMetadata(in: store, signedBy: root.content)
        let timestamp = try valid(saved.timestamp, "timestamp")
        let snapshot = try valid(saved.snapshot, "snapshot", as: timestamp.content.snapshot)
        guard let description = snapshot.content["targets"] else { throw TUFError(.roleUnknown, "targets") }
        let targets = try valid(saved.targets, "targets", as: description)
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

    /// Returns a saved file, unless it is missing, has expired, or is not the described one.
    private func valid<Content: RoleContent>(
        _ saved: SignedMetadata<Content>?, _ role: String, as description: FileDescription? = nil
    ) throws(TUFError) -> SignedMetadata<Content> {
        guard let saved, description?.describes(saved) ?? true else { throw TUFError(.notFound, "\(role).json") }
        try about("\(role).json") { () throws(TUFError) in try saved.content.checkExpiry(at: time) }
        return saved
    }
}

extension TUFClient {
    /// The end of the life of a role, according to its saved metadata.
    public struct SavedExpiry: Hashable, Sendable {
        /// The name of the role.
        public let role: String
        /// The time from which its metadata is no longer trusted.
        public let expires: TUFMetadata.UTCTime
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
