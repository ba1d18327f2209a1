import HostSystem
import Synchronization

/// The library files that the loader has opened, with their names.
///
/// The loader identifies files by device and inode. Opening the same file under a new name returns the same library, and would
/// only leave one more descriptor open forever.
final class OpenLibraries: Sendable {
    private struct Key: Hashable {
        let file: FileStamp.File
        let digest: String
    }

    /// The files of this process, which has one loader.
    static let current = OpenLibraries()

    private let names = Mutex<[Key: String]>([:])

    private init() {}

    /// Returns the name under which the loader has a file with this content.
    ///
    /// - Returns: `nil` when it doesn't have it.
    func name(of file: LibraryFile, sealedAs digest: String) -> String? {
        names.withLock { $0[Key(file: file.identity, digest: digest)] }
    }

    /// Records that the loader has a file, whose descriptor stays open; an earlier name is kept.
    func add(_ file: LibraryFile, sealedAs digest: String) {
        names.withLock { names in
            let key = Key(file: file.identity, digest: digest)
            if names[key] == nil { names[key] = file.name }
        }
    }
}
