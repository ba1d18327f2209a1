import PluginCore

/// One request on its way through the router.
struct RouteRequest: Sendable {
    let uri: ResourceURI
    let userInfo: ActionParameters
    let presentation: Presentation
    let origin: RequestOrigin
    /// The kinds of routes that would do.
    let kinds: Set<RouteKind>
    /// A Boolean value that indicates whether it stands in for one that nobody served; then nothing stands in for it.
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

    /// The same request for another address.
    func redirected(to uri: ResourceURI, asFallback: Bool = false) -> RouteRequest {
        var request = RouteRequest(uri, as: kinds, for: origin, userInfo: userInfo, presentation: presentation)
        request.isFallback = isFallback || asFallback
        return request
    }

    /// What the router looks for.
    var query: RouteQuery { RouteQuery(uri, as: kinds, for: origin) }
}
