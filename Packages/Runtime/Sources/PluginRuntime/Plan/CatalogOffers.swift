import Registry
import HostSystem
import PluginCore
import Resolver

/// The offers of a catalog and of additional packages, and the kept versions in the registry.
struct CatalogOffers: ResolverOffers {
    let catalog: any Catalog
    let registry: Registry
    /// Packages offered in addition to the catalog's, such as a file given by the user; they take precedence over the catalog's.
    var packages: [Manifest] = []

    func versions(of identifier: String) throws(AtriumError) -> [SemanticVersion] {
        let others = packages.map(\.identity).filter { $0.identifier == identifier }.map(\.version)
        do {
            return try catalog.versions(of: identifier) + others
        } catch {
            // A file given by the user is available even if the catalog is not.
            if others.isEmpty { throw error }
            return others
        }
    }

    func requireReachable() throws(AtriumError) {
        try catalog.requireReachable()
    }

    func requirements(of identity: BundleIdentity) throws(AtriumError) -> [BundleRequirement] {
        if let package = packages.first(where: { $0.identity == identity }) { return package.requirements }
        if let previous = try registry.active.bundle(identity.identifier)?.previous, previous.identity == identity {
            return try registry.versions.manifest(of: previous).requirements
        }
        return try catalog.package(identity).manifest.requirements
    }
}

extension ResolverOffers {
    /// Returns whether an error speaks against the machine and not against a version.
    func isTemporary(_ error: AtriumError) -> Bool { error.isEnvironmental }
}
