import Synchronization

/// The files of libraries that the loader has, each by the name that it has it under.
///
/// The loader takes a file that it has for what it has, by device and inode, under whatever name: a name of its own for each time
/// that a bundle is loaded would bring nothing but one more descriptor that has to stay open for ever.
final class OpenLibraries: Sendable {
    private struct Key: Hashable {
        let file: FileStamp.File
        let digest: String
    }

    /// Those of this process, which has one loader.
    static let current = OpenLibraries()

    private let names = Mutex<[Key: String]>([:])

    private init() {}

    /// The name under which the loader has a file with this content; `nil` when it has not.
    func name(of file: LibraryFile, sealedAs digest: String) -> String? {
        names.withLock { $0[Key(file: file.identity, digest: digest)] }
    }

    /// Notes that the loader has a file, which stays open; whoever has noted it first keeps its name.
    func add(_ file: LibraryFile, sealedAs digest: String) {
        names.withLock { names in
            let key = Key(file: file.identity, digest: digest)
            if names[key] == nil { names[key] = file.name }
        }
    }
}
