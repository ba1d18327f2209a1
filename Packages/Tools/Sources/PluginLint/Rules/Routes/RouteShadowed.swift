import Console
import PluginCore
import PluginRouter

extension LintRule {
    static let routeShadowed = LintRule(
        "route-shadowed", .error, "another route of the plugin is always chosen instead of a route",
        remedy: "remove the route, or change its pattern or a priority"
    ) { subject in
        guard let manifest = subject.manifest else { return [] }
        let list = RouteCoverage.list(of: [manifest])
        return list.routes.compactMap { route in
            let winners = route.pattern.expansions.map { winner(over: $0, of: route, in: list) }
            guard let winner = winners.first ?? nil, winners.allSatisfy({ $0 != nil }) else { return nil }
            return Problem(
                "manifest.json",
                "\(quoted(route.pattern.text)) is never chosen, because \(quoted(winner.pattern.text)) comes first")
        }
    }

    /// Returns the route that is asked before another one for all addresses of an expansion, and handles them.
    private static func winner(
        over expansion: RoutePattern.Expansion, of route: Route, in list: RouteList
    ) -> Route? {
        let example = expansion.scheme == nil ? "app://" + expansion.example : expansion.example
        guard let uri = try? ResourceURI(example) else { return nil }
        for match in list.matches(for: uri) {
            if match.route === route { return nil }
            let other = match.route
            guard other.kind == route.kind, !other.mayDecline, isExposed(other.exposure, like: route.exposure),
                other.pattern.expansions.contains(where: { RouteCoverage.covers($0, expansion) })
            else { continue }
            return other
        }
        return nil
    }

    /// Returns whether an exposure admits all callers of another one.
    static func isExposed(_ exposure: Exposure, like other: Exposure) -> Bool {
        let order: [Exposure] = [.internal, .plugins, .external]
        return (order.firstIndex(of: exposure) ?? 0) >= (order.firstIndex(of: other) ?? 0)
    }
}
