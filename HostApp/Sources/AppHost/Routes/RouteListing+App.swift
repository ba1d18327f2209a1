import PluginCore
import PluginRouter
import PluginRuntime

extension RouteListing {
    /// The routes that the installed bundles and the composition declare. No plugin's code is loaded for them.
    ///
    /// - Throws: ``AtriumError`` with code `registryDamaged` and the like.
    init(of composed: ComposedRoutes, _ registry: Registry) throws {
        let rules = try ComposedDirectory(composed: composed, registry: registry).rules()
        self.init(
            rules.map { Line($0.rule, from: "bundle.json", isInstalled: $0.isInstalled) }
                + (try registry.routes().map { Line($0, from: "manifest", isInstalled: true) })
        )
    }
}

extension RouteListing.Line {
    fileprivate init(_ route: Route, from source: String, isInstalled: Bool) {
        var (name, layout) = ("", String?.none)
        if case .declared(let served, let described) = route.service { (name, layout) = (served, described) }
        self.init(
            pattern: route.pattern.text, source: source, kind: route.kind.rawValue, owner: route.owner, name: name,
            layout: layout, exposure: route.exposure.rawValue, priority: route.priority, interceptors: route.guards,
            parameters: route.parameters.encoded, isInstalled: isInstalled
        )
    }
}
