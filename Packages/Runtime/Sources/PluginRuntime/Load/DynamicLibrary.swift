internal import CSystem
#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore

/// The one door to the dynamic loader. A library that was opened stays open as long as the process lives: Swift's runtime
/// keeps pointers into every image it has seen.
struct DynamicLibrary {
    // because: it is the loader's own token, never read through.
    private nonisolated(unsafe) let handle: UnsafeMutableRawPointer
    private let path: FilePath

    /// Opens a library, all symbols bound at once and none of them visible to other libraries. Its file stays open.
    ///
    /// - Parameter runtime: parts of Swift's runtime that it needs and nobody has needed yet; open, they are found by name.
    /// - Throws: ``AtriumError`` with code `libraryUnloadable`, the loader's words as detail, or `inputOutput` or `sandboxUnusable`
    ///   when it is the system that keeps the loader from it.
    init(opening file: LibraryFile, after runtime: [FilePath] = [], of bundle: BundleIdentity) throws(AtriumError) {
        // One that cannot be opened is missed by the library, and told then.
        for part in runtime { _ = dlopen(part.string, RTLD_NOW | RTLD_LOCAL) }
        guard let handle = dlopen(file.name, RTLD_NOW | RTLD_LOCAL) else {
            let words = Self.lastError
            if Self.isOfMachine(loaderWords: words) {
                try FileSystem.requireExecution(in: file.path)
                throw AtriumError(.inputOutput, file.path.string, detail: "loading it failed: \(words)")
            }
            throw AtriumError(.libraryUnloadable, bundle.description, detail: words)
        }
        self.handle = handle
        path = file.path
    }

    /// Makes sure that it is the file's, before anything in it is called: the loader goes by names, and a library can call
    /// itself whatever it likes.
    ///
    /// - Throws: ``AtriumError`` with code `restartNeeded` when the loader has given another library.
    func requireImage(of file: LibraryFile, _ bundle: BundleIdentity) throws(AtriumError) {
        guard let name = csystem_loaded_name(handle) else { return }
        // What the loader has by this very name it has opened by it, for the descriptor is nobody else's any more. Else it may
        // have it by another name of the same file.
        if strcmp(name, file.name) == 0 || file.isFile(named: String(cString: name)) { return }
        throw AtriumError(
            .restartNeeded, bundle.description,
            detail: "another library is loaded that calls itself \(file.name), and the loader gives that one")
    }

    /// What the plugin's one symbol describes.
    ///
    /// - Throws: ``AtriumError`` with code `libraryUnloadable` when there is no such symbol, `libraryIncompatible` when
    ///   it is not for this host.
    func entry(of bundle: BundleIdentity) throws(AtriumError) -> EntryDescription {
        guard let symbol = dlsym(handle, PluginEntry.symbol) else {
            throw AtriumError(
                .libraryUnloadable, bundle.description,
                detail: "\(path.lastComponent) does not export \(PluginEntry.symbol)"
            )
        }
        typealias Function = @convention(c) () -> UnsafeRawPointer?
        return try EntryDescription(reading: unsafeBitCast(symbol, to: Function.self)(), of: bundle)
    }

    /// Returns whether a library is open that the loader would give to whatever is linked with that name.
    ///
    /// Asking the loader (`RTLD_NOLOAD`) would search some fifty system folders for a name that nothing has.
    static func isOpen(_ soname: String) -> Bool {
        #if os(Linux)
            return csystem_is_loaded(soname)
        #else
            guard let handle = dlopen(soname, RTLD_NOW | RTLD_NOLOAD) else { return false }
            dlclose(handle)
            return true
        #endif
    }

    /// Returns whether the dynamic loader's words tell of a failed system call, and not of the library.
    static func isOfMachine(loaderWords words: String) -> Bool {
        let missing = FileSystem.message(ENOENT)
        return loaderFailures.contains { words.contains($0) } && !words.hasSuffix(missing)
    }

    /// The loader's words for failed system calls (glibc, `elf/dl-load.c`).
    private static let loaderFailures = [
        "cannot open shared object file", "cannot read file data", "cannot stat shared object",
        "failed to map segment from shared object", "cannot map zero-fill pages", "cannot change memory protections",
        "cannot create shared object descriptor", "cannot close file descriptor",
        "cannot make segment writable for relocation",
    ]

    private static var lastError: String {
        dlerror().map { String(cString: $0) } ?? "the loader gave no reason"
    }
}
