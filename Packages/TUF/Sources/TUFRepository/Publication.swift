internal import Synchronization
public import TUFMetadata

/// The signed files of a new state, which are complete before the first one is written.
struct Publication {
    private let editor: RepositoryEditor
    private let keys: [SecretKey]
    private let time: UTCTime

    private let root: SignedMetadata<Root>
    private var targets: [(role: String, metadata: SignedMetadata<Targets>)] = []
    private let snapshot: SignedMetadata<Snapshot>
    private let timestamp: SignedMetadata<Timestamp>

    init(of editor: RepositoryEditor, keys: [SecretKey], time: UTCTime) throws(TUFError) {
        (self.editor, self.keys, self.time) = (editor, keys, time)
        root = try Self.root(editor, keys, time)
        let all = root.content
        let published = editor.published

        var changed = Set(editor.edited.keys)
        // A role whose keys have changed is signed again.
        if let old = try published?.targets(of: "targets"), editor.imported["targets"] == nil,
            old.signers(by: all.keys, role: all.keys(of: .targets)) < all.keys(of: .targets).threshold
        {
            changed.insert("targets")
        }
        targets = []
        for role in changed.sorted() {
            let unsigned = try editor.unsignedTargets(of: role, at: time)
            let ids = try editor.delegatedKeys(of: role).role.ids
            let old = role == "targets" ? published?.root.content.keys(of: .targets).ids ?? [] : []
            let signed = try unsigned.signed(by: Self.signers(keys, ids + old))
            try editor.verify(signed, of: role)
            targets.append((role, signed))
        }
        for (role, metadata) in editor.imported {
            try editor.verify(metadata, of: role)
            targets.append((role, metadata))
        }
        for (role, metadata) in targets where metadata.bytes.count > editor.longestTargets {
            throw TUFError(
                .tooLong, "\(role).json", detail: "\(metadata.bytes.count) of \(editor.longestTargets) bytes")
        }

        snapshot = try Self.snapshot(editor, targets, all, keys, time)
        timestamp = try Self.timestamp(editor, snapshot, all, keys, time)
    }

    private static func root(
        _ editor: RepositoryEditor, _ keys: [SecretKey], _ time: UTCTime
    ) throws(TUFError) -> SignedMetadata<Root> {
        if !editor.isRootEdited, let published = editor.published { return published.root }
        if let signed = editor.signedRoot { return signed }
        let old = editor.published?.root.content.keys(of: .root).ids ?? []
        let new = try editor.unsignedRoot(at: time)
        for role in TopLevelRole.allCases where new.content.keys(of: role).ids.isEmpty {
            throw TUFError(.editInvalid, "root.json", detail: "no keys of \(role)")
        }
        let signed = try new.signed(by: signers(keys, new.content.keys(of: .root).ids + old))
        try editor.verify(signed)
        return signed
    }

    private static func snapshot(
        _ editor: RepositoryEditor, _ targets: [(role: String, metadata: SignedMetadata<Targets>)], _ root: Root,
        _ keys: [SecretKey], _ time: UTCTime
    ) throws(TUFError) -> SignedMetadata<Snapshot> {
        let old = editor.published?.snapshot
        if let old, targets.isEmpty, !editor.isSnapshotRenewed,
            old.signers(by: root.keys, role: root.keys(of: .snapshot)) >= root.keys(of: .snapshot).threshold
        {
            return old
        }
        var next = old?.content ?? Snapshot(expires: time)
        next.version = (old?.content.version ?? 0) + 1
        next.expires = time.adding(days: editor.lifetimes.snapshot)
        for (role, metadata) in targets {
            next[role] = try description(
                metadata.bytes, metadata.content.version, hasHashes: editor.snapshotHasHashes)
        }
        return try signed(next, .snapshot, editor, root, keys)
    }

    private static func timestamp(
        _ editor: RepositoryEditor, _ snapshot: SignedMetadata<Snapshot>, _ root: Root, _ keys: [SecretKey],
        _ time: UTCTime
    ) throws(TUFError) -> SignedMetadata<Timestamp> {
        let old = editor.published?.timestamp.content
        let description = try description(snapshot.bytes, snapshot.content.version, hasHashes: true)
        var next = old ?? Timestamp(expires: time, snapshot: description)
        next.snapshot = description
        next.version = (old?.version ?? 0) + 1
        next.expires = time.adding(days: editor.lifetimes.timestamp)
        return try signed(next, .timestamp, editor, root, keys)
    }

    private static func description(
        _ bytes: [UInt8], _ version: Int, hasHashes: Bool
    ) throws(TUFError) -> FileDescription {
        guard hasHashes else { return FileDescription(version: version) }
        return FileDescription(version: version, length: bytes.count, hashes: try Hashes(of: bytes))
    }

    /// Signs the content of a top-level role by its keys, and by those of the published root if they are here.
    private static func signed<Content: RoleContent>(
        _ content: Content, _ role: TopLevelRole, _ editor: RepositoryEditor, _ root: Root, _ keys: [SecretKey]
    ) throws(TUFError) -> SignedMetadata<Content> {
        let old = editor.published?.root.content.keys(of: role).ids ?? []
        let signed = try SignedMetadata(content).signed(by: signers(keys, root.keys(of: role).ids + old))
        try about("\(role.rawValue).json") { () throws(TUFError) in
            try signed.verify(by: root.keys, role: root.keys(of: role))
        }
        return signed
    }

    private static func signers(_ keys: [SecretKey], _ ids: [String]) -> [SecretKey] {
        var rest = Set(ids)
        return keys.filter { rest.remove($0.publicKey.id) != nil }
    }

    /// Writes the files. The timestamp makes the new state visible; all others have names that no client asks for before.
    func write() throws(TUFError) {
        let folder = editor.folder
        try folder.write(editor.newTargets)
        for (role, metadata) in targets {
            try folder.write(RepositoryLayout.metadata(role, version: metadata.content.version), metadata.bytes)
        }
        try folder.write(RepositoryLayout.metadata("snapshot", version: snapshot.content.version), snapshot.bytes)
        if editor.isRootEdited, isValidForOldRoot {
            try folder.write("timestamp.json", timestamp.bytes)
            try writeRoot()
        } else {
            try writeRoot()
            try folder.write("timestamp.json", timestamp.bytes)
        }
    }

    private func writeRoot() throws(TUFError) {
        guard editor.isRootEdited else { return }
        try editor.folder.write(RepositoryLayout.metadata("root", version: root.content.version), root.bytes)
    }

    /// A Boolean value that indicates whether clients with the published root accept the new state, too.
    ///
    /// Then it is written before the new root, so that there is no moment in which root and timestamp do not fit. Without the old keys
    /// there is such a moment, between the writing of two files.
    private var isValidForOldRoot: Bool {
        guard let old = editor.published?.root.content else { return false }
        func isValid<Content: RoleContent>(_ metadata: SignedMetadata<Content>, _ role: TopLevelRole) -> Bool {
            metadata.signers(by: old.keys, role: old.keys(of: role)) >= old.keys(of: role).threshold
        }
        return isValid(timestamp, .timestamp) && isValid(snapshot, .snapshot)
            && targets.allSatisfy { $0.role != "targets" || isValid($0.metadata, .targets) }
    }
}

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
