internal import PluginCore
internal import PluginRouter
internal import Synchronization

/// The manifests of a folder's packages, each read again only when its file has changed.
///
/// Nothing is installed because of what is found here: an install opens the package anew and verifies its seal.
final class PackageManifests: Sendable {
    private struct Entry {
        let stamp: FileStamp
        let manifest: Result<Manifest, AtriumError>
    }

    private let entries = Mutex<[FilePath: Entry]>([:])

    /// A package's manifest, read with the same converters each time.
    ///
    /// - Throws: as ``PackageFile/manifest(converters:)``.
    func manifest(of package: PackageFile, converters: RouteConverters) throws(AtriumError) -> Manifest {
        let stamp = try FileStamp(of: package.path)
        if let stamp, let entry = entries.withLock({ $0[package.path] }), entry.stamp == stamp {
            return try entry.manifest.get()
        }
        let manifest = Result { () throws(AtriumError) in try package.manifest(converters: converters) }
        // A stamp that a change may leave as it is, and a disk that fails, say nothing of the next time.
        if let stamp, stamp.isSettled, Self.isOfContent(manifest) {
            entries.withLock { $0[package.path] = Entry(stamp: stamp, manifest: manifest) }
        }
        return try manifest.get()
    }

    private static func isOfContent(_ manifest: Result<Manifest, AtriumError>) -> Bool {
        switch manifest {
        case .success: true
        case .failure(let error): [.packageInvalid, .manifestInvalid].contains(error.code)
        }
    }
}
