public import CatalogFormat
public import PluginCore
public import PluginRouter

/// A source of packages.
///
/// All functions answer from local data. A catalog on a server throws ``AtriumError`` with code `catalogNotFetched` for a question that
/// it cannot answer yet, and remembers it; ``fetching(_:)`` repeats a search until the catalog has fetched all that it needs.
public protocol Catalog: Sendable {
    /// Returns all readable packages, sorted by identifier and then version, newest first, and the errors of the others.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable`.
    func listing() throws(AtriumError) -> CatalogListing

    /// Returns the versions of a bundle, newest first, including those with invalid packages.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable`.
    func versions(of identifier: BundleIdentifier) throws(AtriumError) -> [SemanticVersion]

    /// Returns whether the catalog has anything to say about a bundle: versions, even if they are not offered here, or revocations.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable`.
    func knows(_ identifier: BundleIdentifier) throws(AtriumError) -> Bool

    /// Returns a package.
    ///
    /// - Throws: ``AtriumError`` with code `versionUnknown`, `packageInvalid`, `manifestInvalid`, or `catalogUnreachable` when
    ///   its existence can't be determined.
    func package(_ identity: BundleIdentity) throws(AtriumError) -> CatalogPackage

    /// Returns the packages of all bundles that may meet one of some needs, sorted as in ``listing()``. Others may be among them.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable`.
    func packages(for needs: [CatalogNeed]) throws(AtriumError) -> [CatalogPackage]

    /// Returns the versions of a bundle that must not be used anymore.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable`.
    func revocations(of identifier: BundleIdentifier) throws(AtriumError) -> [RevokedVersion]

    /// Returns a value that changes whenever the revoked versions may have changed; `nil` if the newest state cannot be fetched.
    ///
    /// A catalog that contains others must ask them.
    func revocationStamp() async -> String?

    /// Checks that the whole catalog can be read now.
    ///
    /// If a part can't be read, ``listing()`` and ``versions(of:)`` return only the other packages.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable`.
    func requireReachable() throws(AtriumError)

    /// A value that stays equal while the offers don't change; `nil` when no such value can be computed quickly.
    var stamp: String? { get }

    /// A Boolean value that indicates whether some questions are answered only after ``fetchMissing()``.
    var isRemote: Bool { get }

    /// The ends of the lives of the roles that protect the catalog, as far as their metadata is on the disk; none for a local catalog.
    var expiries: [CatalogExpiry] { get }

    /// Fetches the answers to all questions that were asked since the last call and that had none.
    ///
    /// An answer that cannot be fetched is an error when the question is asked again.
    ///
    /// - Returns: Whether there were such questions.
    func fetchMissing() async -> Bool

    /// Removes downloaded packages, which are no longer needed once they are installed.
    func removeDownloads()

    /// Returns the same catalog for a host that registers these converters.
    ///
    /// A bundle manager calls it, so that a host needs to register converters only once.
    func withConverters(_ converters: RouteConverters) -> any Catalog
}

extension Catalog {
    /// The default value, which means that no stamp is available.
    public var stamp: String? { nil }

    /// Returns whether there are versions of a bundle.
    public func knows(_ identifier: BundleIdentifier) throws(AtriumError) -> Bool {
        try !versions(of: identifier).isEmpty
    }

    /// The packages of all bundles.
    public func packages(for needs: [CatalogNeed]) throws(AtriumError) -> [CatalogPackage] { try listing().packages }

    /// No versions, because a folder of packages revokes none.
    public func revocations(of identifier: BundleIdentifier) throws(AtriumError) -> [RevokedVersion] { [] }

    /// An empty text for a local catalog, because a folder of packages never revokes any; `nil` for another one.
    public func revocationStamp() async -> String? { isRemote ? nil : "" }

    /// The default value, for a catalog in local files.
    public var isRemote: Bool { false }

    /// None, because a local catalog does not expire.
    public var expiries: [CatalogExpiry] { [] }

    /// Does nothing, because the packages of a local catalog belong to the user.
    public func removeDownloads() {}

    /// Does nothing, because a local catalog has all answers.
    public func fetchMissing() async -> Bool { false }

    /// Returns the identifiers of all bundles in alphabetical order.
    ///
    /// Empty for a remote catalog: fetching its whole listing only for suggestions is too expensive.
    package func localIdentifiers() throws(AtriumError) -> [BundleIdentifier] {
        if isRemote { return [] }
        return Set(try listing().packages.map(\.manifest.identity.identifier)).sorted()
    }

    /// Runs a search, and repeats it as long as the catalog had to fetch something for it.
    ///
    /// ```swift
    /// let versions = try await catalog.fetching { try catalog.versions(of: "com.example.app.shop") }
    /// ```
    ///
    /// - Parameter search: A search that changes nothing.
    public func fetching<Found>(_ search: () throws -> Found) async throws -> Found {
        for _ in 0..<Self.mostRounds {
            let result = Result { try search() }
            guard isRemote, await fetchMissing() else { return try result.get() }
            try Task.checkCancellation()
        }
        return try search()
    }

    /// The number of times that a search is repeated; each time, it can learn of requirements that it did not know before.
    private static var mostRounds: Int { 100 }
}

extension [any Catalog] {
    /// Fetches the missing answers of all catalogs at the same time, so that one without a connection does not hold up the others.
    func fetchMissing() async -> Bool {
        // A group would start threads, also for one catalog.
        if count == 1 { return await self[0].fetchMissing() }
        return await withTaskGroup(of: Bool.self) { group in
            for catalog in self { group.addTask { await catalog.fetchMissing() } }
            return await group.reduce(false) { $0 || $1 }
        }
    }
}
