import Registry
import PluginCore
import Resolver

/// The installed bundles in the registry.
struct RegistrySandbox: ResolverSandbox {
    let registry: Registry

    func installed(_ identifier: String) throws(AtriumError) -> Resolver.Installed? {
        guard let bundle = try registry.active.version(of: identifier) else { return nil }
        return Resolver.Installed(
            version: bundle.identity.version, requirements: try registry.requirements.all(of: identifier))
    }

    func dependents(of identifier: String) throws(AtriumError) -> [String] {
        try registry.requirements.dependents(of: identifier)
    }

    func identifiers() throws(AtriumError) -> [String] { try registry.active.identifiers() }
}
