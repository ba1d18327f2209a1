public import PluginCore

/// A route that matches an address.
public struct RouteMatch: Sendable {
    /// The route.
    public let route: Route
    /// The match of the route's pattern, and the index that it belongs to.
    private let match: PatternMatch
    private let index: PatternIndex

    /// Pairs a route with the match of its pattern in an index.
    public init(_ route: Route, _ match: PatternMatch, in index: PatternIndex) {
        self.route = route
        self.match = match
        self.index = index
    }

    /// The expansion of the pattern that matches.
    var expansion: RoutePattern.Expansion { index.expansion(of: match) }

    /// Returns what the route captures from the address that it matches.
    public func captures(from uri: ResourceURI) -> RouteCaptures { RouteCaptures(uri, match, of: index) }

    /// The matches of several sources in the order in which they are asked.
    ///
    /// Of the same canonical key and priority those of an earlier source come first.
    public static func joined(
        _ sources: SmallArray<RouteMatch>..., for uri: ResourceURI
    ) -> SmallArray<RouteMatch> {
        RouteOrder.sorted(SmallArray(sources.joined()), for: uri)
    }

    /// The request as the bundle and the interceptors before it see it.
    func request(_ request: RouteRequest) -> ResourceRequest {
        let captures = captures(from: request.uri)
        // A pattern that takes the fragment takes the fragment's query as well.
        let uri = captures.takesFragment ? request.uri.addingFragmentParameters() : request.uri
        let name =
            switch route.service {
            case .declared(let name, _): name
            case .code: route.pattern.text
            }
        return ResourceRequest(
            uri: uri.adding(route.parameters), name: name, captures: captures.values,
            rest: captures.rest?.segments ?? [], userInfo: request.userInfo, origin: request.origin
        )
    }
}
