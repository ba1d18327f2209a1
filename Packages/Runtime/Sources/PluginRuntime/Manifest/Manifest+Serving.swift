public import PluginCore
import PluginRouter

extension Manifest {
    /// Whether a bundle with this manifest would serve an address by a route of one of these kinds.
    public func serves(_ uri: ResourceURI, as kinds: Set<RouteKind>) -> Bool {
        routes.contains { route in
            kinds.contains(route.kind) && (try? RoutePattern(route.pattern))?.captures(from: uri) != nil
        }
    }
}
