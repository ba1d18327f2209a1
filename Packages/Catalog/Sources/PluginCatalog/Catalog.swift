public import PluginRuntime
public import PluginCore
public import PluginRouter

/// A source of packages that is a folder, a server, or several of them.
///
/// All questions are answered from local data. A catalog on a server throws ``AtriumError`` with code `catalogNotFetched` for one that it
/// cannot answer yet, and remembers it; ``PackageSource/search(_:)`` repeats a search until the catalog has fetched all that it needs.
/// Nothing above a catalog sees that.
public protocol Catalog: PackageSource, Offers {
    /// Returns whether the catalog has anything to say about a bundle: versions, even if they are not offered here, or revocations.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable`.
    func knows(_ identifier: BundleIdentifier) throws(AtriumError) -> Bool

    /// Returns the answers that the catalog has now, which stay the same.
    func frozen() -> any Catalog

    /// Fetches the answers to all questions that were asked since the last call and that had none.
    ///
    /// An answer that cannot be fetched is an error when the question is asked again.
    ///
    /// - Returns: Whether there were such questions.
    func fetchMissing() async -> Bool

    /// Returns the same catalog for a host that registers these converters.
    func withConverters(_ converters: RouteConverters) -> any Catalog
}

extension Catalog {
    /// The default value, which means that no stamp is available.
    public var stamp: String? { nil }

    /// Returns whether there are versions of a bundle.
    public func knows(_ identifier: BundleIdentifier) throws(AtriumError) -> Bool {
        try !versions(of: identifier).isEmpty
    }

    /// An empty text for a local catalog, because a folder of packages never revokes any; `nil` for another one.
    public func revocationStamp() async -> String? { isRemote ? nil : "" }

    /// Does nothing, because a local catalog has all answers.
    public func fetchMissing() async -> Bool { false }

    /// The catalog itself, because its files are its answers.
    public func frozen() -> any Catalog { self }

    /// The answers that the catalog has now.
    public var known: any Offers { frozen() }

    /// Returns the same catalog for other converters.
    public func source(for converters: RouteConverters) -> any PackageSource { withConverters(converters) }

    /// Runs a search, and repeats it as long as the catalog had to fetch something for it.
    public func search<Found>(_ search: (any Offers) throws -> Found) async throws -> Found {
        for _ in 0..<Self.mostRounds {
            let result = Result { try search(frozen()) }
            guard isRemote, await fetchMissing() else { return try result.get() }
            try Task.checkCancellation()
        }
        return try search(frozen())
    }

    /// The number of times that a search is repeated; each time, it learns of the requirements of the bundles that it has found.
    private static var mostRounds: Int { 100 }
}

extension DirectoryCatalog: Catalog {
    /// Returns the catalog of the same folder for other converters.
    public func withConverters(_ converters: RouteConverters) -> any Catalog {
        DirectoryCatalog(folder: folder, converters: converters)
    }
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

extension [CatalogPackage] {
    /// The packages sorted by identifier and then version, newest first.
    package func sortedByIdentity() -> [CatalogPackage] {
        sorted { one, other in
            let (one, other) = (one.manifest.identity, other.manifest.identity)
            return one.identifier == other.identifier
                ? one.version > other.version : one.identifier < other.identifier
        }
    }
}
