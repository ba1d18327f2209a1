import HostSystem
public import TUFMetadata

/// The files of a repository: `metadata` and `targets` in one folder.
///
/// All files but `timestamp.json` have a version or a hash in their names and never change once they are written, so a reader in the
/// middle of an older state is not disturbed.
struct RepositoryFolder {
    let path: String

    private var metadataPath: String { "\(path)/metadata" }
    private static let limit = 1 << 28

    /// Locks the repository for one writer.
    func lock() throws(TUFError) -> FolderUse {
        guard let lock = try about(metadataPath, do: metadata.lock()) else { throw TUFError(.busy, path) }
        return lock
    }

    /// Removes the incomplete files of publications that were killed. No other one runs, because the caller has the lock.
    func removeLeftovers() {
        for name in ["metadata", "targets"] {
            if let folder = try? Folder(folder: path).openFolder(name) { Self.removeLeftovers(in: folder, depth: 8) }
        }
    }

    private static func removeLeftovers(in folder: Folder, depth: Int) {
        // Files of this second are among them.
        try? folder.removeLeftovers(olderThan: -1)
        guard depth > 0, let names = try? folder.names().compactMap(\.text) else { return }
        for name in names {
            if let inner = try? folder.openFolder(name) { removeLeftovers(in: inner, depth: depth - 1) }
        }
    }

    /// Returns the newest root, or nil in an empty repository.
    func newestRoot() throws(TUFError) -> SignedMetadata<Root>? {
        let names = try about(metadataPath, do: metadata.names())
        let newest = names.compactMap(\.text).compactMap { $0.hasSuffix(".root.json") ? Int($0.dropLast(10)) : nil }
            .max()
        guard let newest else { return nil }
        return try read(RepositoryLayout.metadata("root", version: newest))
    }

    /// Returns the metadata in a file, or nil if there is no such file.
    func read<Content: RoleContent>(_ name: String) throws(TUFError) -> SignedMetadata<Content>? {
        guard let bytes = try about(metadataPath, do: metadata.read(name, atMost: Self.limit)) else { return nil }
        return try about(name, do: SignedMetadata(bytes))
    }

    func write(_ name: String, _ bytes: [UInt8]) throws(TUFError) {
        try about(metadataPath, do: metadata.replace(name, with: bytes))
    }

    /// Writes targets, each under the name of each of its hashes. A file that is there already has the same content.
    ///
    /// - Throws: ``TUFError`` with code `hashMismatch` if a content has changed since it was described.
    func write(_ targets: [(path: String, file: TargetFile, content: TargetContent)]) throws(TUFError) {
        // Syncing all file systems once costs less than syncing each of many files and its folder.
        let isSyncedAtEnd = targets.count > 64
        for target in targets { try write(target.path, target.file, target.content, isSynced: !isSyncedAtEnd) }
        if isSyncedAtEnd { FileSystem.syncAll() }
    }

    private func write(
        _ path: String, _ file: TargetFile, _ content: TargetContent, isSynced: Bool
    ) throws(TUFError) {
        for hash in file.hashes.known.values {
            let name = try RepositoryLayout.target(path, hash: hash, isEncoded: false)
            let (folderPath, last) = NewFile<TUFError>.location(of: "\(self.path)/targets/\(name)")
            let hasher = HashAlgorithm.Hasher(file.hashes.known.keys)
            try about(folderPath) { () throws(TUFError) in
                let folder = try Folder(folder: folderPath, isCreated: true)
                guard try folder.file(last) == nil else { return }
                let new = try NewFile(in: folder)
                try content.read { piece throws(TUFError) in
                    hasher.update(piece)
                    try new.append(piece)
                }
                try about(path, do: file.hashes.verify(hasher))
                try new.commit(as: last, isSynced: isSynced)
            }
        }
    }

    private var metadata: Folder {
        get throws(TUFError) { try Folder(folder: metadataPath, isCreated: true) }
    }
}

/// The content of a new target.
enum TargetContent {
    case bytes([UInt8])
    case file(String)

    func read(_ body: ([UInt8]) throws(TUFError) -> Void) throws(TUFError) {
        switch self {
        case .bytes(let bytes): try body(bytes)
        case .file(let path):
            let file = try Folder(file: path)
            while let piece = try file.next() { try body(piece) }
        }
    }

    /// Returns the description of the target.
    func description(_ algorithms: [HashAlgorithm], custom: JSONObject?) throws(TUFError) -> TargetFile {
        let hasher = HashAlgorithm.Hasher(algorithms)
        var length = 0
        try read { piece throws(TUFError) in
            length += piece.count
            hasher.update(piece)
        }
        return TargetFile(length: length, hashes: Hashes(try hasher.finish()), custom: custom)
    }
}

extension SecretKey {
    /// Saves the key, encrypted, in a folder in a file named by the key's identifier.
    ///
    /// ```swift
    /// try SecretKey.generate(.ed25519).save(in: "keys", password: password)
    /// ```
    public func save(in folder: String, password: String) throws(TUFError) {
        let pem = try pem(password: password)
        try about(
            publicKey.id,
            do: Folder(folder: folder, isCreated: true).replace(
                "\(publicKey.id).pem", with: Array(pem.utf8), isPrivate: true))
    }
}
