public import PluginCore
public import PluginRouter

extension Manifest {
    /// Returns whether a bundle with this manifest certainly handles an address.
    ///
    /// - Parameter converters: the types that a pattern's captures may have.
    public func serves(_ query: RouteQuery, converters: RouteConverters) -> Bool {
        routes.contains { declaration in
            let route = try? Route(declaration, owner: identity.identifier.text, converters: converters)
            return route.map(query.isServed) ?? false
        }
    }
}
