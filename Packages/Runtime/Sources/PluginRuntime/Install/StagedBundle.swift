import PluginCore

/// A version that lies unpacked in Staging, and on its way from there.
struct StagedBundle {
    let folder: FilePath
    var version: PlacedVersion
    var lifecycle: BundleLifecycle

    /// Says that it is gone, unless something has come of it.
    mutating func discard() {
        switch lifecycle.state {
        case .staged, .verified: lifecycle.remove()
        default: return
        }
    }

    /// Returns whether it has code for this host, or none.
    ///
    /// - Parameter resolver: finds the libraries that its own is linked with.
    /// - Throws: ``AtriumError`` with code `libraryMissing`, `libraryIncompatible`, `libraryUnloadable`, `dependencyUnmet` or
    ///   `dependencyConflict`.
    func judge(with resolver: LibraryResolver) throws(AtriumError) {
        try version.judge(in: folder, with: resolver)
    }
}

extension PlacedVersion {
    /// Returns whether it has code for this host, or none.
    ///
    /// - Throws: as ``StagedBundle/judge(with:)``.
    func judge(in folder: FilePath, with resolver: LibraryResolver) throws(AtriumError) {
        let (libraries, files) = try resolver.files(for: manifest)
        let verdict = LibraryPreflight.judge(libraryOf: manifest, in: folder, dependencies: files)
        guard let verdict else { return }
        let refusal = libraries.refusal(for: verdict) ?? verdict.refusal(of: bundle.identity.description)
        if let refusal { throw refusal }
    }
}

extension Manifest {
    /// Returns whether its code was built for this host's Core, as far as the manifest says; told in the words of the preflight, which
    /// will ask the library too.
    ///
    /// - Throws: ``AtriumError`` with code `libraryIncompatible`.
    func requireCore() throws(AtriumError) {
        guard entry != nil, coreABI != CoreVersion.abi else { return }
        var verdict = LibraryVerdict()
        verdict.add(manifestABI: coreABI)
        if let refusal = verdict.refusal(of: identity.description) { throw refusal }
    }
}
