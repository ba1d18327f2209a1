import Registry
import Resolver
internal import PluginCore

/// The offers of a rollback: only the versions that a sandbox keeps, without any catalog.
struct RollbackOffers: ResolverOffers {
    let registry: Registry
    /// Throws when a version may not become active again.
    let permit: (PlacedVersion) throws(AtriumError) -> Void

    func versions(of identifier: String) throws(AtriumError) -> [SemanticVersion] {
        try registry.active.bundle(identifier)?.previous.map { [$0.identity.version] } ?? []
    }

    func requireReachable() {}

    func requirements(of identity: BundleIdentity) throws(AtriumError) -> [BundleRequirement] {
        guard let previous = try registry.active.bundle(identity.identifier)?.previous, previous.identity == identity
        else {
            throw AtriumError(.bundleUnavailable, identity.description, detail: "it is not kept")
        }
        let version = try registry.placed(previous)
        try permit(version)
        return version.manifest.requirements
    }
}
