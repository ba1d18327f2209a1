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

    /// Its resources.
    func resources(for languages: [String]) -> BundleResources {
        BundleResources(root: folder.appending("Resources"), languages: languages)
    }

    /// Its data container, which all versions share.
    func container() -> BundleContainer {
        var groups: [String: FilePath] = [:]
        for name in bundle.appGroups { groups[name] = sandbox.group(name) }
        return BundleContainer(root: sandbox.container(of: bundle.identity.identifier), groups: groups)
    }

    /// Loads the library and makes the principal object.
    ///
    /// - Parameters:
    ///   - onOpening: hears by what name the loader is about to know the library.
    ///   - restamp: hears of it when the library's file had to be hashed, and need not be next time.
    func load(
        onOpening: (String) -> Void, restamp: (String) -> Void
    ) async throws(AtriumError) -> any BundleDelegate {
        let file = try LibraryFile(opening: try library(), of: bundle.identity)
        onOpening(file.name)
        let library: DynamicLibrary
        do throws(AtriumError) {
            library = try file.whileUnwritten { () throws(AtriumError) in
                if let stamp = try requireSealed(file) { restamp(stamp) }
                return try open(file)
            }
        } catch {
            file.close()
            throw error
        }
        return try await library.entry(of: bundle.identity).makePrincipal()
    }

    private func requireSealed(_ file: LibraryFile) throws(AtriumError) -> String? {
        guard let digest = bundle.seal.libraryDigest else {
            throw AtriumError(
                .unsigned, bundle.identity.description, detail: "it was installed when that was not asked for")
        }
        return try file.requireSealed(as: digest, known: bundle.seal.libraryStamp)
    }

    private func open(_ file: LibraryFile) throws(AtriumError) -> DynamicLibrary {
        // What the loader would die of or run too early. All else it refuses, and is told in better words than its own.
        if !LibraryHead.isSound(file),
            let refusal = LibraryPreflight.judge(file.path).refusal(of: bundle.identity.description)
        {
            throw refusal
        }
        do throws(AtriumError) {
            return try DynamicLibrary(opening: file, of: bundle.identity)
        } catch {
            let verdict = LibraryPreflight.judge(file.path)
            if let refusal = verdict.refusal(of: bundle.identity.description) { throw refusal }
            guard !verdict.missingRuntime.isEmpty else { throw error }
            return try DynamicLibrary(opening: file, after: verdict.missingRuntime, of: bundle.identity)
        }
    }
}
