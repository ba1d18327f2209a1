import PluginCore
import PluginRouter

/// A bundle that has been unpacked and is about to be judged.
struct StagedBundle {
    let folder: FilePath
    let source: [UInt8]
    let converters: RouteConverters
    let resolver: LibraryResolver

    /// What stands at a bundle's top level.
    private static let topLevel = ["Resources", "lib", "manifest.json", "signature"]

    /// Whether it is the bundle that the catalog promised, has the shape of a bundle, and has code for this host.
    ///
    /// - Throws: ``AtriumError`` with code `packageInvalid`, `libraryMissing`, `libraryIncompatible`, `libraryUnloadable`,
    ///   `dependencyUnmet` or `dependencyConflict`.
    func judge(_ package: CatalogPackage) throws(AtriumError) -> Manifest {
        let manifest = try ManifestReader.read(source, of: package.path.lastComponent, converters: converters)
        guard manifest == package.manifest else {
            throw AtriumError(.packageInvalid, package.path.lastComponent, detail: "it changed while it was read")
        }
        for name in try FileSystem.names(in: folder) where !Self.topLevel.contains(name) {
            throw AtriumError(
                .packageInvalid, package.path.lastComponent,
                detail: "\"\(name)\" has no place in a bundle; there are \(Self.topLevel.joined(separator: ", "))"
            )
        }
        let (libraries, files) = try resolver.files(for: manifest)
        guard let verdict = LibraryPreflight.judge(libraryOf: manifest, in: folder, dependencies: files) else {
            return manifest
        }
        if let refusal = libraries.refusal(for: verdict) ?? verdict.refusal(of: manifest.identity.description) {
            throw refusal
        }
        return manifest
    }
}

extension Manifest {
    /// Whether its code was built for this host's Core, as far as the manifest says; told in the words of the preflight, which
    /// will ask the library too.
    ///
    /// - Throws: ``AtriumError`` with code `libraryIncompatible`.
    func requireCore() throws(AtriumError) {
        guard entry != nil, coreABI != CoreVersion.abi else { return }
        var verdict = LibraryVerdict()
        verdict.add(otherABI: coreABI)
        if let refusal = verdict.refusal(of: identity.description) { throw refusal }
    }
}
