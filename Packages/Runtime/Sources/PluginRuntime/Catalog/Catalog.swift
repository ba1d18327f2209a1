public import PluginCore
public import PluginRouter

/// Where packages come from.
public protocol Catalog: Sendable {
    /// Everything that is on offer, by identifier and then by version, newest first; and what is broken.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable`.
    func listing() throws(AtriumError) -> CatalogListing

    /// The versions of a bundle, newest first, whether their packages are whole or not.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable`.
    func versions(of identifier: String) throws(AtriumError) -> [SemanticVersion]

    /// One package.
    ///
    /// - Throws: ``AtriumError`` with code `versionUnknown`, `packageInvalid` or `manifestInvalid`; `catalogUnreachable` when nobody
    ///   can know.
    func package(_ identity: BundleIdentity) throws(AtriumError) -> CatalogPackage

    /// Returns whether all of it can be asked now. Of a part that cannot, ``listing()`` and ``versions(of:)`` say nothing: what they name is
    /// on offer, and what they do not name may be.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable`.
    func requireReachable() throws(AtriumError)

    /// What is the same as long as nothing has been put on offer or taken off; `nil` when that cannot be told cheaply.
    var stamp: String? { get }

    /// The same catalog, read by a host that registers these converters. A bundle manager asks for it, so that a host says
    /// once what it registers.
    func reading(_ converters: RouteConverters) -> any Catalog
}

extension Catalog {
    /// Cannot be told cheaply.
    public var stamp: String? { nil }
}

/// A package on offer.
public struct CatalogPackage: Sendable {
    /// What its manifest says.
    public let manifest: Manifest
    /// Where it lies.
    public let path: FilePath
    /// Its size in bytes.
    public let size: Int64

    /// Puts a package on offer.
    public init(manifest: Manifest, path: FilePath, size: Int64) {
        self.manifest = manifest
        self.path = path
        self.size = size
    }
}

/// What a catalog has.
public struct CatalogListing: Sendable {
    /// The packages that can be read, by identifier and then by version, newest first.
    public let packages: [CatalogPackage]
    /// What is wrong with the others.
    public let problems: [AtriumError]

    /// Lists what can be read, in the order above, and what cannot.
    public init(packages: [CatalogPackage], problems: [AtriumError]) {
        self.packages = packages
        self.problems = problems
    }
}
