import BundleFormat
import Registry
import PluginCore

/// Finds the libraries in a sandbox that a bundle's library is linked with.
struct LibraryResolver: Sendable {
    let sandbox: Sandbox
    let registry: Registry
    /// The manifests and folders of the bundles that become active together with this one, by identifier.
    var staged: [BundleIdentifier: (manifest: Manifest, folder: FilePath)] = [:]

    init(sandbox: Sandbox, registry: Registry, comingWith staged: [(version: PlacedVersion, folder: FilePath)] = []) {
        self.sandbox = sandbox
        self.registry = registry
        for (version, folder) in staged { self.staged[version.bundle.identity.identifier] = (version.manifest, folder) }
    }

    /// Returns the libraries of an active version, which must be loaded before it.
    ///
    /// A bundle without requirements takes one query of the registry.
    ///
    /// - Throws: ``AtriumError`` with code `dependencyUnmet` or `dependencyConflict`.
    func libraries(of bundle: PluginBundle) throws(AtriumError) -> LibraryClosure<PluginBundle> {
        try LibraryClosure<PluginBundle>(of: bundle.identity, registry.requirements.hard(of: bundle)) {
            identifier throws(AtriumError) in
            guard let bundle = try registry.active.version(of: identifier) else { return nil }
            return try required(bundle, requirements: registry.requirements.hard(of: bundle), at: bundle)
        }
    }

    /// Returns the libraries of a version that is to be installed, and their files by name, for checking it.
    ///
    /// - Throws: as ``libraries(of:)``.
    func files(for manifest: Manifest) throws(AtriumError) -> (closure: LibraryClosure<FilePath>, [String: FilePath]) {
        let closure = try LibraryClosure<FilePath>(of: manifest.identity, manifest.requirements) {
            identifier throws(AtriumError) in
            if let staged = staged[identifier] {
                guard let entry = staged.manifest.entry else { return .other }
                let path = staged.folder.appending(BundleShape.libraryPath(of: entry))
                return SharedLibrary(staged.manifest, at: path).map(RequiredBundle.library) ?? .other
            }
            guard let bundle = try registry.active.version(of: identifier) else { return nil }
            guard bundle.kind == .lib else { return .other }
            let path = try BundleFiles(of: bundle, in: sandbox).library()
            return try required(bundle, requirements: registry.requirements.hard(of: bundle), at: path)
        }
        let files = closure.libraries.map { ($0.soname, $0.source) }
        return (closure, Dictionary(files) { first, _ in first })
    }

    private func required<Source>(
        _ bundle: PluginBundle, requirements: @autoclosure () throws(AtriumError) -> [BundleRequirement],
        at source: Source
    ) throws(AtriumError) -> RequiredBundle<Source> {
        guard bundle.kind == .lib, let entry = bundle.entry else { return .other }
        return .library(
            SharedLibrary(
                identity: bundle.identity, soname: entry, requirements: try requirements(), source: source))
    }
}
