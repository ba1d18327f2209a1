import HostSystem
import PluginCore
import Registry
import Synchronization

/// The libraries of library bundles that are open in this process, by soname.
///
/// The process has one loader, which gives every plugin the first library of a name. Therefore all managers and sandboxes share
/// one table, and no second version can be loaded.
final class LoadedLibraries: Sendable {
    /// The libraries of this process.
    static let current = LoadedLibraries()

    /// The versions whose libraries are open, and the bundles that needed them first.
    private let entries = Mutex<[String: (version: VersionKey, user: BundleIdentity)]>([:])

    private init() {}

    /// Returns whether a version of a bundle is open.
    func isOpen(_ identifier: BundleIdentifier) -> Bool {
        entries.withLock { $0.values.contains { $0.version.identity.identifier == identifier } }
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
        try entries.withLock { entries throws(AtriumError) in
            if let entry = entries[library.soname] {
                guard entry.version != library.source.key else { return }
                let why = ErrorReason(
                    "libraryLoadedFor", ["library": "\(entry.version.identity)", "bundle": "\(entry.user)"])
                throw Self.refusal(of: library, for: user, why)
            }
            // A library from any other source would be returned for that name too.
            guard !DynamicLibrary.isOpen(library.soname) else {
                throw Self.refusal(of: library, for: user, ErrorReason("libraryOfNoBundle"))
            }
            try open()
            entries[library.soname] = (library.source.key, user)
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
        names.withLock { $0.merge([Key(file: file.identity, digest: digest): file.name]) { first, _ in first } }
    }
}
