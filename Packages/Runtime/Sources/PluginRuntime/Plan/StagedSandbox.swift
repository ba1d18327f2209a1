import Registry
import Resolver
internal import PluginCore

/// The bundles after the next start of a host: the staged versions, and otherwise the active ones.
struct StagedSandbox: ResolverSandbox {
    private let active: RegistrySandbox
    private let staged: [String: Resolver.Installed]

    init(registry: Registry) throws(AtriumError) {
        active = RegistrySandbox(registry: registry)
        var staged: [String: Resolver.Installed] = [:]
        for bundle in try registry.staged.all() {
            staged[bundle.identity.identifier] = Resolver.Installed(
                version: bundle.identity.version, requirements: try registry.versions.manifest(of: bundle).requirements)
        }
        self.staged = staged
    }

    func installed(_ identifier: String) throws(AtriumError) -> Resolver.Installed? {
        if let staged = staged[identifier] { return staged }
        return try active.installed(identifier)
    }

    func dependents(of identifier: String) throws(AtriumError) -> [String] {
        let staying = try active.dependents(of: identifier).filter { staged[$0] == nil }
        let coming = staged.filter { $0.value.requirements.contains { $0.identifier == identifier } }.map(\.key)
        return (staying + coming).sorted()
    }

    func identifiers() throws(AtriumError) -> [String] {
        Set(try active.identifiers()).union(staged.keys).sorted()
    }
}
