public import CatalogFormat
public import PluginRuntime
public import PluginCore

/// Several sources of packages in an order of precedence, such as a company's own before a public one.
///
/// Each bundle comes from one source alone: the first one that knows it, even if it offers no version of it here, such as one of another
/// channel. So a higher version in a later source cannot take the place of a private bundle (dependency confusion). A source with
/// prefixes has only bundles whose identifiers begin with one of them. A bundle that matches a source's prefix comes only from
/// sources with a matching prefix, even while those are unreachable.
public struct PrioritizedCatalog: CombinedCatalog {
    /// A source of packages.
    public struct Source: Sendable {
        /// The packages.
        public let catalog: any Catalog
        /// The beginnings of the identifiers to which the source is limited, in whole labels; empty for no limit.
        public let prefixes: [String]

        /// Creates a source.
        public init(_ catalog: any Catalog, prefixes: [String] = []) {
            self.catalog = catalog
            self.prefixes = prefixes
        }

        fileprivate func covers(_ identifier: BundleIdentifier) -> Bool {
            prefixes.contains { identifier.text == $0 || identifier.text.hasPrefix($0 + ".") }
        }
    }

    private let sources: [Source]

    /// Creates a catalog of sources, the first of which has precedence.
    public init(_ sources: [Source]) {
        self.sources = sources
    }

    /// The catalogs of the sources.
    public var parts: [any Catalog] { sources.map(\.catalog) }

    /// Returns a catalog of the same sources with changed catalogs.
    public func map(_ change: (any Catalog) -> any Catalog) -> PrioritizedCatalog {
        PrioritizedCatalog(sources.map { Source(change($0.catalog), prefixes: $0.prefixes) })
    }

    /// Returns the values of all sources in their order, with their prefixes, which select the source of a bundle.
    public func revocationStamp() async -> String? {
        var stamp = ""
        for source in sources {
            // Which packages a folder has decides whether a later source may revoke them.
            let catalog = source.catalog
            guard let one = catalog.isRemote ? await catalog.revocationStamp() : catalog.stamp else { return nil }
            stamp += "\(one) \(source.prefixes.joined(separator: " "))\n"
        }
        return stamp
    }

    /// Returns the packages of each source that are of its own bundles.
    public func packages(for needs: [CatalogNeed]) throws(AtriumError) -> [CatalogPackage] {
        try eachOwn { source throws(AtriumError) in try source.packages(for: needs) }
    }

    /// Returns the packages of each source that are of its own bundles, and the problems of all sources.
    public func listing() throws(AtriumError) -> CatalogListing {
        var problems: [AtriumError] = []
        let packages = try eachOwn { source throws(AtriumError) in
            let listing = try source.listing()
            problems += listing.problems
            return listing.packages
        }
        return (packages, problems)
    }

    /// Returns the source of a bundle: the first eligible one that knows it. Other sources have no say.
    ///
    /// - Throws: The error of a source that may offer it and cannot be read, because a later one must not take its place.
    public func sources(of identifier: BundleIdentifier) throws(AtriumError) -> [any Catalog] {
        try index(ofSourceOf: identifier).map { [sources[$0].catalog] } ?? []
    }

    private func index(ofSourceOf identifier: BundleIdentifier) throws(AtriumError) -> Int? {
        for index in possibleSources(of: identifier)
        where try sources[index].catalog.knows(identifier) {
            return index
        }
        return nil
    }

    /// Returns the sources that may offer a bundle: those with a matching prefix, or else those without any.
    private func possibleSources(of identifier: BundleIdentifier) -> [Int] {
        let limited = sources.indices.filter { sources[$0].covers(identifier) }
        return limited.isEmpty ? sources.indices.filter { sources[$0].prefixes.isEmpty } : limited
    }

    private func eachOwn(
        _ find: (any Catalog) throws(AtriumError) -> [CatalogPackage]
    ) throws(AtriumError) -> [CatalogPackage] {
        var own: [CatalogPackage] = []
        try sources.enumerated().askAll { index, source throws(AtriumError) in
            try find(source.catalog).askAll { package throws(AtriumError) in
                if try self.index(ofSourceOf: package.manifest.identity.identifier) == index { own.append(package) }
            }
        }
        return own.sortedByIdentity()
    }
}
