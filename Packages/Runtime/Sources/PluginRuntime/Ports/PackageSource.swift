public import PluginCore
public import PluginRouter

/// A source of packages.
///
/// What it offers is a value, from which a change is planned as often as necessary. Only the source knows how to fetch what is missing.
public protocol PackageSource: Sendable {
    /// The offers that are known now. Nothing is fetched.
    var known: any Offers { get }

    /// Returns what a search finds in the offers.
    ///
    /// ```swift
    /// let versions = try await source.search { offers in try offers.versions(of: "com.example.app.shop") }
    /// ```
    ///
    /// - Parameter search: A search that changes nothing. A source on a server runs it again when it has fetched what was asked.
    func search<Found>(_ search: (any Offers) throws -> Found) async throws -> Found

    /// A value that stays equal while the offers don't change; `nil` when no such value can be computed quickly.
    var stamp: String? { get }

    /// Removes downloaded packages, which are no longer needed once they are installed.
    func removeDownloads()

    /// Returns the same source for a host that registers these converters.
    ///
    /// A host calls it, so that it needs to register converters only once.
    func source(for converters: RouteConverters) -> any PackageSource
}

/// The packages that a source offers, with their manifests.
public protocol Offers: Sendable {
    /// Returns all packages.
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

    /// Checks that all offers can be read now.
    ///
    /// If a part can't be read, ``listing()`` and ``versions(of:)`` return only the other packages.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable`.
    func requireReachable() throws(AtriumError)

    /// A Boolean value that indicates whether a part of the offers is fetched.
    var isRemote: Bool { get }

    /// A Boolean value that indicates whether something was asked that has to be fetched first, so that an error says nothing about the offers.
    var lacksAnswers: Bool { get }

    /// The ends of the lives of the roles that protect the offers, as far as their metadata is on the disk; none for local ones.
    var expiries: [CatalogExpiry] { get }
}

extension PackageSource {
    /// Does nothing, because the packages of a local source belong to the user.
    public func removeDownloads() {}
}

extension Offers {
    /// The default value, for local files.
    public var isRemote: Bool { false }

    /// The default value, for offers that never lack an answer.
    public var lacksAnswers: Bool { false }

    /// None, because local offers do not expire.
    public var expiries: [CatalogExpiry] { [] }

    /// Returns the identifiers of all bundles in alphabetical order.
    ///
    /// Empty for a remote source: fetching its whole listing only for suggestions is too expensive.
    package func localIdentifiers() throws(AtriumError) -> [BundleIdentifier] {
        if isRemote { return [] }
        return Set(try listing().packages.map(\.manifest.identity.identifier)).sorted()
    }

    /// Returns the offers with further packages, such as a file given by the user, which take precedence.
    package func adding(_ packages: [CatalogPackage]) -> any Offers {
        packages.isEmpty ? self : AddedPackages(packages: packages, base: self)
    }
}

/// Offers with further packages.
private struct AddedPackages: Offers {
    let packages: [CatalogPackage]
    let base: any Offers

    var isRemote: Bool { base.isRemote }
    var lacksAnswers: Bool { base.lacksAnswers }

    func listing() throws(AtriumError) -> CatalogListing { try base.listing() }

    func versions(of identifier: BundleIdentifier) throws(AtriumError) -> [SemanticVersion] {
        let added = packages.map(\.manifest.identity).filter { $0.identifier == identifier }.map(\.version)
        do {
            return Set(try base.versions(of: identifier) + added).sorted(by: >)
        } catch {
            // A file given by the user is available even if the catalog is not.
            if added.isEmpty { throw error }
            return added
        }
    }

    func package(_ identity: BundleIdentity) throws(AtriumError) -> CatalogPackage {
        if let added = packages.first(where: { $0.manifest.identity == identity }) { return added }
        return try base.package(identity)
    }

    func requireReachable() throws(AtriumError) { try base.requireReachable() }
}

// The codes of catalogs.
extension AtriumError.Code {
    /// A catalog whose metadata is not trusted, such as one without a pinned root, or with a wrong signature.
    public static let catalogUntrusted = Self("catalogUntrusted")
    /// A download that failed, or whose file is not the announced one.
    public static let downloadFailed = Self("downloadFailed")
    /// A question that a catalog can answer only after it has fetched something.
    public static let catalogNotFetched = Self("catalogNotFetched")
    /// A package that must be downloaded before it can be opened.
    public static let packageNotDownloaded = Self("packageNotDownloaded")
    /// A file that doesn't exist.
    public static let fileUnknown = Self("fileUnknown")
}

/// The contents of a catalog: the readable packages, sorted by identifier and then version, newest first, and the errors of the others.
public typealias CatalogListing = (packages: [CatalogPackage], problems: [AtriumError])

/// The content that is fetched for a package.
public enum DownloadContent: Hashable, Sendable {
    /// The package.
    case package
    /// The difference from an installed version, from which the package comes out.
    case delta(from: SemanticVersion)
    /// The package, because a delta could not be used for the given reason.
    case packageAfterDelta(ErrorReason)
}

/// The state of the download of a package.
public struct PackageDownload: Hashable, Sendable {
    /// The bytes that have arrived, with those of earlier attempts.
    public let received: UInt64
    /// The length of what is fetched, in bytes.
    public let total: UInt64
    /// The content that is fetched.
    public let content: DownloadContent

    /// Creates a state.
    public init(received: UInt64, total: UInt64, content: DownloadContent = .package) {
        self.received = received
        self.total = total
        self.content = content
    }
}

/// An installed version, to which a delta may apply.
public struct DeltaSource: Hashable, Sendable {
    /// The folder with the files of the version.
    public let folder: FilePath
    /// The SHA-256 of its seal in lowercase hexadecimal.
    public let sealDigest: String
}

/// A newer version that was skipped because its package is invalid or could not be downloaded.
public struct SkippedVersion: Sendable {
    /// The skipped version.
    public let identity: BundleIdentity
    /// The reason why its package cannot be used.
    public let error: AtriumError

    package init(_ identity: BundleIdentity, for error: AtriumError) {
        self.identity = identity
        self.error = error
    }
}

/// The end of the life of a role of a published catalog, after which its metadata is no longer trusted.
public struct CatalogExpiry: Hashable, Sendable {
    /// The place of the catalog.
    public let catalog: String
    /// The name of the role.
    public let role: String
    /// The end of its life in seconds since 1970.
    public let seconds: Int
    /// The end of its life as a text, such as `2030-01-01T00:00:00Z`.
    public let text: String
    /// The time from which there is a warning, in seconds since 1970.
    public let warning: Int

    /// Creates the end of a role's life.
    public init(catalog: String, role: String, seconds: Int, text: String, warning: Int) {
        self.catalog = catalog
        self.role = role
        self.seconds = seconds
        self.text = text
        self.warning = warning
    }
}
