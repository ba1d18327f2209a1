public import PluginCore
public import PluginRouter
public import PluginRuntime

extension ComposedRoutes {
    /// Connects a router and a mediator for this app to a manager.
    ///
    /// Call this once, before any bundle is loaded.
    ///
    /// - Throws: ``AtriumError`` if a guard or a fallback of the composition cannot be registered.
    public func connect(
        _ manager: BundleManager, to navigator: any Navigator
    ) async throws -> (router: Router, mediator: Mediator) {
        let (router, mediator) = await manager.connect(
            navigator, directory: ComposedDirectory(composed: self, registry: manager.registry),
            onDemandProvider: ComposedOnDemandProvider(composed: self, manager: manager), rules: rules.map(\.route)
        )
        try composition.stand(before: router, mediator)
        return (router, mediator)
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
