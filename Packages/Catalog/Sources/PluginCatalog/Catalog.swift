public import CatalogFormat
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

    /// Returns the packages of all bundles that may meet one of some needs, sorted as in ``Offers/listing()``. Others may be among them.
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

    /// The packages of all bundles.
    public func packages(for needs: [CatalogNeed]) throws(AtriumError) -> [CatalogPackage] { try listing().packages }

    /// No versions, because a folder of packages revokes none.
    public func revocations(of identifier: BundleIdentifier) throws(AtriumError) -> [RevokedVersion] { [] }

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

/// A catalog that consists of others.
public protocol CombinedCatalog: Catalog {
    /// The catalogs.
    var parts: [any Catalog] { get }

    /// Returns those of the catalogs that have a say about a bundle, in the order of their precedence.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable`.
    func sources(of identifier: BundleIdentifier) throws(AtriumError) -> [any Catalog]

    /// Returns the same combination of changed catalogs.
    func map(_ change: (any Catalog) -> any Catalog) -> Self
}

extension CombinedCatalog {
    /// A Boolean value that indicates whether one of the catalogs is remote.
    public var isRemote: Bool { parts.contains(where: \.isRemote) }

    /// The ends of the lives of all catalogs' roles.
    public var expiries: [CatalogExpiry] { parts.flatMap(\.expiries) }

    /// A Boolean value that indicates whether one of the catalogs lacks an answer.
    public var lacksAnswers: Bool { parts.contains(where: \.lacksAnswers) }

    /// Returns the answers that all catalogs have now.
    public func frozen() -> any Catalog { map { $0.frozen() } }

    /// Returns the same combination for other converters.
    public func withConverters(_ converters: RouteConverters) -> any Catalog { map { $0.withConverters(converters) } }

    /// Fetches the missing answers of all catalogs at the same time, so that one without a connection does not hold up the others.
    public func fetchMissing() async -> Bool {
        // A group would start threads, also for one catalog.
        if parts.count == 1 { return await parts[0].fetchMissing() }
        return await withTaskGroup(of: Bool.self) { group in
            for part in parts { group.addTask { await part.fetchMissing() } }
            return await group.reduce(false) { $0 || $1 }
        }
    }

    /// Removes the downloaded packages of all catalogs.
    public func removeDownloads() { for part in parts { part.removeDownloads() } }

    /// Checks that all catalogs can be read.
    public func requireReachable() throws(AtriumError) {
        try parts.askAll { part throws(AtriumError) in try part.requireReachable() }
    }

    /// Returns the versions of a bundle in its sources that can be reached.
    public func versions(of identifier: BundleIdentifier) throws(AtriumError) -> [SemanticVersion] {
        var versions: Set<SemanticVersion> = []
        try sources(of: identifier).eachReachable { source throws(AtriumError) in
            versions.formUnion(try source.versions(of: identifier))
        }
        return versions.sorted(by: >)
    }

    /// Returns whether one of its sources has anything to say about a bundle.
    public func knows(_ identifier: BundleIdentifier) throws(AtriumError) -> Bool {
        var isKnown = false
        try sources(of: identifier).eachReachable { source throws(AtriumError) in
            if !isKnown { isKnown = try source.knows(identifier) }
        }
        return isKnown
    }

    /// Returns the versions of a bundle that one of its sources has revoked.
    public func revocations(of identifier: BundleIdentifier) throws(AtriumError) -> [RevokedVersion] {
        var revocations: [RevokedVersion] = []
        for source in try sources(of: identifier) { revocations += try source.revocations(of: identifier) }
        return revocations
    }

    /// Returns a package of the first source that has it.
    public func package(_ identity: BundleIdentity) throws(AtriumError) -> CatalogPackage {
        var nearest: [String] = []
        var found: CatalogPackage?
        let unreachable = try sources(of: identity.identifier).eachReachable { source throws(AtriumError) in
            guard found == nil else { return }
            do throws(AtriumError) {
                found = try source.package(identity)
            } catch  where error.code == .versionUnknown {
                nearest += error.nearest.filter { !nearest.contains($0) }
            }
        }
        if let found { return found }
        throw unreachable.first ?? AtriumError(.versionUnknown, identity, nearest: nearest)
    }
}

extension [any Catalog] {
    /// Calls a closure with each catalog.
    ///
    /// - Returns: The errors of unreachable catalogs.
    /// - Throws: The errors of `ask`, but `catalogUnreachable` only if all catalogs are unreachable.
    @discardableResult
    func eachReachable(_ ask: (any Catalog) throws(AtriumError) -> Void) throws(AtriumError) -> [AtriumError] {
        var unreachable: [AtriumError] = []
        for catalog in self {
            do {
                try ask(catalog)
            } catch  where error.code == .catalogUnreachable {
                unreachable.append(error)
            }
        }
        if let last = unreachable.last, unreachable.count == count { throw last }
        return unreachable
    }
}

extension Sequence {
    /// Asks about all elements before it throws the first error, so that everything that is missing is fetched together.
    ///
    /// - Parameter codes: The errors that are thrown; `nil` for all.
    package func askAll(
        throwing codes: [AtriumError.Code]? = nil, _ ask: (Element) throws(AtriumError) -> Void
    ) throws(AtriumError) {
        var failure: AtriumError?
        for element in self {
            do {
                try ask(element)
            } catch {
                if codes?.contains(error.code) ?? true { failure = failure ?? error }
            }
        }
        if let failure { throw failure }
    }
}

/// The catalog of a host whose settings cannot be read: every question has the same error.
public struct UnavailableCatalog: Catalog {
    private let error: AtriumError

    /// Creates a catalog that throws an error.
    public init(_ error: AtriumError) {
        self.error = error
    }

    /// Throws the error.
    public func listing() throws(AtriumError) -> CatalogListing { throw error }

    /// Throws the error.
    public func versions(of identifier: BundleIdentifier) throws(AtriumError) -> [SemanticVersion] { throw error }

    /// Throws the error.
    public func package(_ identity: BundleIdentity) throws(AtriumError) -> CatalogPackage { throw error }

    /// Throws the error.
    public func requireReachable() throws(AtriumError) { throw error }

    /// Throws the error.
    public func revocations(of identifier: BundleIdentifier) throws(AtriumError) -> [RevokedVersion] { throw error }

    /// Returns the same catalog.
    public func withConverters(_ converters: RouteConverters) -> any Catalog { self }
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
