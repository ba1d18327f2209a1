import PluginCore
internal import Synchronization

/// The libraries of `lib` bundles that are open in this process, by the name that others are linked with.
///
/// There is one loader in a process, and it gives every plugin the first library of a name: so there is one table, whoever
/// manages which sandbox, and no second version beside the first.
final class LoadedLibraries: Sendable {
    /// What is open under a name.
    struct Entry: Sendable {
        let identity: BundleIdentity
        let digest: String
        /// Who needed it first.
        let user: BundleIdentity
    }

    /// Those of this process.
    static let current = LoadedLibraries()

    private let entries = Mutex<[String: Entry]>([:])

    private init() {}

    /// Returns whether a version of a bundle is open.
    func isOpen(_ identifier: String) -> Bool {
        entries.withLock { $0.values.contains { $0.identity.identifier == identifier } }
    }

    /// Has a library opened unless it is open already. Held until it is: what needs it waits.
    ///
    /// - Parameters:
    ///   - library: which one.
    ///   - digest: what tells its content from that of another version.
    ///   - user: the bundle that is about to be loaded.
    ///   - open: opens it.
    /// - Throws: ``AtriumError`` with code `restartNeeded` when the name belongs to another version or another bundle, and what
    ///   `open` throws; the name is then still free.
    func load(
        _ library: SharedLibrary<PluginBundle>, for user: BundleIdentity, open: () throws(AtriumError) -> Void
    ) throws(AtriumError) {
        let digest = library.source.digest
        try entries.withLock { entries throws(AtriumError) in
            if let entry = entries[library.soname] {
                guard entry.identity != library.identity || entry.digest != digest else { return }
                throw Self.refusal(of: library, for: user, "\(entry.identity) was loaded for \(entry.user)")
            }
            // Of whoever has brought it: the loader would give it to all that ask for the name.
            guard !DynamicLibrary.isOpen(library.soname) else {
                throw Self.refusal(
                    of: library, for: user, "another library of that name is loaded, which no bundle has brought")
            }
            try open()
            entries[library.soname] = Entry(identity: library.identity, digest: digest, user: user)
        }
    }

    private static func refusal(
        of library: SharedLibrary<PluginBundle>, for user: BundleIdentity, _ why: String
    ) -> AtriumError {
        AtriumError(
            .restartNeeded, library.identity.description,
            detail: "\(user) needs its \(library.soname), and \(why)")
    }
}
