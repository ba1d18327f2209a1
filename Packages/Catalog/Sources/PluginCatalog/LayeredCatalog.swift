public import CatalogFormat
public import PluginRuntime
public import PluginCore

/// Several catalogs as one, such as the packages that ship with the host and those of a server.
///
/// If several have a version, the first one's package is used. Unreachable catalogs don't affect the offers of the others.
public struct LayeredCatalog: CombinedCatalog {
    /// The layers.
    public let parts: [any Catalog]

    /// Creates a catalog of layers, the first of which has precedence.
    public init(_ layers: [any Catalog]) {
        parts = layers
    }

    /// Returns all layers.
    public func sources(of identifier: BundleIdentifier) -> [any Catalog] { parts }

    /// Returns a catalog of changed layers.
    public func map(_ change: (any Catalog) -> any Catalog) -> LayeredCatalog { LayeredCatalog(parts.map(change)) }

    /// Returns all packages of the layers that can be reached.
    ///
    /// An unreachable layer is listed as a problem, and is an error only if all are unreachable.
    public func listing() throws(AtriumError) -> CatalogListing {
        var packages: [BundleIdentity: CatalogPackage] = [:]
        var problems: [AtriumError] = []
        let unreachable = try parts.eachReachable { layer throws(AtriumError) in
            let listing = try layer.listing()
            packages.merge(listing.packages.map { ($0.manifest.identity, $0) }) { first, _ in first }
            problems += listing.problems
        }
        return (Array(packages.values).sortedByIdentity(), problems + unreachable)
    }

    /// Returns the packages of the layers that can be reached.
    public func packages(for needs: [CatalogNeed]) throws(AtriumError) -> [CatalogPackage] {
        var packages: [BundleIdentity: CatalogPackage] = [:]
        try parts.eachReachable { layer throws(AtriumError) in
            packages.merge(try layer.packages(for: needs).map { ($0.manifest.identity, $0) }) { first, _ in first }
        }
        return Array(packages.values).sortedByIdentity()
    }

    /// Returns the values of all layers.
    public func revocationStamp() async -> String? {
        var stamp = ""
        for layer in parts {
            guard let one = await layer.revocationStamp() else { return nil }
            stamp += one + "\n"
        }
        return stamp
    }
}
