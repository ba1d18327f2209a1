import Synchronization
public import TUFMetadata

/// The metadata of a role that lists targets.
private typealias SignedTargets = (role: String, metadata: SignedMetadata<Targets>)

/// The signed files of a new state, which are complete before the first one is written.
struct Publication {
    private let editor: RepositoryEditor
    private let root: SignedMetadata<Root>
    private let targets: [SignedTargets]
    private let snapshot: SignedMetadata<Snapshot>
    private let timestamp: SignedMetadata<Timestamp>

    init(of editor: RepositoryEditor, keys: [SecretKey], time: UTCTime) throws(TUFError) {
        let signing = Signing(editor: editor, published: editor.published, keys: keys, time: time)
        self.editor = editor
        root = try signing.root()
        targets = try signing.targets(root.content)
        snapshot = try signing.snapshot(targets, root.content)
        timestamp = try signing.timestamp(snapshot, root.content)
    }

    /// Writes the files. The timestamp makes the new state visible; all others have names that no client asks for before.
    func write() throws(TUFError) {
        let folder = editor.folder
        try folder.write(editor.newTargets)
        for (role, metadata) in targets {
            try folder.write(RepositoryLayout.metadata(role, version: metadata.content.version), metadata.bytes)
        }
        try folder.write(RepositoryLayout.metadata("snapshot", version: snapshot.content.version), snapshot.bytes)
        let isRootLast = editor.hasNewRoot && isValidForOldRoot
        if !isRootLast { try writeRoot() }
        try folder.write("timestamp.json", timestamp.bytes)
        if isRootLast { try writeRoot() }
    }

    private func writeRoot() throws(TUFError) {
        guard editor.hasNewRoot else { return }
        try editor.folder.write(RepositoryLayout.metadata("root", version: root.content.version), root.bytes)
    }

    /// A Boolean value that indicates whether clients with the published root accept the new state, too.
    ///
    /// Then it is written before the new root, so that there is no moment in which root and timestamp do not fit. Without the old keys
    /// there is such a moment, between the writing of two files.
    private var isValidForOldRoot: Bool {
        guard let old = editor.published?.root.content else { return false }
        return timestamp.isSigned(by: old, as: .timestamp) && snapshot.isSigned(by: old, as: .snapshot)
            && targets.allSatisfy { $0.role != "targets" || $0.metadata.isSigned(by: old, as: .targets) }
    }
}

/// The signing of all that has changed in a repository.
private struct Signing {
    let editor: RepositoryEditor
    let published: PublishedState?
    let keys: [SecretKey]
    let time: UTCTime

    func root() throws(TUFError) -> SignedMetadata<Root> {
        if !editor.hasNewRoot, let published { return published.root }
        if let signed = editor.signedRoot { return signed }
        let new = try editor.unsignedRoot(at: time)
        for role in TopLevelRole.allCases where new.content.keys(of: role).ids.isEmpty {
            throw TUFError(.editInvalid, "root.json", detail: "no keys of \(role)")
        }
        let signed = try new.signed(by: signers(of: .root, new.content))
        try editor.verify(signed)
        return signed
    }

    func targets(_ root: Root) throws(TUFError) -> [SignedTargets] {
        var changed = Set(editor.edited.keys)
        // A role whose keys have changed is signed again.
        if let old = try published?.targets(of: "targets"), editor.imported["targets"] == nil,
            !old.isSigned(by: root, as: .targets)
        {
            changed.insert("targets")
        }
        var targets = editor.imported.map { (role: $0, metadata: $1) }
        for role in changed.sorted() {
            let signers =
                role == "targets" ? signers(of: .targets, root) : signers(try editor.delegatedKeys(of: role).role.ids)
            targets.append((role, try editor.unsignedTargets(of: role, at: time).signed(by: signers)))
        }
        for (role, metadata) in targets {
            try editor.verify(metadata, of: role)
            guard metadata.bytes.count <= editor.longestTargets else {
                throw TUFError(
                    .tooLong, "\(role).json", detail: "\(metadata.bytes.count) of \(editor.longestTargets) bytes")
            }
        }
        return targets
    }

    func snapshot(
        _ targets: [SignedTargets], _ root: Root
    ) throws(TUFError) -> SignedMetadata<Snapshot> {
        let old = published?.snapshot
        if let old, targets.isEmpty, !editor.renewsSnapshot, old.isSigned(by: root, as: .snapshot) { return old }
        var next = (old?.content ?? Snapshot(expires: time))
            .next(after: old?.content.version, at: time, days: editor.lifetimes.snapshot)
        for (role, metadata) in targets {
            next[role] = try description(of: metadata, hasHashes: editor.snapshotHasHashes)
        }
        return try signed(next, .snapshot, root)
    }

    func timestamp(
        _ snapshot: SignedMetadata<Snapshot>, _ root: Root
    ) throws(TUFError) -> SignedMetadata<Timestamp> {
        let old = published?.timestamp.content
        var next = (old ?? Timestamp(expires: time))
            .next(after: old?.version, at: time, days: editor.lifetimes.timestamp)
        next.snapshot = try description(of: snapshot, hasHashes: true)
        return try signed(next, .timestamp, root)
    }

    private func description(
        of metadata: SignedMetadata<some RoleContent>, hasHashes: Bool
    ) throws(TUFError) -> FileDescription {
        let (version, bytes) = (metadata.content.version, metadata.bytes)
        guard hasHashes else { return FileDescription(version: version) }
        return FileDescription(version: version, length: bytes.count, hashes: try Hashes(of: bytes))
    }

    private func signed<Content: RoleContent>(
        _ content: Content, _ role: TopLevelRole, _ root: Root
    ) throws(TUFError) -> SignedMetadata<Content> {
        let signed = try SignedMetadata(content).signed(by: signers(of: role, root))
        try about("\(role.rawValue).json", do: signed.verify(by: root, as: role))
        return signed
    }

    /// Returns the keys of a top-level role, and those that the published root names, as far as they are here.
    private func signers(of role: TopLevelRole, _ root: Root) -> [SecretKey] {
        signers(root.keys(of: role).ids + (published?.root.content.keys(of: role).ids ?? []))
    }

    private func signers(_ ids: [String]) -> [SecretKey] {
        var rest = Set(ids)
        return keys.filter { rest.remove($0.publicKey.id) != nil }
    }
}

extension SignedMetadata {
    /// Returns whether enough of the keys have signed that a root names for a role.
    fileprivate func isSigned(by root: Root, as role: TopLevelRole) -> Bool {
        (try? verify(by: root, as: role)) != nil
    }
}

/// The state of a repository that clients see.
public final class PublishedState: Sendable {
    /// The newest root.
    public let root: SignedMetadata<Root>
    /// The timestamp.
    public let timestamp: SignedMetadata<Timestamp>
    /// The current snapshot.
    public let snapshot: SignedMetadata<Snapshot>
    private let folder: RepositoryFolder
    /// The metadata of targets roles that has been read.
    private let loaded = Mutex<[String: SignedMetadata<Targets>]>([:])

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
        if let metadata = loaded.withLock({ $0[role] }) { return metadata }
        let name = RepositoryLayout.metadata(role, version: description.version)
        guard let metadata: SignedMetadata<Targets> = try folder.read(name) else { throw TUFError(.notFound, name) }
        loaded.withLock { $0[role] = metadata }
        return metadata
    }
}
