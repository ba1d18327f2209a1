public import PluginCore

/// A search for a route: the address, the kinds of routes, and the caller.
public struct RouteQuery: Sendable {
    /// The address.
    public let uri: ResourceURI
    /// The kinds of routes that would do.
    public let kinds: Set<RouteKind>
    /// The caller.
    public let origin: RequestOrigin

    /// Joins what is looked for.
    public init(_ uri: ResourceURI, as kinds: Set<RouteKind>, for origin: RequestOrigin) {
        self.uri = uri
        self.kinds = kinds
        self.origin = origin
    }

    /// The kinds of routes that opening reaches; the others are asked for as objects.
    public static let opened: Set<RouteKind> = [.page, .handler]

    /// The kinds of routes that have a page. Of an address whose page is asked for, opening it must show that page.
    public static let shown: Set<RouteKind> = [.page]

    /// A Boolean value that indicates whether the route is the one that opening the address takes.
    var isOpening: Bool { kinds.contains(.page) }

    /// Returns whether a route that has no page ends the search for one, because opening the address would take it.
    func isBlocked(by route: Route) -> Bool { kinds == Self.shown && route.kind == .handler }

    /// Returns whether a route would serve the address for certain, so that its bundle may be installed for it: not one that may
    /// decline.
    public func isServed(by route: Route) -> Bool {
        !route.mayDecline && obstacles(to: route).isEmpty && route.pattern.expansion(matching: uri) != nil
    }

    /// The reason why a route that matches is not asked.
    func obstacles(to route: Route) -> Obstacles {
        var obstacles: Obstacles = []
        if !kinds.contains(route.kind) { obstacles.insert(.kind) }
        if !route.exposure.admits(origin, owner: route.owner) { obstacles.insert(.exposure) }
        return obstacles
    }

    struct Obstacles: OptionSet {
        let rawValue: Int
        static let kind = Obstacles(rawValue: 1)
        static let exposure = Obstacles(rawValue: 2)
    }
}
