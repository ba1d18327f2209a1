import PluginCore

/// Some of the routes that code has registered; it never changes, so the values of a table share it.
final class RouteLevel: Sendable {
    let routesByKey: [String: Route]
    private let list: RouteList

    var routes: [Route] { list.routes }

    private init(_ routes: [Route], _ routesByKey: [String: Route]) {
        self.routesByKey = routesByKey
        list = RouteList(routes)
    }

    /// All routes of levels, and one more, as one level. No two of them have a canonical key in common.
    convenience init(merging levels: some Collection<RouteLevel>, with route: Route) {
        var routesByKey = levels.first?.routesByKey ?? [:]
        for level in levels.dropFirst() { routesByKey.merge(level.routesByKey) { one, _ in one } }
        for key in route.pattern.canonicalKeys { routesByKey[key] = route }
        self.init(levels.flatMap(\.routes) + [route], routesByKey)
    }

    /// The level without some of its routes; `nil` when none is left.
    func removing(_ goes: (Route) -> Bool) -> RouteLevel? {
        let kept = routes.filter { !goes($0) }
        if kept.count == routes.count { return self }
        return kept.isEmpty ? nil : RouteLevel(kept, routesByKey.filter { !goes($0.value) })
    }

    /// The routes that match an address, each once, in no order.
    func matches(for uri: ResourceURI) -> SmallArray<RouteMatch> { list.unsortedMatches(for: uri) }
}
