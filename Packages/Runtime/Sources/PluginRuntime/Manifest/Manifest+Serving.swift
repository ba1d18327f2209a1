public import PluginCore
public import PluginRouter

extension Manifest {
    /// Whether a bundle with this manifest would serve an address by a route of one of these kinds.
    ///
    /// - Parameter converters: the types that a pattern's captures can ask for.
    public func serves(
        _ uri: ResourceURI, as kinds: Set<RouteKind>, converters: RouteConverters
    ) -> Bool {
        routes.contains { route in
            guard kinds.contains(route.kind) else { return false }
            return (try? RoutePattern(route.pattern, converters: converters))?.captures(from: uri) != nil
        }
    }
}
