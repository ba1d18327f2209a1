import PluginCore

/// The routes that code has registered, as a value that a writer replaces.
struct RouteTable: Sendable {
    private var list = RouteList([])

    /// All routes, unsorted.
    var routes: [Route] { list.routes }

    /// Adds a route of a lease.
    ///
    /// A route of the same canonical key is removed if its addresses belong less closely to its bundle, so that the order of registration
    /// does not matter.
    ///
    /// - Throws: ``AtriumError`` with code `routeConflict` when another route of the same canonical key is there.
    mutating func insert(_ route: Route) throws(AtriumError) {
        var displaced: [Route] = []
        for expansion in route.pattern.expansions {
            guard let other = list.route(like: expansion) else { continue }
            guard other.claim < route.claim, other.owner != route.owner else {
                throw .routeConflict(
                    route.pattern, of: route.owner, with: other.pattern, of: other.owner, at: expansion)
            }
            displaced.append(other)
        }
        if !displaced.isEmpty { list.removeAll { route in displaced.contains { $0 === route } } }
        list.append(route)
    }

    /// Removes the route of that pattern if it belongs to the lease.
    mutating func remove(_ pattern: RoutePattern, under lease: Lease) {
        guard let route = list.route(like: pattern.expansions[0]), route.lease == lease,
            Set(route.pattern.canonicalKeys) == Set(pattern.canonicalKeys)
        else { return }
        list.removeAll { $0 === route }
    }

    /// Removes the routes of a lease.
    mutating func removeAll(under lease: Lease) {
        list.removeAll { $0.lease == lease }
    }

    /// The routes that match an address, each once.
    func matches(for uri: ResourceURI) -> [RouteMatch] { list.matches(for: uri) }

    /// The routes with the first segment of an address, for explaining why they do not match.
    func candidates(for uri: ResourceURI) -> [Route] {
        let firstSegments = Set(RoutePattern.firstSegments(matching: uri))
        return routes.filter { !firstSegments.isDisjoint(with: $0.pattern.firstSegments) }
    }
}
