public import PluginCore
public import PluginRouter

/// Several catalogs as one, such as the packages that ship with the host and those of a server. Of a version that more than
/// one has, the first one's package is taken.
public struct LayeredCatalog: Catalog {
    private let layers: [any Catalog]

    /// Lays catalogs over each other, those that are asked first before the others.
    public init(_ layers: [any Catalog]) {
        self.layers = layers
    }

    /// The same layers, each read with other converters.
    public func reading(_ converters: RouteConverters) -> any Catalog {
        LayeredCatalog(layers.map { $0.reading(converters) })
    }

    /// Everything on offer; see ``Catalog``. A layer that can not be reached is a problem, and an error only when none can.
    public func listing() throws(AtriumError) -> CatalogListing {
        var packages: [BundleIdentity: CatalogPackage] = [:]
        var problems: [AtriumError] = []
        try eachReachable { layer throws(AtriumError) in
            let listing = try layer.listing()
            for package in listing.packages where packages[package.manifest.identity] == nil {
                packages[package.manifest.identity] = package
            }
            problems += listing.problems
        } otherwise: {
            problems.append($0)
        }
        let sorted = packages.values.sorted { one, other in
            let (one, other) = (one.manifest.identity, other.manifest.identity)
            return one.identifier == other.identifier
                ? one.version > other.version : one.identifier < other.identifier
        }
        return CatalogListing(packages: sorted, problems: problems)
    }

    /// The versions of a bundle; see ``Catalog``.
    public func versions(of identifier: String) throws(AtriumError) -> [SemanticVersion] {
        var versions: Set<SemanticVersion> = []
        try eachReachable { layer throws(AtriumError) in versions.formUnion(try layer.versions(of: identifier)) }
        return versions.sorted(by: >)
    }

    /// One package; see ``Catalog``.
    public func package(_ identity: BundleIdentity) throws(AtriumError) -> CatalogPackage {
        var nearest: [String] = []
        var found: CatalogPackage?
        try eachReachable { layer throws(AtriumError) in
            guard found == nil else { return }
            do throws(AtriumError) {
                found = try layer.package(identity)
            } catch  where error.code == .versionUnknown {
                nearest += error.nearest.filter { !nearest.contains($0) }
            }
        }
        guard let found else { throw AtriumError(.versionUnknown, identity.description, nearest: nearest) }
        return found
    }

    /// Asks one layer after the other.
    ///
    /// - Throws: what `ask` throws; `catalogUnreachable` only when that is so of all.
    private func eachReachable(
        _ ask: (any Catalog) throws(AtriumError) -> Void, otherwise tell: (AtriumError) -> Void = { _ in }
    ) throws(AtriumError) {
        var unreachable: [AtriumError] = []
        for layer in layers {
            do throws(AtriumError) {
                try ask(layer)
            } catch  where error.code == .catalogUnreachable {
                unreachable.append(error)
            }
        }
        if let last = unreachable.last, unreachable.count == layers.count { throw last }
        unreachable.forEach(tell)
    }
}
