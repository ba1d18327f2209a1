public import PluginCore

/// Routes that are looked up together, such as those with the same first segment.
///
/// ```swift
/// let list = RouteList([try Route(declaration, owner: "com.example.shop")])
/// let uri = try ResourceURI("app://shop/item/42")
/// list.matches(for: uri).first?.captures(from: uri).values["id"]    // "42"
/// ```
public struct RouteList: Sendable {
    /// The routes.
    public let routes: [Route]
    /// The index of the routes' patterns, in the same order.
    public let index: PatternIndex

    /// Lists routes; of those with the same canonical key and priority the first is asked first.
    public init(_ routes: [Route]) {
        self.routes = routes
        index = PatternIndex(routes.map(\.pattern))
    }

    /// Lists routes of which no two may have a canonical key in common.
    ///
    /// - Throws: ``AtriumError`` with code `routeConflict`, with both owners and an address.
    public init(withoutConflicts routes: [Route]) throws(AtriumError) {
        var routesByKey: [String: Route] = [:]
        for route in routes {
            for expansion in route.pattern.expansions {
                guard let other = routesByKey.updateValue(route, forKey: expansion.canonicalKey) else { continue }
                throw .routeConflict(
                    route.pattern, of: route.owner, with: other.pattern, of: other.owner, at: expansion)
            }
        }
        self.init(routes)
    }

    /// The routes that match an address, in the order in which they are asked.
    public func matches(for uri: ResourceURI) -> SmallArray<RouteMatch> {
        let matches = unsortedMatches(for: uri)
        return matches.count < 2 ? matches : RouteOrder.sorted(matches, for: uri)
    }

    /// The routes that match an address, each once, in no order.
    func unsortedMatches(for uri: ResourceURI) -> SmallArray<RouteMatch> {
        index.matches(for: uri).mapped { RouteMatch(routes[$0.index], $0, in: index) }
    }

    /// The routes of several lists that match an address, in the order in which they are asked.
    ///
    /// A route may be in more than one of the lists, and comes once; no two routes may have the same canonical key.
    public static func matches(in lists: [RouteList], for uri: ResourceURI) -> SmallArray<RouteMatch> {
        if lists.count == 1 { return lists[0].matches(for: uri) }
        let matches = SmallArray(lists.lazy.map { $0.unsortedMatches(for: uri) }.joined())
        if matches.count < 2 { return matches }
        var keys: Set<String> = []
        let distinct = matches.filter { keys.insert($0.expansion.canonicalKey).inserted }
        return RouteOrder.sorted(SmallArray(distinct), for: uri)
    }
}
