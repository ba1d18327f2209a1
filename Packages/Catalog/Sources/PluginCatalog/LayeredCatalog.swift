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

    /// Returns a catalog of changed layers.
    public func map(_ change: (any Catalog) -> any Catalog) -> LayeredCatalog { LayeredCatalog(parts.map(change)) }

    /// Returns all packages of the layers that can be reached.
    ///
    /// An unreachable layer is listed as a problem, and is an error only if all are unreachable.
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
        return CatalogListing(
            packages: Array(packages.values).sortedByIdentity(), problems: problems + unreachable)
    }

    /// Returns the versions of a bundle in the layers that can be reached.
    public func versions(of identifier: BundleIdentifier) throws(AtriumError) -> [SemanticVersion] {
        var versions: Set<SemanticVersion> = []
        try eachReachable { layer throws(AtriumError) in versions.formUnion(try layer.versions(of: identifier)) }
        return versions.sorted(by: >)
    }

    /// Returns a package of the first layer that has it.
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

    /// Returns the packages of the layers that can be reached.
    public func packages(for needs: [CatalogNeed]) throws(AtriumError) -> [CatalogPackage] {
        var packages: [BundleIdentity: CatalogPackage] = [:]
        try eachReachable { layer throws(AtriumError) in
            for package in try layer.packages(for: needs) where packages[package.manifest.identity] == nil {
                packages[package.manifest.identity] = package
            }
        }
        return Array(packages.values).sortedByIdentity()
    }

    /// Returns the versions that one of the layers has revoked.
    public func revocations(of identifier: BundleIdentifier) throws(AtriumError) -> [RevokedVersion] {
        var revocations: [RevokedVersion] = []
        for layer in parts { revocations += try layer.revocations(of: identifier) }
        return revocations
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

    /// Returns whether one of the layers has anything to say about a bundle.
    public func knows(_ identifier: BundleIdentifier) throws(AtriumError) -> Bool {
        var isKnown = false
        try eachReachable { layer throws(AtriumError) in
            if !isKnown { isKnown = try layer.knows(identifier) }
        }
        return isKnown
    }

    /// Calls a closure with each layer.
    ///
    /// - Returns: the errors of unreachable layers.
    /// - Throws: the errors of `ask`, but `catalogUnreachable` only if all layers are unreachable.
    @discardableResult
    private func eachReachable(
        _ ask: (any Catalog) throws(AtriumError) -> Void
    ) throws(AtriumError) -> [AtriumError] {
        var unreachable: [AtriumError] = []
        for layer in parts {
            do throws(AtriumError) {
                try ask(layer)
            } catch  where error.code == .catalogUnreachable {
                unreachable.append(error)
            }
        }
        if let last = unreachable.last, unreachable.count == parts.count { throw last }
        return unreachable
    }
}
