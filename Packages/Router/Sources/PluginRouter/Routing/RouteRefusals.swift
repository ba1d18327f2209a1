import PluginCore

/// The reasons why no matching route accepted a request.
struct RouteRefusals {
    /// The owners of the routes that declined, in the order in which they were asked.
    private(set) var declined: [String] = []
    private var isOtherKind = false
    /// The first routes that are not exposed to the caller: one of a requested kind, and one of another kind.
    private var hidden: (wanted: Route?, other: Route?)

    /// Adds a route that was not asked.
    mutating func add(_ route: Route, _ obstacles: RouteQuery.Obstacles) {
        switch obstacles {
        case .kind: isOtherKind = true
        case .exposure: hidden.wanted = hidden.wanted ?? route
        default: hidden.other = hidden.other ?? route
        }
    }

    /// Adds a route that was asked and declined.
    mutating func add(declining route: Route) {
        if !declined.contains(route.owner) { declined.append(route.owner) }
    }

    /// Returns the error if matching routes exist but none was asked. Returns nil otherwise.
    func error(for query: RouteQuery) -> AtriumError? {
        guard declined.isEmpty else { return nil }
        if let wanted = hidden.wanted { return .exposureDenied(query, wanted.exposure) }
        if isOtherKind { return .otherKind(query) }
        // The kind of a route that is not exposed to the caller must not be revealed.
        return hidden.other.map { .exposureDenied(query, $0.exposure) }
    }
}

extension AtriumError {
    /// Returns the error for an address whose route is of another kind.
    static func otherKind(_ query: RouteQuery) -> AtriumError {
        let reason =
            switch query.kinds {
            case RouteQuery.opened: ErrorReason("addressOfObject")
            case RouteQuery.shown: ErrorReason("addressOfNoPage")
            default: ErrorReason("addressOfNoObject")
            }
        return AtriumError(.routeKind, query.uri.text, reason: reason)
    }

    /// Returns the error for an address that is not exposed to the caller.
    static func exposureDenied(_ query: RouteQuery, _ exposure: Exposure) -> AtriumError {
        AtriumError(
            .exposureDenied, query.uri.text,
            reason: "routeExposure", ["exposure": .text(exposure.rawValue), "caller": "\(query.origin)"]
        )
    }
}
