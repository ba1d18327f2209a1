import PluginCore

/// Why none of the routes that match took a request.
struct RouteRefusals {
    /// Who owns the routes that declined, in the order in which they were asked.
    private(set) var declined: [String] = []
    private var isOtherKind = false
    /// The first route that is not for who asks: of the kind that is wanted, or of another.
    private var hidden: (wanted: Route?, other: Route?)

    /// A route that was not asked.
    mutating func add(_ route: Route, _ obstacles: RouteQuery.Obstacles) {
        switch obstacles {
        case .kind: isOtherKind = true
        case .exposure: hidden.wanted = hidden.wanted ?? route
        default: hidden.other = hidden.other ?? route
        }
    }

    /// A route that was asked.
    mutating func add(declining route: Route) {
        if !declined.contains(route.owner) { declined.append(route.owner) }
    }

    /// The error for routes that are there and were never asked; `nil` when one was asked, or none is there.
    func error(for query: RouteQuery) -> AtriumError? {
        guard declined.isEmpty else { return nil }
        if let wanted = hidden.wanted { return .exposureDenied(query, wanted.exposure) }
        if isOtherKind { return .otherKind(query) }
        // Of what is hidden from who asks not even the kind is told.
        return hidden.other.map { .exposureDenied(query, $0.exposure) }
    }
}

extension AtriumError {
    /// What an address names is of another kind than who asks wants.
    static func otherKind(_ query: RouteQuery) -> AtriumError {
        let isOpened = query.kinds.contains(.page)
        let detail =
            isOpened ? "it names an object, which code asks for and nobody opens" : "it names no object; open it"
        return AtriumError(.routeKind, query.uri.text, detail: detail)
    }

    /// What an address names is there, and not for who asks.
    static func exposureDenied(_ query: RouteQuery, _ exposure: Exposure) -> AtriumError {
        AtriumError(
            .exposureDenied, query.uri.text,
            detail: "its exposure is \"\(exposure.rawValue)\", and its origin: \(query.origin)"
        )
    }
}
