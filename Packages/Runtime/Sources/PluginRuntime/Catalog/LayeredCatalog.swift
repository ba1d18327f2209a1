public import PluginCore
public import PluginRouter

/// Several catalogs as one, such as the packages that ship with the host and those of a server. Of a version that more than
/// one has, the first one's package is taken. What the layers have that can be reached is on offer whatever becomes of the others.
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

    /// Everything on offer; see ``Catalog``. A layer that cannot be reached is a problem, and an error only when none can.
    public func listing() throws(AtriumError) -> CatalogListing {
        var packages: [BundleIdentity: CatalogPackage] = [:]
        var problems: [AtriumError] = []
        let unreachable = try eachReachable { layer throws(AtriumError) in
            let listing = try layer.listing()
            for package in listing.packages where packages[package.manifest.identity] == nil {
                packages[package.manifest.identity] = package
            }
            problems += listing.problems
        }
        let sorted = packages.values.sorted { one, other in
            let (one, other) = (one.manifest.identity, other.manifest.identity)
            return one.identifier == other.identifier
                ? one.version > other.version : one.identifier < other.identifier
        }
        return CatalogListing(packages: sorted, problems: problems + unreachable)
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
        let unreachable = try eachReachable { layer throws(AtriumError) in
            guard found == nil else { return }
            do throws(AtriumError) {
                found = try layer.package(identity)
            } catch  where error.code == .versionUnknown {
                nearest += error.nearest.filter { !nearest.contains($0) }
            }
        }
        if let found { return found }
        throw unreachable.first ?? AtriumError(.versionUnknown, identity.description, nearest: nearest)
    }

    /// Returns whether all layers can be asked; see ``Catalog``.
    public func requireReachable() throws(AtriumError) {
        for layer in layers { try layer.requireReachable() }
    }

    /// Asks one layer after the other.
    ///
    /// - Returns: why some cannot be asked.
    /// - Throws: what `ask` throws; `catalogUnreachable` only when that is so of all.
    @discardableResult
    private func eachReachable(
        _ ask: (any Catalog) throws(AtriumError) -> Void
    ) throws(AtriumError) -> [AtriumError] {
        var unreachable: [AtriumError] = []
        for layer in layers {
            do throws(AtriumError) {
                try ask(layer)
            } catch  where error.code == .catalogUnreachable {
                unreachable.append(error)
            }
        }
        if let last = unreachable.last, unreachable.count == layers.count { throw last }
        return unreachable
    }
}
