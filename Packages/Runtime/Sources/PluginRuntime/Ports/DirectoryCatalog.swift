import BundleFormat
import HostSystem
public import PluginCore
public import PluginRouter
import Synchronization

/// A catalog in a folder of packages.
///
/// Packages are named `<identifier>-<version>.zip`, and their names are read first. A package is opened only when it is
/// requested, and again only after its file has changed. Invalid packages don't affect the others.
public struct DirectoryCatalog: PackageSource, Offers {
    package let folder: FilePath
    private let converters: RouteConverters
    private let manifests = PackageManifests()

    /// Creates the catalog of a folder.
    ///
    /// - Parameter converters: the types that a pattern's captures may have.
    public init(folder: FilePath, converters: RouteConverters = .standard) {
        self.folder = folder
        self.converters = converters
    }

    /// Returns the catalog of the same folder for other converters.
    public func source(for converters: RouteConverters) -> any PackageSource {
        Self(folder: folder, converters: converters)
    }

    /// The catalog itself, because nothing has to be fetched.
    public var known: any Offers { self }

    /// Returns what a search finds in the folder.
    public func search<Found>(_ search: (any Offers) throws -> Found) throws -> Found { try search(self) }

    /// The folder's identity and modification times.
    public var stamp: String? { FileStamp(ofFolder: folder)?.text }

    /// Returns all packages of the folder.
    public func listing() throws(AtriumError) -> CatalogListing {
        var packages: [CatalogPackage] = []
        var problems: [AtriumError] = []
        for identity in try identities() {
            do {
                packages.append(try package(identity))
            } catch {
                problems.append(error)
            }
        }
        return (packages, problems)
    }

    /// Returns the versions of a bundle in the folder.
    public func versions(of identifier: BundleIdentifier) throws(AtriumError) -> [SemanticVersion] {
        try identities().filter { $0.identifier == identifier }.map(\.version)
    }

    /// Returns the packages of the folder by their names alone, sorted by identifier and then version, newest first.
    public func identities() throws(AtriumError) -> [BundleIdentity] {
        try names().compactMap { PackageFile.identity(named: $0) }.sorted { one, other in
            one.identifier == other.identifier ? one.version > other.version : one.identifier < other.identifier
        }
    }

    /// Returns a package of the folder.
    public func package(_ identity: BundleIdentity) throws(AtriumError) -> CatalogPackage {
        let path = folder.appending(PackageFile.name(of: identity))
        let item = try FileSystem.item(at: path)
        guard case .file(let size, _) = item else {
            if item != nil { throw AtriumError(.packageInvalid, path.lastComponent, reason: "notRegularFile") }
            throw AtriumError(
                .versionUnknown, identity,
                nearest: try versions(of: identity.identifier).map { "\(identity.identifier)@\($0)" }
            )
        }
        let (manifest, platforms) = try manifests.content(of: PackageFile(path: path), converters: converters)
        guard manifest.identity == identity else {
            throw AtriumError(
                .packageInvalid, path.lastComponent, reason: "manifestOfOther", ["bundle": "\(manifest.identity)"]
            )
        }
        // Without any library, the checks of the package explain in detail what is missing.
        return CatalogPackage(
            manifest: manifest, path: path, size: size, platforms: platforms.isEmpty ? nil : platforms)
    }

    /// Checks that the folder can be read.
    public func requireReachable() throws(AtriumError) { _ = try names() }

    private func names() throws(AtriumError) -> [String] {
        do {
            return try FileSystem.names(in: folder)
        } catch {
            throw AtriumError(.catalogUnreachable, folder, reason: error.reason)
        }
    }
}

extension PackageSource where Self == DirectoryCatalog {
    /// Returns the packages in a folder.
    public static func folder(_ folder: FilePath) -> DirectoryCatalog { DirectoryCatalog(folder: folder) }
}

/// A cache of the manifests and platforms in a folder of packages, which are read again only after their files have changed.
///
/// Installation doesn't rely on it: it opens the package again and verifies its seal.
final class PackageManifests: Sendable {
    typealias Content = (manifest: Manifest, platforms: [String])

    private let entries = Mutex<[FilePath: (stamp: FileStamp, content: Result<Content, AtriumError>)]>([:])

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
        switch content {
        case .failure(let error) where ![.packageInvalid, .manifestInvalid].contains(error.code): break
        default: if let stamp, stamp.isStable { entries.withLock { $0[package.path] = (stamp, content) } }
        }
        return try content.get()
    }
}
