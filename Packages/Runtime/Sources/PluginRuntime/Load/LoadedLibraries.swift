import HostSystem
import PluginCore
import Registry
import Synchronization

/// The libraries of library bundles that are open in this process, by soname.
///
/// The process has one loader, which gives every plugin the first library of a name. Therefore all managers and sandboxes share
/// one table, and no second version can be loaded.
final class LoadedLibraries: Sendable {
    /// An open library.
    struct Entry: Sendable {
        let identity: BundleIdentity
        let digest: String
        /// The bundle that needed it first.
        let user: BundleIdentity
    }

    /// The libraries of this process.
    static let current = LoadedLibraries()

    private let entries = Mutex<[String: Entry]>([:])

    private init() {}

    /// Returns whether a version of a bundle is open.
    func isOpen(_ identifier: BundleIdentifier) -> Bool {
        entries.withLock { $0.values.contains { $0.identity.identifier == identifier } }
    }

    /// Opens a library unless it is open already; concurrent callers wait.
    ///
    /// - Parameters:
    ///   - library: the library to open.
    ///   - user: the bundle that is about to be loaded.
    ///   - open: opens the library.
    /// - Throws: ``AtriumError`` with code `restartNeeded` when the name belongs to another version or bundle, and the errors
    ///   of `open`, after which the name is still free.
    func load(
        _ library: SharedLibrary<PluginBundle>, for user: BundleIdentity, open: () throws(AtriumError) -> Void
    ) throws(AtriumError) {
        let digest = library.source.digest
        try entries.withLock { entries throws(AtriumError) in
            if let entry = entries[library.soname] {
                guard entry.identity != library.identity || entry.digest != digest else { return }
                throw Self.refusal(
                    of: library, for: user,
                    ErrorReason("libraryLoadedFor", ["library": "\(entry.identity)", "bundle": "\(entry.user)"]))
            }
            // A library from any other source would be returned for that name too.
            guard !DynamicLibrary.isOpen(library.soname) else {
                throw Self.refusal(
                    of: library, for: user, ErrorReason("libraryOfNoBundle"))
            }
            try open()
            entries[library.soname] = Entry(identity: library.identity, digest: digest, user: user)
        }
    }

    private static func refusal(
        of library: SharedLibrary<PluginBundle>, for user: BundleIdentity, _ why: ErrorReason
    ) -> AtriumError {
        AtriumError(
            .restartNeeded, library.identity.description,
            reason: "libraryNeeded", ["bundle": "\(user)", "soname": .text(library.soname), "why": .reason(why)])
    }
}

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
