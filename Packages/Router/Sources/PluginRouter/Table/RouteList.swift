public import PluginCore

/// Routes that are asked for together again and again, such as those under one head.
public struct RouteList: Sendable {
    /// The routes.
    public let routes: [Route]
    private let search: PatternSearch

    /// Lists routes; of those with the same shape and priority the first is asked first.
    public init(_ routes: [Route]) {
        self.routes = routes
        search = PatternSearch(routes.map(\.pattern))
    }

    /// The routes that match an address, in the order in which they are asked.
    public func matches(for uri: ResourceURI) -> [RouteMatch] {
        let hits = search.hits(for: uri).sorted { $0.place < $1.place }
        return RouteOrder.sorted(hits.map { RouteMatch(routes[$0.place], $0.form, lease: nil, uri) }, for: uri)
    }

    /// The routes of several lists that match an address, in the order in which they are asked. A route may be in more than
    /// one of the lists, and comes once; no two routes may have the same shape.
    public static func matches(in lists: [RouteList], for uri: ResourceURI) -> [RouteMatch] {
        if lists.count == 1 { return lists[0].matches(for: uri) }
        var shapes: Set<String> = []
        let matches = lists.flatMap { $0.matches(for: uri) }.filter { shapes.insert($0.form.shape).inserted }
        return RouteOrder.sorted(matches, for: uri)
    }
}
