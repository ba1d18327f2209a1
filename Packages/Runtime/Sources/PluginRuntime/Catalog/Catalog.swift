public import PluginCore
public import PluginRouter
public import BundleFormat
import HostSystem

/// A source of packages.
public protocol Catalog: Sendable {
    /// Returns all readable packages, sorted by identifier and then version, newest first, and the errors of the others.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable`.
    func listing() throws(AtriumError) -> CatalogListing

    /// Returns the versions of a bundle, newest first, including those with invalid packages.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable`.
    func versions(of identifier: BundleIdentifier) throws(AtriumError) -> [SemanticVersion]

    /// Returns a package.
    ///
    /// - Throws: ``AtriumError`` with code `versionUnknown`, `packageInvalid`, `manifestInvalid`, or `catalogUnreachable` when
    ///   its existence can't be determined.
    func package(_ identity: BundleIdentity) throws(AtriumError) -> CatalogPackage

    /// Checks that the whole catalog can be read now.
    ///
    /// If a part can't be read, ``listing()`` and ``versions(of:)`` return only the other packages.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable`.
    func requireReachable() throws(AtriumError)

    /// A value that stays equal while the offers don't change; `nil` when no such value can be computed quickly.
    var stamp: String? { get }

    /// Returns the same catalog for a host that registers these converters.
    ///
    /// A bundle manager calls it, so that a host needs to register converters only once.
    func reading(_ converters: RouteConverters) -> any Catalog
}

extension Catalog {
    /// The default value, which means that no stamp is available.
    public var stamp: String? { nil }
}

/// An offered package.
public struct CatalogPackage: Sendable {
    /// The manifest of the package.
    public let manifest: Manifest
    /// The path of the package.
    public let path: FilePath
    /// The size in bytes.
    public let size: Int64

    /// Creates an offered package.
    public init(manifest: Manifest, path: FilePath, size: Int64) {
        self.manifest = manifest
        self.path = path
        self.size = size
    }
}

/// The contents of a catalog.
public struct CatalogListing: Sendable {
    /// The readable packages, sorted by identifier and then version, newest first.
    public let packages: [CatalogPackage]
    /// The errors of the other packages.
    public let problems: [AtriumError]

    /// Creates a listing of sorted packages and errors.
    public init(packages: [CatalogPackage], problems: [AtriumError]) {
        self.packages = packages
        self.problems = problems
    }
}

extension PackageFile {
    /// Returns the package as an offer.
    ///
    /// - Throws: as ``manifest(converters:)``, and ``AtriumError`` with code `fileUnknown` when there is no such file.
    public func offered(converters: RouteConverters = .standard) throws(AtriumError) -> CatalogPackage {
        switch try FileSystem.item(at: path) {
        case .file(let size, _):
            return CatalogPackage(manifest: try manifest(converters: converters), path: path, size: size)
        case .folder, .link, .other: throw AtriumError(.packageInvalid, path.string, reason: "notRegularFile")
        case nil: throw AtriumError(.fileUnknown, path.string)
        }
    }
}
