import HostSystem
import TUFMetadata

/// The metadata that a client trusts, in a local folder with one file for each role.
///
/// The files are those that were served, byte for byte. A process that can write here can remove the protection against rollback, and replace
/// the root.
struct MetadataStore {
    let path: String
    /// The largest file that a client saves.
    private static let limit = 1 << 28

    private static func name(_ role: String) -> String { RepositoryLayout.metadata(role, version: nil) }

    /// Returns the file of a role, or nil if it was not saved.
    func read(_ role: String) throws(TUFError) -> [UInt8]? {
        try about(Self.name(role), do: Folder(existingFolder: path)?.read(Self.name(role), atMost: Self.limit))
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
        try about(Self.name(role), do: Folder(folder: path, isCreated: true).replace(Self.name(role), with: bytes))
    }

    func remove(_ role: TopLevelRole) throws(TUFError) {
        let name = Self.name(role.rawValue)
        _ = try about(name, do: Folder(folder: path).remove(name))
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
