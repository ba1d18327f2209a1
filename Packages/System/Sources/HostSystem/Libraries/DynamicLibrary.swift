import CSystem
import Glibc
package import PluginCore

/// Typed access to the dynamic loader.
///
/// An opened library stays open until the process ends, because the Swift runtime keeps pointers into every image.
package struct DynamicLibrary {
    // because: it is an opaque handle of the loader that is never dereferenced.
    private nonisolated(unsafe) let handle: UnsafeMutableRawPointer
    private let path: FilePath

    /// Opens a library by the loader's name for it, binding all symbols immediately and hiding them from other libraries.
    ///
    /// - Parameters:
    ///   - path: its path for errors.
    ///   - others: parts of the Swift runtime that the library needs and that aren't loaded yet.
    /// - Throws: ``AtriumError`` with code `libraryUnloadable` and the loader's message, or `inputOutput` or `sandboxUnusable`
    ///   for a failure of the system.
    package init(
        opening name: String, at path: FilePath, after others: [FilePath] = [], of bundle: BundleIdentity
    ) throws(AtriumError) {
        // If one of the others can't be opened, loading the library itself fails and reports it.
        for other in others { _ = dlopen(other.string, RTLD_NOW | RTLD_LOCAL) }
        guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
            let words = dlerror().map { String(cString: $0) } ?? "the loader reported no reason"
            if Self.isOfMachine(loaderWords: words) {
                try FileSystem.requireExecution(in: path)
                throw AtriumError(.inputOutput, path, reason: "loadingFailed", ["message": .text(words)])
            }
            throw AtriumError(.libraryUnloadable, bundle, reason: .verbatim(words))
        }
        self.handle = handle
        self.path = path
    }

    /// Checks that the loader has opened the given file, before any of its functions is called.
    ///
    /// The loader compares names, and a library can give itself any name.
    ///
    /// - Throws: ``AtriumError`` with code `restartNeeded` when the loader has returned another library.
    package func requireImage(of file: LibraryFile, _ bundle: BundleIdentity) throws(AtriumError) {
        guard let name = csystem_map(handle)?.pointee.l_name else { return }
        // The same name means the same file, because the name contains the open descriptor. Otherwise the loader may know the
        // file by another name.
        if strcmp(name, file.name) == 0 || file.isFile(named: String(cString: name)) { return }
        throw AtriumError(
            .restartNeeded, bundle,
            reason: "sonameLoaded", ["soname": .text(file.name)])
    }

    /// Returns the description from the plugin's entry point.
    ///
    /// - Throws: ``AtriumError`` with code `libraryUnloadable` when the entry point is missing, `libraryIncompatible` when it
    ///   isn't for this host.
    package func entry(of bundle: BundleIdentity) throws(AtriumError) -> EntryDescription {
        guard let symbol = dlsym(handle, PluginEntry.symbol) else {
            throw AtriumError(
                .libraryUnloadable, bundle,
                reason: "symbolMissing",
                ["library": .text(path.lastComponent), "symbol": .text(PluginEntry.symbol)]
            )
        }
        typealias Function = @convention(c) () -> UnsafeRawPointer?
        return try EntryDescription(reading: unsafeBitCast(symbol, to: Function.self)(), of: bundle)
    }

    /// Returns whether a library is open that the loader would use for a dependency of that name.
    ///
    /// A request to the loader (`RTLD_NOLOAD`) would search some fifty system folders for an unknown name.
    package static func isOpen(_ soname: String) -> Bool { csystem_is_loaded(soname) }

    /// Returns whether a message of the loader reports a failed system call instead of a defect of the library.
    static func isOfMachine(loaderWords words: String) -> Bool {
        let missing = FileSystem.message(ENOENT)
        return loaderFailures.contains { words.contains($0) } && !words.hasSuffix(missing)
    }

    /// The loader's messages for failed system calls, from elf/dl-load.c of glibc.
    private static let loaderFailures = [
        "cannot open shared object file", "cannot read file data", "cannot stat shared object",
        "failed to map segment from shared object", "cannot map zero-fill pages", "cannot change memory protections",
        "cannot create shared object descriptor", "cannot close file descriptor",
        "cannot make segment writable for relocation",
    ]
}

/// The loaded library that contains the code of a class; it distinguishes two loaded versions of the same class.
package struct CodeImage: Hashable, Sendable {
    /// The address of the loader's entry for the library.
    private let entry: UInt

    /// Finds the library of an object's class; fails for a generic class, whose metadata is in memory of the runtime.
    package init?(of object: AnyObject) {
        self.init(ofClass: ObjectIdentifier(type(of: object)))
    }

    /// Finds the library of a class.
    package init?(ofClass identity: ObjectIdentifier) {
        guard let image = csystem_image(UInt(bitPattern: identity)) else { return nil }
        entry = UInt(bitPattern: image)
    }
}

/// The platform whose libraries this process can load.
public enum Platform {
    /// The size of a memory page, in bytes.
    package static let pageSize = UInt64(max(sysconf(Int32(_SC_PAGESIZE)), 4096))

    /// The triples of the platforms for which packages are made: those of the hosts on Linux.
    public static let all = ["aarch64-unknown-linux-gnu", "x86_64-unknown-linux-gnu"]

    /// The triple that names this platform's folder for libraries in a bundle.
    public static var triple: String {
        #if arch(x86_64)
            "x86_64-unknown-linux-gnu"
        #elseif arch(arm64)
            "aarch64-unknown-linux-gnu"
        #else
            "unknown-unknown-linux-gnu"
        #endif
    }
}
