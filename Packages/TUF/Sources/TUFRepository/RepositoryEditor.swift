public import TUFMetadata

/// The next state of a repository in a local folder, which is edited and then published as a whole.
///
/// ```swift
/// var editor = try RepositoryEditor(folder: "repository")
/// for role in TopLevelRole.allCases { try editor.setKeys([key.publicKey], threshold: 1, of: role) }
/// try editor.addTarget("shop-1.1.0.zip", file: "build/shop.zip")
/// try editor.publish(signedBy: [key])
/// ```
///
/// A web server serves the folder: `metadata` and `targets`. Until ``publish(signedBy:at:)`` writes `timestamp.json`, clients see the state
/// before.
public struct RepositoryEditor: Sendable {
    let folder: RepositoryFolder
    /// The exclusive use of the repository; `nil` if it is locked only while it is published.
    var lock: FolderUse?
    /// The published state, or nil in a new repository.
    public let published: PublishedState?
    /// The keys of the top-level roles. A change is published as a new version.
    public private(set) var root: Root
    /// A root that was signed elsewhere, for publication.
    var signedRoot: SignedMetadata<Root>?
    /// The new content of targets roles by name.
    var edited: [String: Targets] = [:]
    /// The metadata of roles that was signed elsewhere, by name.
    var imported: [String: SignedMetadata<Targets>] = [:]
    var newTargets: [(path: String, file: TargetFile, content: TargetContent)] = []
    /// A Boolean value that indicates whether a new root will be published.
    public private(set) var hasNewRoot = false
    /// A Boolean value that indicates whether the snapshot will be signed again without a change.
    public private(set) var renewsSnapshot = false

    /// The days for which newly signed metadata is valid.
    public var lifetimes = RoleLifetimes()
    /// The hashes of new targets.
    public var hashAlgorithms: [HashAlgorithm] = [.sha256]
    /// A Boolean value that indicates whether the snapshot contains lengths and hashes. Without them it is a quarter as long.
    public var snapshotHasHashes = true
    /// The longest metadata of a targets role in bytes, which is the limit of most clients.
    public var longestTargets = 5_000_000

    /// Opens a repository. A folder without one becomes a new repository when it is published.
    ///
    /// - Parameter isExclusive: A Boolean value that indicates whether nobody else may publish until the value is released.
    /// - Throws: ``TUFError`` with code `busy` if somebody else has the repository to himself.
    public init(folder path: String, isExclusive: Bool = false) throws(TUFError) {
        folder = RepositoryFolder(path: path)
        // Before the state is read, so that it is still the current one when it is published.
        lock = isExclusive ? try folder.lock() : nil
        published = try PublishedState(in: folder)
        root = published?.root.content ?? Root(expires: .now)
        if published == nil {
            hasNewRoot = true
            edited["targets"] = Targets(expires: .now)
        }
    }

    /// The targets roles whose metadata has changed, sorted.
    public var changedRoles: [String] { Set(edited.keys).union(imported.keys).sorted() }

    /// The targets roles whose metadata will be signed by a publication, sorted.
    public var unsignedRoles: [String] { edited.keys.sorted() }

    /// A Boolean value that indicates whether the new root was signed elsewhere.
    public var hasImportedRoot: Bool { signedRoot != nil }

    /// Replaces the keys and the threshold of a top-level role.
    public mutating func setKeys(_ keys: [PublicKey], threshold: Int, of role: TopLevelRole) throws(TUFError) {
        root.roles[role] = try Self.roleKeys(keys, threshold: threshold)
        for key in keys { root.keys[key.id] = key }
        let used = Set(root.roles.values.flatMap(\.ids))
        root.keys = root.keys.filter { used.contains($0.key) }
        hasNewRoot = true
        signedRoot = nil
    }

    static func roleKeys(_ keys: [PublicKey], threshold: Int) throws(TUFError) -> RoleKeys {
        guard keys.allSatisfy(\.isUsable) else { throw TUFError(.keyUnfit) }
        let ids = Set(keys.map(\.id)).sorted()
        guard 1...max(1, ids.count) ~= threshold, !ids.isEmpty else {
            throw TUFError(.editInvalid, detail: "a threshold of \(threshold) with \(ids.count) keys")
        }
        return RoleKeys(ids: ids, threshold: threshold)
    }

    /// Returns the next root without signatures, to be signed in other places.
    public func unsignedRoot(at time: UTCTime = .now) throws(TUFError) -> SignedMetadata<Root> {
        try SignedMetadata(root.next(after: published?.root.content.version, at: time, days: lifetimes.root))
    }

    /// Uses a root that was signed elsewhere, and its keys.
    ///
    /// - Throws: ``TUFError`` with code `editInvalid` for another version than the next one, or `notSigned`.
    public mutating func importRoot(_ signed: SignedMetadata<Root>) throws(TUFError) {
        guard signed.content.version == (published?.root.content.version ?? 0) + 1 else {
            throw TUFError(.editInvalid, "root.json", detail: "version \(signed.content.version) is not the next one")
        }
        try verify(signed)
        (root, signedRoot, hasNewRoot) = (signed.content, signed, true)
    }

    /// Throws an error unless a new root is signed by its own keys and by those of the published root.
    func verify(_ new: SignedMetadata<Root>) throws(TUFError) {
        try about("root.json") { () throws(TUFError) in
            try new.verify(by: new.content, as: .root)
            if let published { try new.verify(by: published.root.content, as: .root) }
        }
    }

    /// Signs a role again without changes, because it expires soon. Each publication signs the timestamp.
    public mutating func renew(_ role: String) throws(TUFError) {
        switch TopLevelRole(rawValue: role) {
        case .root: hasNewRoot = true
        case .snapshot: renewsSnapshot = true
        case .timestamp: break
        case .targets, nil: try edit(role) { _ in }
        }
    }
}

extension RepositoryEditor {
    /// Signs all that has changed, and writes it so that clients see the whole new state or the whole old one.
    ///
    /// - Parameters:
    ///   - keys: The keys that are here. Keys of no role that has changed are not used.
    ///   - time: The time from which lifetimes are counted.
    /// - Throws: ``TUFError`` with code `notSigned` if keys are missing; then nothing has been written. With code `busy` if the
    ///   repository is or was published by others since it was opened. With code `tooLong` if a role has too many targets for clients.
    public mutating func publish(signedBy keys: [SecretKey], at time: UTCTime = .now) throws(TUFError) {
        let lock: FolderUse
        if let own = self.lock { lock = own } else { lock = try folder.lock() }
        defer { withExtendedLifetime(lock) {} }
        let current: SignedMetadata<Timestamp>? = try folder.read("timestamp.json")
        guard current?.bytes == published?.timestamp.bytes else {
            throw TUFError(.busy, detail: "the repository has changed since it was opened")
        }
        folder.removeLeftovers()
        try Publication(of: self, keys: keys, time: time).write()
        var next = try RepositoryEditor(folder: folder.path)
        (next.lifetimes, next.hashAlgorithms, next.snapshotHasHashes) = (lifetimes, hashAlgorithms, snapshotHasHashes)
        next.longestTargets = longestTargets
        next.lock = self.lock
        self = next
    }
}
