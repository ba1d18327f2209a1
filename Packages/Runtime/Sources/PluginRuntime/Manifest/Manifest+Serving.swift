public import PluginCore
public import PluginRouter

extension Manifest {
    /// Whether a bundle with this manifest would serve an address for certain.
    public func serves(_ query: RouteQuery) -> Bool {
        routes.contains { declaration in
            (try? Route(declaration, owner: identity.identifier)).map(query.isServed) ?? false
        }
    }
}
