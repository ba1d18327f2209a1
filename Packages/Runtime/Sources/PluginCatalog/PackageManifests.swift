import BundleFormat
import HostSystem
import PluginCore
import PluginRouter
import Synchronization

/// A cache of the manifests in a folder of packages, which are read again only after their files have changed.
///
/// Installation doesn't rely on it: it opens the package again and verifies its seal.
final class PackageManifests: Sendable {
    private struct Entry {
        let stamp: FileStamp
        let manifest: Result<Manifest, AtriumError>
    }

    private let entries = Mutex<[FilePath: Entry]>([:])

    /// Returns a package's manifest, which must always be read with the same converters.
    ///
    /// - Throws: as ``PackageFile/manifest(converters:)``.
    func manifest(of package: PackageFile, converters: RouteConverters) throws(AtriumError) -> Manifest {
        let stamp = try FileStamp(of: package.path)
        if let stamp, let entry = entries.withLock({ $0[package.path] }), entry.stamp == stamp {
            return try entry.manifest.get()
        }
        let manifest = Result { () throws(AtriumError) in try package.manifest(converters: converters) }
        // Don't cache the result of a failing disk, or one whose stamp a change might not alter.
        if let stamp, stamp.isStable, Self.isOfContent(manifest) {
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
