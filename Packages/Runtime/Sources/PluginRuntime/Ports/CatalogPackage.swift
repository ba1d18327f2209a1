public import BundleFormat
import HostSystem
public import PluginCore
public import PluginRouter

/// An offered package.
public struct CatalogPackage: Sendable {
    /// Puts a package at its path, and reports what has arrived.
    ///
    /// If the catalog has a delta from one of the given installed versions, it is fetched in place of the package; after any trouble with
    /// it, the package.
    ///
    /// It throws ``AtriumError`` with code `downloadFailed`, `catalogMismatch`, `packageInvalid`, `catalogUnreachable` or
    /// `catalogUntrusted`.
    public typealias Download =
        @Sendable (_ installed: [DeltaSource], _ progress: @escaping @Sendable (PackageDownload) -> Void)
        async throws(AtriumError) -> Void

    /// Fetches the icon that the catalog has apart from the package, and returns the content of its PNG file; `nil` if it is gone.
    public typealias FetchIcon = @Sendable () async throws(AtriumError) -> [UInt8]?

    /// The manifest of the package.
    public let manifest: Manifest
    /// The path of the package, at which there is no file before the download.
    public let path: FilePath
    /// The size in bytes.
    public let size: Int64
    /// The download that is necessary before the package can be opened; `nil` for a local package.
    public let download: Download?
    /// The fetch of the icon; `nil` if the catalog has none apart from the package.
    package let fetchIcon: FetchIcon?
    /// The platforms and builds that the package is for; `nil` if only the package itself says that, or if it has no code.
    package let platforms: [String]?
    /// The builds of its libraries, by which hosts they serve; none if the catalog does not name them.
    package let hosts: [String]
    private let knownSealDigest: String?

    /// Creates an offered package.
    ///
    /// - Parameters:
    ///   - sealDigest: The SHA-256 of the seal in hexadecimal, if the catalog names it.
    ///   - platforms: The platforms and builds that the package is for, if the catalog names them.
    ///   - hosts: The builds of its libraries, if the catalog names them.
    ///   - download: The download that is necessary before the package can be opened.
    ///   - fetchIcon: The fetch of the icon, if the catalog has one apart from the package.
    public init(
        manifest: Manifest, path: FilePath, size: Int64, sealDigest: String? = nil, platforms: [String]? = nil,
        hosts: [String] = [], download: Download? = nil, fetchIcon: FetchIcon? = nil
    ) {
        self.platforms = platforms
        self.hosts = hosts
        self.manifest = manifest
        self.path = path
        self.size = size
        self.download = download
        self.fetchIcon = fetchIcon
        knownSealDigest = sealDigest
    }

    /// Returns the SHA-256 of the package's seal in hexadecimal, without downloading the package.
    ///
    /// - Throws: as ``PackageFile/sealDigest()``.
    public func sealDigest() throws(AtriumError) -> String {
        if let knownSealDigest { return knownSealDigest }
        return try PackageFile(path: path).sealDigest()
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
        case .folder, .link, .other: throw AtriumError(.packageInvalid, path, reason: "notRegularFile")
        case nil: throw AtriumError(.fileUnknown, path)
        }
    }
}
