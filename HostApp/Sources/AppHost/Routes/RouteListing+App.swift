import Registry
import PluginCore
import PluginRouter
import PluginRuntime

extension RouteListing {
    /// Lists the routes that the installed bundles and the composition declare, without loading plugin code.
    ///
    /// - Throws: ``AtriumError`` with code `registryDamaged` and other codes of the registry.
    init(of composed: ComposedRoutes, _ registry: Registry) throws {
        let rules = try ComposedDirectory(composed: composed, registry: registry).rules()
        let composition = composed.composition
        self.init(
            rules.map { Line($0.rule, from: "bundle.json", in: composition, isInstalled: $0.isInstalled) }
                + (try registry.routes.all().map { Line($0, from: "manifest", in: composition, isInstalled: true) }),
            fallbacks: composition.allFallbacks
        )
    }
}

extension RouteListing.Line {
    fileprivate init(_ route: Route, from source: String, in composition: Composition, isInstalled: Bool) {
        var (name, layout) = ("", String?.none)
        if case .declared(let served, let described) = route.service { (name, layout) = (served, described) }
        self.init(
            pattern: route.pattern.text, source: source, kind: route.kind.rawValue, owner: route.owner, name: name,
            layout: layout, exposure: route.exposure.rawValue, priority: route.priority,
            interceptors: composition.guards(before: route), deadline: route.deadline.map { $0 / .seconds(1) },
            mayDecline: route.mayDecline,
            parameters: route.parameters.encoded, isInstalled: isInstalled
        )
    }
}

extension Composition {
    fileprivate var allFallbacks: [RouteListing.Fallback] {
        fallbacks.map { RouteListing.Fallback(of: $0.pattern.text, to: $0.address.text) }
            + schemes.compactMap { scheme in
                scheme.fallback.map { RouteListing.Fallback(of: scheme.name + "://", to: $0.text) }
            } + (fallback.map { [RouteListing.Fallback(of: "", to: $0.text)] } ?? [])
    }

    /// Returns the guards of a route in the order in which they run.
    ///
    /// If the pattern has no scheme, the guards of schemes are listed with the name of their scheme.
    fileprivate func guards(before route: Route) -> [String] {
        let ofSchemes = schemes.flatMap { scheme -> [String] in
            guard let wanted = route.pattern.scheme else { return scheme.guards.map { "\(scheme.name): \($0)" } }
            return wanted == scheme.name ? scheme.guards : []
        }
        let ofBundle = bundles.filter { $0.pkg == route.owner }.flatMap(\.guards)
        return guards + ofSchemes + ofBundle + route.guards
    }
}
