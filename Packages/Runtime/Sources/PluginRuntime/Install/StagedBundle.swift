import Preflight
import Registry
import PluginCore

/// A version that is extracted in the staging folder.
struct StagedBundle {
    let folder: FilePath
    var version: PlacedVersion
    var lifecycle: BundleLifecycle

    /// Informs the observer that the version was removed, unless it has been installed.
    mutating func discard() {
        switch lifecycle.state {
        case .staged, .verified: lifecycle.remove()
        default: return
        }
    }

    /// Checks that the version's code can be loaded by this host, if it has any.
    ///
    /// - Parameter resolver: finds the libraries that its library is linked with.
    /// - Throws: ``AtriumError`` with code `libraryMissing`, `libraryIncompatible`, `libraryUnloadable`, `dependencyUnmet` or
    ///   `dependencyConflict`.
    func validate(with resolver: LibraryResolver) throws(AtriumError) {
        try version.validate(in: folder, with: resolver)
    }
}

extension PlacedVersion {
    /// Checks that the version's code can be loaded by this host, if it has any.
    ///
    /// - Throws: as ``StagedBundle/validate(with:)``.
    func validate(in folder: FilePath, with resolver: LibraryResolver) throws(AtriumError) {
        let (libraries, files) = try resolver.files(for: manifest)
        let verdict = LibraryPreflight.validate(libraryOf: manifest, in: folder, dependencies: files)
        guard let verdict else { return }
        let refusal = libraries.refusal(for: verdict) ?? verdict.refusal(of: bundle.identity.description)
        if let refusal { throw refusal }
    }
}

extension Manifest {
    /// Checks that the manifest names this host's ABI of Core, in the same way as the check of the library.
    ///
    /// - Throws: ``AtriumError`` with code `libraryIncompatible`.
    func requireCore() throws(AtriumError) {
        guard entry != nil, coreABI != CoreVersion.abi else { return }
        var verdict = LibraryVerdict()
        verdict.add(manifestABI: coreABI)
        if let refusal = verdict.refusal(of: identity.description) { throw refusal }
    }
}
