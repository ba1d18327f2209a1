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
    func load() async throws(AtriumError) -> any BundleDelegate {
        let path = try library()
        // What the loader would die of or run too early. All else it refuses, and is told in better words than its own.
        if !LibraryHead.isSound(path),
            let refusal = LibraryPreflight.judge(path).refusal(of: bundle.identity.description)
        {
            throw refusal
        }
        let library: DynamicLibrary
        do throws(AtriumError) {
            library = try DynamicLibrary(opening: path, of: bundle.identity)
        } catch {
            let verdict = LibraryPreflight.judge(path)
            if let refusal = verdict.refusal(of: bundle.identity.description) { throw refusal }
            guard !verdict.missingRuntime.isEmpty else { throw error }
            library = try DynamicLibrary(opening: path, after: verdict.missingRuntime, of: bundle.identity)
        }
        return try await library.entry(of: bundle.identity).makePrincipal()
    }
}
