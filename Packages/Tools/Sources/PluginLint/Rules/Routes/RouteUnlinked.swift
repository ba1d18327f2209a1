import Console
import PluginCore
import PluginRouter

extension LintRule {
    static let routeUnlinked = LintRule(
        "route-unlinked", .warning, "only the plugin itself may open a route, but no layout and no code does",
        remedy: "link to the route, expose it to plugins, or remove it"
    ) { subject in
        guard let manifest = subject.manifest, let usage = SourceUsage(of: subject) else { return [] }
        let linked = links(in: subject).flatMap(\.samples)
        return manifest.routes.enumerated().compactMap { index, declaration in
            guard declaration.exposure == .internal, !usage.mentions(declaration.pattern),
                !usage.mentions("app://" + declaration.pattern),
                let route = RouteCoverage.route(declaration, of: manifest),
                !linked.contains(where: { !RouteList([route]).matches(for: $0).isEmpty })
            else { return nil }
            return Problem("routes[\(index)]", "nothing in the plugin opens \(quoted(declaration.pattern))")
        }
    }
}
