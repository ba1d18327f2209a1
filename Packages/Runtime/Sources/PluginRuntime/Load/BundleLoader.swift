import PluginCore

/// From an installed version to its principal object.
struct BundleLoader: Sendable {
    let sandbox: Sandbox

    /// The library of an installed version.
    func library(of bundle: PluginBundle) throws(AtriumError) -> FilePath {
        guard let entry = bundle.entry else {
            throw AtriumError(.libraryMissing, bundle.identity.description, detail: "it is a bundle without code")
        }
        return sandbox.folder(of: bundle.identity, digest: bundle.digest).appending(
            "lib/" + Platform.triple + "/" + entry)
    }

    /// Loads the library and makes the principal object.
    func load(_ bundle: PluginBundle) async throws(AtriumError) -> any BundleDelegate {
        let library = try DynamicLibrary(opening: try library(of: bundle), of: bundle.identity)
        return try await library.entry(of: bundle.identity).makePrincipal()
    }

    /// The resources of an installed version.
    func resources(of bundle: PluginBundle, languages: [String]) -> BundleResources {
        let folder = sandbox.folder(of: bundle.identity, digest: bundle.digest)
        return BundleResources(root: folder.appending("Resources"), languages: languages)
    }

    /// The data container of a bundle.
    func container(of bundle: PluginBundle) -> BundleContainer {
        var groups: [String: FilePath] = [:]
        for name in bundle.appGroups { groups[name] = sandbox.group(name) }
        return BundleContainer(root: sandbox.container(of: bundle.identity.identifier), groups: groups)
    }
}
