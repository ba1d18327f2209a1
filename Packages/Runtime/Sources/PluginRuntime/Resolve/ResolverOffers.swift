internal import PluginCore

/// Where a resolver learns what can be had. It asks for each thing at most once, and only for what it needs.
protocol ResolverOffers {
    /// The versions of a bundle that can be had, in any order; none for a bundle that nobody offers.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable` when nobody can know.
    func versions(of identifier: String) throws(AtriumError) -> [SemanticVersion]

    /// Returns whether these are all that there are.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable` when nobody can know.
    func requireReachable() throws(AtriumError)

    /// What a version needs: one that is offered, or one that is to be rolled back to.
    ///
    /// - Throws: ``AtriumError`` when its manifest cannot be read.
    func requirements(of identity: BundleIdentity) throws(AtriumError) -> [BundleRequirement]
}

/// What a catalog has, packages that come from elsewhere, and what the registry knows of the versions that are kept.
struct CatalogOffers: ResolverOffers {
    let catalog: any Catalog
    let registry: Registry
    /// Packages that are offered besides the catalog's, such as a file that the user has named; they come before a package of
    /// the catalog with the same identity.
    var packages: [Manifest] = []

    func versions(of identifier: String) throws(AtriumError) -> [SemanticVersion] {
        let others = packages.map(\.identity).filter { $0.identifier == identifier }.map(\.version)
        do {
            return try catalog.versions(of: identifier) + others
        } catch {
            // A file that the user has named is there, whether or not the catalog is.
            if others.isEmpty { throw error }
            return others
        }
    }

    func requireReachable() throws(AtriumError) {
        try catalog.requireReachable()
    }

    func requirements(of identity: BundleIdentity) throws(AtriumError) -> [BundleRequirement] {
        if let package = packages.first(where: { $0.identity == identity }) { return package.requirements }
        if let previous = try registry.installed(identity.identifier)?.previous, previous.identity == identity {
            return try registry.manifest(of: previous).requirements
        }
        return try catalog.package(identity).manifest.requirements
    }
}
