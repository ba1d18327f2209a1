public import PluginCore

/// A route that matches an address, with what it captured.
public struct RouteMatch: Sendable {
    /// The route.
    public let route: Route
    /// The captures of the route's pattern.
    public let captures: RouteCaptures
    /// The expansion of the pattern that matches.
    let expansion: RoutePattern.Expansion
    /// The lease that a route in code belongs to; `nil` for a route that a manifest declares.
    let lease: Lease?

    /// Pairs a route with how its pattern matches the address.
    public init(_ route: Route, _ match: PatternMatch) {
        self.init(route, match.expansion, match.captures, lease: nil)
    }

    init(_ route: Route, _ expansion: RoutePattern.Expansion, _ captures: RouteCaptures, lease: Lease?) {
        self.route = route
        self.captures = captures
        self.expansion = expansion
        self.lease = lease
    }

    /// The matches of several sources in the order in which they are asked.
    ///
    /// Of the same canonical key and priority those of an earlier source come first.
    public static func joined(_ sources: [RouteMatch]..., for uri: ResourceURI) -> [RouteMatch] {
        RouteOrder.sorted(sources.flatMap(\.self), for: uri)
    }

    /// The request as the bundle and the interceptors before it see it.
    func request(_ request: RouteRequest) -> ResourceRequest {
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
