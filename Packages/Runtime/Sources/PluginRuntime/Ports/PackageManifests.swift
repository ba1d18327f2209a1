import BundleFormat
import HostSystem
import PluginCore
import PluginRouter
import Synchronization

/// A cache of the manifests and platforms in a folder of packages, which are read again only after their files have changed.
///
/// Installation doesn't rely on it: it opens the package again and verifies its seal.
final class PackageManifests: Sendable {
    typealias Content = (manifest: Manifest, platforms: [String])

    private struct Entry {
        let stamp: FileStamp
        let content: Result<Content, AtriumError>
    }

    private let entries = Mutex<[FilePath: Entry]>([:])

    /// Returns a package's manifest, which must always be read with the same converters, and its platforms.
    ///
    /// - Throws: as ``PackageFile/content(converters:)``.
    func content(of package: PackageFile, converters: RouteConverters) throws(AtriumError) -> Content {
        let stamp = try FileStamp(of: package.path)
        if let stamp, let entry = entries.withLock({ $0[package.path] }), entry.stamp == stamp {
            return try entry.content.get()
        }
        let content = Result { () throws(AtriumError) in try package.content(converters: converters) }
        // Don't cache the result of a failing disk, or one whose stamp a change might not alter.
        if let stamp, stamp.isStable, Self.isOfContent(content) {
            entries.withLock { $0[package.path] = Entry(stamp: stamp, content: content) }
        }
        return try content.get()
    }

    private static func isOfContent(_ content: Result<Content, AtriumError>) -> Bool {
        switch content {
        case .success: true
        case .failure(let error): [.packageInvalid, .manifestInvalid].contains(error.code)
        }
    }
}
