public import PluginCore

/// A route that matches an address.
public struct RouteMatch: Sendable {
    /// The route.
    public let route: Route
    /// The index of the expansion of the route's pattern that matches.
    private let expansionIndex: Int

    /// Pairs a route with the match of its pattern.
    public init(_ route: Route, _ match: PatternMatch) {
        self.route = route
        expansionIndex = match.expansion
    }

    /// The expansion of the pattern that matches.
    var expansion: RoutePattern.Expansion { route.pattern.expansions[expansionIndex] }

    /// Returns what the route captures from the address that it matches.
    public func captures(from uri: ResourceURI) -> RouteCaptures { RouteCaptures(uri, expansion) }

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
