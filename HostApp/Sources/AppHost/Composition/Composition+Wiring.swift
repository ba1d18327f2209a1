public import PluginCore
import PluginRouter
public import PluginRuntime

extension ComposedRoutes {
    /// Creates a manager whose router and mediator work by this composition, including its guards and fallbacks.
    ///
    /// - Parameters:
    ///   - navigator: shows pages.
    ///   - make: creates the manager with the given handling of requests.
    /// - Throws: ``AtriumError`` if a guard or a fallback of the composition cannot be registered.
    public func manager(
        showingPagesOn navigator: any Navigator, _ make: (HostRouting) -> BundleManager
    ) throws(AtriumError) -> BundleManager {
        var routing = HostRouting(navigator)
        routing.directory = { ComposedDirectory(composed: self, registry: $0) }
        routing.onDemandProvider = { ComposedOnDemandProvider(composed: self, installer: $0) }
        routing.rules = rules.map(\.route)
        let manager = make(routing)
        try composition.stand(before: manager.router, manager.mediator)
        return manager
    }
}

extension Composition {
    /// Registers the guards and fallbacks of the composition with a router.
    ///
    /// - Parameter mediator: performs the guards.
    func stand(before router: Router, _ mediator: any Mediating) throws(AtriumError) {
        for check in guards { try router.intercept(.everything, by: RouteGuard(check, mediator)) }
        for scheme in schemes {
            for check in scheme.guards { try router.intercept(.scheme(scheme.name), by: RouteGuard(check, mediator)) }
            if let address = scheme.fallback { try router.fallback(.scheme(scheme.name), to: .address(address)) }
        }
        for member in bundles {
            for check in member.guards { try router.intercept(.bundle(member.pkg), by: RouteGuard(check, mediator)) }
        }
        for fallback in fallbacks {
            try router.fallback(.pattern(fallback.pattern.text), to: .address(fallback.address))
        }
        if let fallback { try router.fallback(.everything, to: .address(fallback)) }
    }
}
