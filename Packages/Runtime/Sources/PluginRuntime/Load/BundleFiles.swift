import BundleFormat
package import HostSystem
package import PluginCore
package import Registry
import Tracing

/// Access to the files of an installed version, and the loading of its library.
struct BundleFiles: Sendable {
    private let bundle: PluginBundle
    private let sandbox: Sandbox
    private let folder: FilePath

    init(of bundle: PluginBundle, in sandbox: Sandbox) {
        self.bundle = bundle
        self.sandbox = sandbox
        folder = sandbox.folder(of: bundle.identity, digest: bundle.digest)
    }

    /// Returns the path of its library for this platform.
    func library() throws(AtriumError) -> FilePath {
        guard let entry = bundle.entry else {
            throw AtriumError(.libraryMissing, bundle.identity.description, reason: "bundleWithoutCode")
        }
        return folder.appending("lib/" + Platform.triple + "/" + entry)
    }

    /// Returns the folders of its app groups, by name.
    func groups() throws(AtriumError) -> [String: FilePath] {
        var groups: [String: FilePath] = [:]
        for name in bundle.appGroups { groups[name] = try sandbox.group(name) }
        return groups
    }

    /// Loads the library after the libraries that it is linked with, and returns the type of the principal object.
    ///
    /// - Parameters:
    ///   - libraries: the libraries that the bundle requires.
    ///   - check: checks a library that the loader could crash on, or has refused.
    ///   - watch: starts the crash detection for a version before it is opened for the first time in this process: first each
    ///     of the libraries, then the bundle. The returned sentinel is told the loader's name of the library.
    ///   - updateStamp: called with a new stamp when a version's library had to be hashed.
    func load(
        after libraries: LibraryClosure<PluginBundle>, checkedBy check: any LibraryCheck,
        watching watch: (PluginBundle) -> CrashSentinel?,
        updateStamp: (PluginBundle, String) -> Void
    ) async throws(AtriumError) -> PrincipalType {
        guard bundle.kind != .lib else {
            throw AtriumError(.resourceUnknown, bundle.identity.description, reason: "libWithoutRoutes")
        }
        let files = try loadLibraries(libraries, check, watch, updateStamp)
        let entry = try open(with: files, libraries, check, watch(bundle), updateStamp).entry(of: bundle.identity)
        if let type = entry.principalType { return type }
        throw AtriumError(.libraryIncompatible, bundle.identity.description, reason: "entryOfLibrary")
    }

    /// Loads all libraries that this one is linked with, so that the loader finds them by name.
    ///
    /// - Returns: their files, by name.
    private func loadLibraries(
        _ libraries: LibraryClosure<PluginBundle>, _ check: any LibraryCheck,
        _ watch: (PluginBundle) -> CrashSentinel?, _ updateStamp: (PluginBundle, String) -> Void
    ) throws(AtriumError) -> [String: FilePath] {
        // An uninstalled library stays open until the process ends, so the loader would still find it.
        if let refusal = libraries.refusal(where: { LoadedLibraries.current.isOpen($0) }) { throw refusal }
        var files: [String: FilePath] = [:]
        for library in libraries.libraries {
            let own = BundleFiles(of: library.source, in: sandbox)
            try LoadedLibraries.current.load(library, for: bundle.identity) { () throws(AtriumError) in
                let sentinel = watch(library.source)
                _ = try own.open(with: files, libraries, check, sentinel, updateStamp).entry(of: library.identity)
                // From now on the library only runs when it is called.
                sentinel?.gaveWay()
            }
            files[library.soname] = try own.library()
        }
        return files
    }

    /// Opens the library's file, verifies it, and loads exactly that file.
    private func open(
        with files: [String: FilePath], _ libraries: LibraryClosure<PluginBundle>, _ check: any LibraryCheck,
        _ sentinel: CrashSentinel?, _ updateStamp: (PluginBundle, String) -> Void
    ) throws(AtriumError) -> DynamicLibrary {
        let interval = Tracing.begin(.load, bundle.identity.description)
        defer { interval?.end() }
        let opened = try LibraryFile(opening: try library(), of: bundle.identity)
        let library: DynamicLibrary
        var known: String?
        let digest: String
        do throws(AtriumError) {
            digest = try sealedDigest()
            known = OpenLibraries.current.name(of: opened, sealedAs: digest)
            let file = known.map(opened.named) ?? opened
            sentinel?.isOpening(file.name)
            CodeOwners.add(file.name, owner: bundle.identity)
            CrashNotes.report(in: sandbox.crashReports)
            if let stamp = try opened.requireSealed(as: digest, known: bundle.seal.libraryStamp) {
                updateStamp(bundle, stamp)
            }
            library = try load(file, with: files, libraries, check)
        } catch {
            opened.close()
            throw error
        }
        // From here on the loader may have the library under its descriptor, which must stay open then, whatever fails later.
        defer { if known == nil { opened.letWrite() } else { opened.close() } }
        try opened.requireUntouched()
        try library.requireImage(of: opened, bundle.identity)
        if known == nil { OpenLibraries.current.add(opened, sealedAs: digest) }
        return library
    }

    /// Checks that the library is the sealed file, without loading it.
    ///
    /// - Throws: as loading does.
    func requireSealed() throws(AtriumError) {
        let file = try LibraryFile(opening: try library(), of: bundle.identity)
        defer { file.close() }
        _ = try file.requireSealed(as: sealedDigest(), known: bundle.seal.libraryStamp)
        try file.requireUntouched()
    }

    private func sealedDigest() throws(AtriumError) -> String {
        if let digest = bundle.seal.libraryDigest { return digest }
        throw AtriumError(.unsigned, bundle.identity.description, reason: "installedUnsigned")
    }

    private func load(
        _ file: LibraryFile, with files: [String: FilePath], _ libraries: LibraryClosure<PluginBundle>,
        _ check: any LibraryCheck
    ) throws(AtriumError) -> DynamicLibrary {
        // Check in advance what the loader would crash on or run too early; other defects make it fail, and are then reported in detail.
        if !check.isSound(file) { _ = try runtime(neededBy: file.path, with: files, libraries, check) }
        do throws(AtriumError) {
            return try DynamicLibrary(opening: file, of: bundle.identity)
        } catch {
            let missing = try runtime(neededBy: file.path, with: files, libraries, check)
            guard !missing.isEmpty else { throw error }
            return try DynamicLibrary(opening: file, after: missing, of: bundle.identity)
        }
    }

    /// Makes the full check, and returns the parts of the Swift runtime that must be loaded before the library.
    private func runtime(
        neededBy path: FilePath, with files: [String: FilePath], _ libraries: LibraryClosure<PluginBundle>,
        _ check: any LibraryCheck
    ) throws(AtriumError) -> [FilePath] {
        let diagnosis = check.diagnosis(of: path, of: bundle.identity, dependencies: files)
        if let refusal = libraries.refusal(for: diagnosis) { throw refusal }
        return diagnosis.missingRuntime
    }
}

extension LibraryFile {
    /// Checks that the content is the sealed one.
    ///
    /// A file that is unchanged since its last verification isn't hashed again.
    ///
    /// - Parameters:
    ///   - digest: the sealed SHA-256, in lowercase hexadecimal.
    ///   - known: the file's stamp at its last verification.
    /// - Returns: the new stamp, if the file was hashed and any later change will alter the stamp.
    /// - Throws: ``AtriumError`` with code `sealBroken` or `inputOutput`.
    func requireSealed(as digest: String, known: String?) throws(AtriumError) -> String? {
        if let known, known == stamp.text { return nil }
        guard try ContentDigest.of(file: path, reading: read) == digest else {
            throw AtriumError(
                .sealBroken, bundle.description, reason: "fileNotSealed", ["file": .text(path.lastComponent)])
        }
        return try settledStamp()
    }
}

/// The seal and signature of an installed version, as they are on the disk now.
package struct InstalledSeal: Sendable {
    package let bundle: PluginBundle
    private let folder: FilePath

    package init(of bundle: PluginBundle, in sandbox: Sandbox) {
        self.bundle = bundle
        folder = sandbox.folder(of: bundle)
    }

    /// Returns the stamps of both files, which stay equal while neither changes, without reading them.
    ///
    /// - Returns: `nil` when one doesn't exist.
    package func stamp() throws(AtriumError) -> String? {
        guard let seal = try FileStamp(of: folder.appending(Seal.name)),
            let signature = try FileStamp(of: folder.appending(Seal.signatureName))
        else { return nil }
        return "\(seal.text) \(signature.text)"
    }

    /// Reads the seal with its stamp, and checks that it is the installed one.
    ///
    /// - Throws: ``AtriumError`` with code `sealBroken` when it is missing or another one, or `inputOutput`.
    package func read() throws(AtriumError) -> (bytes: [UInt8], stamp: FileStamp) {
        let contents = try contents(of: Seal.name, limit: Seal.sizeLimit)
        guard try ContentDigest.of(contents.bytes) == bundle.digest else {
            throw broken(ErrorReason("sealNotInstalled", ["name": .text(Seal.name)]))
        }
        return contents
    }

    /// Reads the seal or the signature with its stamp.
    package func contents(of name: String, limit: Int) throws(AtriumError) -> (bytes: [UInt8], stamp: FileStamp) {
        switch try FileSystem.contents(of: folder.appending(name), limit: limit) {
        case .file(let bytes, let stamp): return (bytes, stamp)
        case .nothing: throw broken(ErrorReason("partGone", ["name": .text(name)]))
        case .other:
            throw broken(
                ErrorReason(
                    "partNotFile", ["name": .text(name), "limit": .integer(limit)]))
        }
    }

    /// Returns the error for a seal that is not the installed one.
    package func broken(_ reason: ErrorReason) -> AtriumError {
        AtriumError(.sealBroken, bundle.identity.description, reason: reason)
    }
}
