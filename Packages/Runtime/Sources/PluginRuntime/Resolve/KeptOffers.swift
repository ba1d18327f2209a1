internal import PluginCore

/// What a sandbox keeps to go back to, and nothing else: no catalog is asked.
struct KeptOffers: ResolverOffers {
    let registry: Registry
    /// Has the last word on a version that would become active again.
    let permit: (PluginBundle, Manifest) throws(AtriumError) -> Void

    func versions(of identifier: String) throws(AtriumError) -> [SemanticVersion] {
        try registry.installed(identifier)?.previous.map { [$0.identity.version] } ?? []
    }

    func requireReachable() {}

    func requirements(of identity: BundleIdentity) throws(AtriumError) -> [BundleRequirement] {
        guard let previous = try registry.installed(identity.identifier)?.previous, previous.identity == identity else {
            throw AtriumError(.bundleUnavailable, identity.description, detail: "it is not kept")
        }
        let manifest = try registry.manifest(of: previous)
        try permit(previous, manifest)
        return manifest.requirements
    }
}
