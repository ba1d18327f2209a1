public import PluginCore
public import PluginRouter
public import PluginRuntime

extension ComposedRoutes {
    /// Puts router and mediator on top of a manager, so that they serve this app; call it once, before any bundle is loaded.
    ///
    /// - Throws: ``AtriumError`` when a guard or fallback of the composition cannot be put in place.
    public func connect(
        _ manager: BundleManager, to navigator: any Navigator
    ) async throws -> (router: Router, mediator: Mediator) {
        let (router, mediator) = await manager.connect(
            navigator, directory: ComposedDirectory(composed: self, registry: manager.registry),
            supply: ComposedSupply(composed: self, manager: manager), rules: rules.map(\.route)
        )
        try composition.stand(before: router, mediator)
        return (router, mediator)
    }
}

extension Composition {
    /// Puts before a router's routes, and behind what nobody serves, what the composition says.
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
