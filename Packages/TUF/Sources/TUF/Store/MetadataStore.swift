internal import Files
import TUFMetadata

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
        do throws(FileError) {
            return try Folder(path: path).read(Self.name(role), atMost: Self.limit)
        } catch {
            if error.isMissing { return nil }
            throw TUFError(.system, Self.name(role), detail: error.description)
        }
    }

    /// Returns the metadata of a role, or nil if none was saved that can be read.
    ///
    /// Damaged files are ignored, because the repository has them all, except for the root.
    func metadata<Content: RoleContent>(_ role: String, _: Content.Type) -> SignedMetadata<Content>? {
        (try? read(role)).flatMap { $0 }.flatMap { try? SignedMetadata($0) }
    }

    /// The store of the last complete state, which is used until the next one is complete.
    var previous: MetadataStore { MetadataStore(path: path + "/previous") }

    func save(_ role: String, _ bytes: [UInt8]) throws(TUFError) {
        do throws(FileError) {
            try Folder(path: path, isCreated: true).replace(Self.name(role), with: bytes)
        } catch {
            throw TUFError(.system, Self.name(role), detail: error.description)
        }
    }

    func remove(_ role: TopLevelRole) throws(TUFError) {
        do throws(FileError) {
            try Folder(path: path).remove(Self.name(role.rawValue))
            // Nothing that a replaced key has signed is needed any more.
            _ = try? Folder(path: previous.path).remove(Self.name(role.rawValue))
        } catch {
            throw TUFError(.system, Self.name(role.rawValue), detail: error.description)
        }
    }

    /// Locks the folder for one refresh, or throws an error after a while.
    func lock(waiting duration: Duration) async throws(TUFError) -> FolderLock {
        let clock = ContinuousClock()
        let end = clock.now.advanced(by: duration)
        while true {
            do throws(FileError) {
                let folder = try Folder(path: path, isCreated: true)
                if let lock = try folder.tryLock() {
                    // Another process may be writing the metadata of a delegated role. Its file is younger than an hour.
                    try folder.removeLeftovers(olderThan: 3600)
                    return lock
                }
            } catch {
                throw TUFError(.system, path, detail: error.description)
            }
            guard clock.now < end, (try? await Task.sleep(for: .milliseconds(20))) != nil else {
                throw TUFError(.busy, path)
            }
        }
    }
}
