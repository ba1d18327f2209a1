import PluginCore

/// A request that the router handles.
struct RouteRequest: Sendable {
    let uri: ResourceURI
    let userInfo: ActionParameters
    let presentation: Presentation
    let origin: RequestOrigin
    /// The accepted kinds of routes.
    let kinds: Set<RouteKind>
    /// A Boolean value that indicates whether the request is a fallback, for which there is no further fallback.
    private(set) var isFallback = false

    init(
        _ uri: ResourceURI, as kinds: Set<RouteKind>, for origin: RequestOrigin, userInfo: ActionParameters = [:],
        presentation: Presentation = .push
    ) {
        self.uri = uri
        self.userInfo = userInfo
        self.presentation = presentation
        self.origin = origin
        self.kinds = kinds
    }

    /// Returns the same request for another address.
    func redirected(to uri: ResourceURI, asFallback: Bool = false) -> RouteRequest {
        var request = RouteRequest(uri, as: kinds, for: origin, userInfo: userInfo, presentation: presentation)
        request.isFallback = isFallback || asFallback
        return request
    }

    /// The criteria for routes.
    var query: RouteQuery { RouteQuery(uri, as: kinds, for: origin) }
}
