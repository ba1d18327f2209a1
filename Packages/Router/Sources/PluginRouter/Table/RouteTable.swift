import PluginCore

/// The routes that code has registered, as a value that a writer replaces.
///
/// They are in levels, each a few times as large as all behind it. A new route is a level of its own, which takes in those
/// before it that are not much larger; so a writer seldom touches the large ones, and their trees stay as they are.
struct RouteTable: Sendable {
    /// How many times as large a level is as the next, at least.
    private static let growth = 4

    private var levels: [RouteLevel] = []

    /// Adds a route of a lease.
    ///
    /// A route of the same canonical key is removed if its addresses belong less closely to its bundle, so that the order of registration
    /// does not matter.
    ///
    /// - Throws: ``AtriumError`` with code `routeConflict` when another route of the same canonical key is there.
    mutating func insert(_ route: Route) throws(AtriumError) {
        var displaced: [Route] = []
        for expansion in route.pattern.expansions {
            guard let other = self.route(withKey: expansion.canonicalKey) else { continue }
            guard other.claim < route.claim, other.owner != route.owner else {
                throw .routeConflict(
                    route.pattern, of: route.owner, with: other.pattern, of: other.owner, at: expansion)
            }
            displaced.append(other)
        }
        for other in displaced { levels = levels.compactMap { level in level.removing { $0 === other } } }
        var count = 1
        let kept = levels.lastIndex { level in
            if level.routes.count >= Self.growth * count { return true }
            count += level.routes.count
            return false
        }
        let merged = levels[(kept.map { $0 + 1 } ?? 0)...]
        let level = RouteLevel(merging: merged, with: route)
        levels.removeLast(merged.count)
        levels.append(level)
    }

    /// Removes the route of that pattern if it belongs to the lease.
    mutating func remove(_ pattern: RoutePattern, under lease: Lease) {
        guard let route = route(withKey: pattern.expansions[0].canonicalKey), route.lease == lease,
            Set(route.pattern.canonicalKeys) == Set(pattern.canonicalKeys)
        else { return }
        levels = levels.compactMap { level in level.removing { $0 === route } }
    }

    /// Removes the routes of a lease.
    mutating func removeAll(under lease: Lease) {
        levels = levels.compactMap { level in level.removing { $0.lease == lease } }
    }

    /// The routes that match an address, each once, in no order.
    func matches(for uri: ResourceURI) -> SmallArray<RouteMatch> {
        if levels.count == 1 { return levels[0].matches(for: uri) }
        return SmallArray(levels.lazy.map { $0.matches(for: uri) }.joined())
    }

    /// The routes with the first segment of an address, sorted by pattern, for explaining why they do not match.
    func candidates(for uri: ResourceURI) -> [Route] {
        let firstSegments = Set(RoutePattern.firstSegments(matching: uri))
        return routes.filter { !firstSegments.isDisjoint(with: $0.pattern.firstSegments) }
            .sorted { $0.pattern.text.precedesInBytes($1.pattern.text) }
    }

    /// All routes, unsorted.
    var routes: [Route] { levels.flatMap(\.routes) }

    private func route(withKey key: String) -> Route? {
        for level in levels {
            if let route = level.routesByKey[key] { return route }
        }
        return nil
    }
}
