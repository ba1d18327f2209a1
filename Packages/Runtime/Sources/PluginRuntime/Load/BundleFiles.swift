internal import CSystem
import PluginCore

/// What an installed version has on the disk, and the way from there to its principal object.
struct BundleFiles: Sendable {
    private let bundle: PluginBundle
    private let sandbox: Sandbox
    private let folder: FilePath

    init(of bundle: PluginBundle, in sandbox: Sandbox) {
        self.bundle = bundle
        self.sandbox = sandbox
        folder = sandbox.folder(of: bundle.identity, digest: bundle.digest)
    }

    /// Its library for this platform.
    func library() throws(AtriumError) -> FilePath {
        guard let entry = bundle.entry else {
            throw AtriumError(.libraryMissing, bundle.identity.description, detail: "it is a bundle without code")
        }
        return folder.appending("lib/" + Platform.triple + "/" + entry)
    }

    /// Its data container, which all versions share.
    func container() throws(AtriumError) -> BundleContainer {
        var groups: [String: FilePath] = [:]
        for name in bundle.appGroups { groups[name] = try sandbox.group(name) }
        return BundleContainer(root: try sandbox.container(of: bundle.identity.identifier), groups: groups)
    }

    /// Loads the library, after those that it is linked with, and makes the principal object.
    ///
    /// - Parameters:
    ///   - libraries: the libraries that the bundle requires.
    ///   - watch: begins to watch over a version that is about to be opened for the first time in this process, each of the
    ///     libraries and then the bundle; who is watched is told by what name the loader knows it.
    ///   - restamp: hears of it when a version's library had to be hashed, and need not be next time.
    func load(
        after libraries: LibraryClosure<PluginBundle>, watching watch: (PluginBundle) -> ProbationMark?,
        restamp: (PluginBundle, String) -> Void
    ) async throws(AtriumError) -> any BundleDelegate {
        guard bundle.kind != .lib else {
            throw AtriumError(
                .resourceUnknown, bundle.identity.description,
                detail: "a bundle of kind lib is linked by others, and serves nothing itself")
        }
        let files = try loadLibraries(libraries, watch, restamp)
        return try await open(with: files, libraries, watch(bundle), restamp).entry(of: bundle.identity).makePrincipal()
    }

    /// Has the process open all that the library is linked with: it finds them by their names then.
    ///
    /// - Returns: their files, by name.
    private func loadLibraries(
        _ libraries: LibraryClosure<PluginBundle>, _ watch: (PluginBundle) -> ProbationMark?,
        _ restamp: (PluginBundle, String) -> Void
    ) throws(AtriumError) -> [String: FilePath] {
        // What has been uninstalled is open as long as the process lives, and would be found all the same.
        if let refusal = libraries.refusal(where: { LoadedLibraries.current.isOpen($0) }) { throw refusal }
        var files: [String: FilePath] = [:]
        for library in libraries.libraries {
            let own = BundleFiles(of: library.source, in: sandbox)
            try LoadedLibraries.current.load(library, for: bundle.identity) { () throws(AtriumError) in
                let mark = watch(library.source)
                _ = try own.open(with: files, libraries, mark, restamp).entry(of: library.identity)
                // From now on it is at work only when it is called.
                mark?.gaveWay()
            }
            files[library.soname] = try own.library()
        }
        return files
    }

    /// Opens the library's file, checks it, and has the loader load that very file.
    private func open(
        with files: [String: FilePath], _ libraries: LibraryClosure<PluginBundle>, _ mark: ProbationMark?,
        _ restamp: (PluginBundle, String) -> Void
    ) throws(AtriumError) -> DynamicLibrary {
        let opened = try LibraryFile(opening: try library(), of: bundle.identity)
        let library: DynamicLibrary
        var known: String?
        let digest: String
        do throws(AtriumError) {
            digest = try sealedDigest()
            known = OpenLibraries.current.name(of: opened, sealedAs: digest)
            let file = known.map(opened.named) ?? opened
            mark?.isOpening(file.name)
            // Without memory for it its code is nobody's, which is no reason not to load it.
            _ = code_owners_add(file.name, bundle.identity.description)
            if let stamp = try opened.requireSealed(as: digest, known: bundle.seal.libraryStamp) {
                restamp(bundle, stamp)
            }
            library = try load(file, with: files, libraries)
        } catch {
            opened.close()
            throw error
        }
        // The loader knows it by its descriptor from here on, so that stays open, whatever else is wrong; unless the loader knew
        // it before.
        defer { if known == nil { opened.letWrite() } else { opened.close() } }
        try opened.requireUntouched()
        try library.requireImage(of: opened, bundle.identity)
        if known == nil { OpenLibraries.current.add(opened, sealedAs: digest) }
        return library
    }

    /// Returns whether the library is the file that was sealed; it is not loaded.
    ///
    /// - Throws: as a load.
    func requireSealed() throws(AtriumError) {
        let file = try LibraryFile(opening: try library(), of: bundle.identity)
        defer { file.close() }
        _ = try file.requireSealed(as: sealedDigest(), known: bundle.seal.libraryStamp)
        try file.requireUntouched()
    }

    private func sealedDigest() throws(AtriumError) -> String {
        if let digest = bundle.seal.libraryDigest { return digest }
        throw AtriumError(
            .unsigned, bundle.identity.description, detail: "it was installed when that was not asked for")
    }

    private func load(
        _ file: LibraryFile, with files: [String: FilePath], _ libraries: LibraryClosure<PluginBundle>
    ) throws(AtriumError) -> DynamicLibrary {
        // What the loader would die of or run too early. All else it refuses, and is told in better words than its own.
        if !LibraryHead.isSound(file) { _ = try verdict(on: file.path, with: files, libraries) }
        do throws(AtriumError) {
            return try DynamicLibrary(opening: file, of: bundle.identity)
        } catch {
            let verdict = try verdict(on: file.path, with: files, libraries)
            guard !verdict.missingRuntime.isEmpty else { throw error }
            return try DynamicLibrary(opening: file, after: verdict.missingRuntime, of: bundle.identity)
        }
    }

    /// What the preflight says of the library, unless that is a refusal.
    private func verdict(
        on path: FilePath, with files: [String: FilePath], _ libraries: LibraryClosure<PluginBundle>
    ) throws(AtriumError) -> LibraryVerdict {
        let verdict = LibraryPreflight.judge(path, dependencies: files)
        if let refusal = libraries.refusal(for: verdict) ?? verdict.refusal(of: bundle.identity.description) {
            throw refusal
        }
        return verdict
    }
}
