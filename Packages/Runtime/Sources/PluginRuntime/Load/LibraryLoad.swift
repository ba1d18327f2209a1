import HostSystem
import PluginCore
import Registry
import Synchronization

/// One load of a version's code after the libraries that it is linked with, and what it has opened.
@MainActor
final class LibraryLoad {
    private let bundle: PluginBundle
    private let libraries: LibraryClosure<PlacedLibrary>
    private let policy: LoadPolicy
    private var sentinels: [(PluginBundle, CrashSentinel)] = []
    /// The new stamps of libraries that had to be hashed.
    private(set) var stamps: [(PluginBundle, String)] = []

    private var check: any LibraryCheck { policy.transactions.libraryCheck }

    init(of bundle: PluginBundle, after libraries: LibraryClosure<PlacedLibrary>, by policy: LoadPolicy) {
        self.bundle = bundle
        self.libraries = libraries
        self.policy = policy
    }

    /// Loads all libraries that the version is linked with, so that the loader finds them by name, and then its own.
    ///
    /// - Returns: the type of the principal object.
    func principalType() throws(AtriumError) -> PrincipalType {
        guard bundle.kind != .lib else {
            throw AtriumError(.resourceUnknown, bundle.identity, reason: "libWithoutRoutes")
        }
        // An uninstalled library stays open until the process ends, so the loader would still find it.
        if let refusal = libraries.refusal(where: { LoadedLibraries.current.isOpen($0) }) { throw refusal }
        for library in libraries.libraries {
            let isNew = try LoadedLibraries.current.load(library, for: bundle.identity) { () throws(AtriumError) in
                let (version, file) = library.source
                let sentinel = watch(version)
                _ = try open(version, file, sentinel).entry(of: library.identity)
                // From now on the library only runs when it is called.
                sentinel?.gaveWay()
            }
            if isNew { policy.lifecycles.tellLoaded(library.identity, isCounted: false) }
        }
        let sentinel = watch(bundle)
        let own = try open(bundle, policy.sandbox.library(of: bundle), sentinel)
        if let type = try own.entry(of: bundle.identity).principalType { return type }
        throw AtriumError(.libraryIncompatible, bundle.identity, reason: "entryOfLibrary")
    }

    /// Starts the crash detection for a version that is about to be opened for the first time in this process.
    private func watch(_ version: PluginBundle) -> CrashSentinel? {
        let sentinel = policy.crashMonitor.load(version)
        if let sentinel { sentinels.append((version, sentinel)) }
        return sentinel
    }

    /// Opens a version's library file, verifies it, and loads exactly that file.
    private func open(
        _ version: PluginBundle, _ path: FilePath, _ sentinel: CrashSentinel?
    ) throws(AtriumError) -> DynamicLibrary {
        let interval = Tracing.begin(.load, version.identity.description)
        defer { interval?.end() }
        let opened = try LibraryFile(opening: path, of: version.identity)
        let library: DynamicLibrary
        var known: String?
        do {
            let digest = try version.sealedLibraryDigest()
            known = LoadedLibraries.current.name(of: opened)
            let file = known.map(opened.named) ?? opened
            sentinel?.isOpening(file.name)
            policy.services.willLoad(file.name, version.identity)
            if let stamp = try opened.requireSealed(as: digest, known: version.seal.libraryStamp) {
                stamps.append((version, stamp))
            }
            library = try load(file, of: version.identity)
        } catch {
            opened.close()
            throw error
        }
        // From here on the loader may have the library under its descriptor, which must stay open then, whatever fails later.
        defer { if known == nil { opened.letWrite() } else { opened.close() } }
        try opened.requireUntouched()
        try library.requireImage(of: opened, version.identity)
        if known == nil { LoadedLibraries.current.add(opened) }
        return library
    }

    private func load(_ file: LibraryFile, of identity: BundleIdentity) throws(AtriumError) -> DynamicLibrary {
        // Check in advance what the loader would crash on or run too early; other defects make it fail, and are then reported in detail.
        if !check.isSound(file) { _ = try runtime(neededBy: file.path, of: identity) }
        do {
            return try DynamicLibrary(opening: file.name, at: file.path, of: identity)
        } catch {
            let missing = try runtime(neededBy: file.path, of: identity)
            guard !missing.isEmpty else { throw error }
            return try DynamicLibrary(opening: file.name, at: file.path, after: missing, of: identity)
        }
    }

    /// Makes the full check, and returns the parts of the Swift runtime that must be loaded before the library.
    private func runtime(neededBy path: FilePath, of identity: BundleIdentity) throws(AtriumError) -> [FilePath] {
        let diagnosis = check.diagnosis(of: path, of: identity, dependencies: libraries.files)
        if let refusal = libraries.refusal(for: diagnosis) { throw refusal }
        return diagnosis.missingRuntime
    }

    /// Ends the sentinels after a failure, because none of the versions is in use.
    func endSentinels() { for (_, sentinel) in sentinels.reversed() { sentinel.end() } }

    /// Passes the sentinels on to the watch over first runs, because the versions are in use.
    func keepSentinels() {
        for (version, sentinel) in sentinels { policy.crashMonitor.loaded(version, sentinel) }
        sentinels = []
    }
}

/// The libraries of library bundles that are open in this process, by soname.
///
/// The process has one loader, which gives every plugin the first library of a name. Therefore all managers and sandboxes share
/// one table, and no second version can be loaded.
///
/// The loader identifies files by device and inode. Opening the same file under a new name returns the same library, and would
/// only leave one more descriptor open forever. So the names of all opened files are kept.
final class LoadedLibraries: Sendable {
    /// The libraries of this process.
    static let current = LoadedLibraries()

    /// The versions whose libraries are open, and the bundles that needed them first.
    private let entries = Mutex<[String: (version: VersionKey, user: BundleIdentity)]>([:])
    /// The names under which the loader has files, whose descriptors stay open, so that no other file gets their identity.
    private let names = Mutex<[FileStamp.File: String]>([:])

    private init() {}

    /// Returns the name under which the loader has a file; `nil` when it doesn't have it.
    func name(of file: LibraryFile) -> String? { names.withLock { $0[file.identity] } }

    /// Records that the loader has a file; an earlier name is kept.
    func add(_ file: LibraryFile) { names.withLock { $0.merge([file.identity: file.name]) { first, _ in first } } }

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
    /// - Returns: whether it was opened now.
    /// - Throws: ``AtriumError`` with code `restartNeeded` when the name belongs to another version or bundle, and the errors
    ///   of `open`, after which the name is still free.
    func load(
        _ library: SharedLibrary<PlacedLibrary>, for user: BundleIdentity, open: () throws(AtriumError) -> Void
    ) throws(AtriumError) -> Bool {
        func refusal(_ why: ErrorReason) -> AtriumError {
            AtriumError(
                .restartNeeded, library.identity,
                reason: "libraryNeeded", ["bundle": "\(user)", "soname": .text(library.soname), "why": .reason(why)])
        }
        return try entries.withLock { entries throws(AtriumError) in
            if let entry = entries[library.soname] {
                guard entry.version != library.source.bundle.key else { return false }
                let why = ErrorReason(
                    "libraryLoadedFor", ["library": "\(entry.version.identity)", "bundle": "\(entry.user)"])
                throw refusal(why)
            }
            // A library from any other source would be returned for that name too.
            guard !DynamicLibrary.isOpen(library.soname) else { throw refusal(ErrorReason("libraryOfNoBundle")) }
            try open()
            entries[library.soname] = (library.source.bundle.key, user)
            return true
        }
    }
}
