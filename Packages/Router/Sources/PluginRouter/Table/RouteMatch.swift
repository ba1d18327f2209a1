public import PluginCore

/// A route that matches an address, with what it captured.
public struct RouteMatch: Sendable {
    /// The route.
    public let route: Route
    /// What its pattern captured.
    public let captures: RouteCaptures
    /// The form of the pattern that matches.
    let form: RoutePattern.Form
    /// What a route in code is held by; `nil` for one that a manifest declares.
    let lease: Lease?

    init(_ route: Route, _ form: RoutePattern.Form, lease: Lease?, _ uri: ResourceURI) {
        self.route = route
        self.form = form
        self.lease = lease
        captures = form.captures(from: uri)
    }

    /// Several sources' matches as one, in the order in which they are asked; of the same shape and priority those of an earlier
    /// source come first.
    public static func joined(_ sources: [RouteMatch]..., for uri: ResourceURI) -> [RouteMatch] {
        RouteOrder.sorted(sources.flatMap(\.self), for: uri)
    }

    /// What the bundle, and who judges the request before it, get to see of one.
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
