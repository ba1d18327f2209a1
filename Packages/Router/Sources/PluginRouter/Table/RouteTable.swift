import PluginCore

/// The routes that code has registered, as a value that a writer replaces.
///
/// They are in levels, each a few times as large as all behind it. A new route is a level of its own, which takes in those
/// before it that are not much larger; so a writer seldom touches the large ones, and their trees stay as they are.
struct RouteTable: Sendable {
    /// A route, and the lease that holds it.
    struct Entry: Sendable {
        let route: Route
        let lease: Lease
    }

    /// How many times as large a level is as the next, at least.
    private static let growth = 4

    private var levels: [RouteLevel] = []

    /// Adds a route under a lease.
    ///
    /// - Throws: ``AtriumError`` with code `routeConflict` when a route of the same canonical key is there.
    mutating func insert(_ route: Route, under lease: Lease) throws(AtriumError) {
        for expansion in route.pattern.expansions {
            guard let other = entry(withKey: expansion.canonicalKey)?.route else { continue }
            throw .routeConflict(route.pattern, of: route.owner, with: other.pattern, of: other.owner, at: expansion)
        }
        var count = 1
        let kept = levels.lastIndex { level in
            if level.entries.count >= Self.growth * count { return true }
            count += level.entries.count
            return false
        }
        let merged = levels[(kept.map { $0 + 1 } ?? 0)...]
        let level = RouteLevel(merging: merged, with: Entry(route: route, lease: lease))
        levels.removeLast(merged.count)
        levels.append(level)
    }

    /// Removes the route of that pattern if the lease holds it.
    mutating func remove(_ pattern: RoutePattern, under lease: Lease) {
        guard let entry = entry(withKey: pattern.expansions[0].canonicalKey), entry.lease == lease,
            Set(entry.route.pattern.canonicalKeys) == Set(pattern.canonicalKeys)
        else { return }
        levels = levels.compactMap { level in level.removing { $0.route === entry.route } }
    }

    /// Removes everything that the lease holds.
    mutating func removeAll(under lease: Lease) {
        levels = levels.compactMap { level in level.removing { $0.lease == lease } }
    }

    /// The routes that match an address, each once, in no order.
    func matches(for uri: ResourceURI) -> [RouteMatch] {
        levels.count == 1 ? levels[0].matches(for: uri) : levels.flatMap { $0.matches(for: uri) }
    }

    /// The routes with the first segment of an address, sorted by pattern, for explaining why they do not match.
    func candidates(for uri: ResourceURI) -> [Route] {
        let firstSegments = Set(RoutePattern.firstSegments(matching: uri))
        return routes.filter { !firstSegments.isDisjoint(with: $0.pattern.firstSegments) }
            .sorted { $0.pattern.text.precedesInBytes($1.pattern.text) }
    }

    /// All routes, unsorted.
    var routes: [Route] { levels.flatMap(\.entries).map(\.route) }

    private func entry(withKey key: String) -> Entry? {
        for level in levels {
            if let entry = level.entriesByKey[key] { return entry }
        }
        return nil
    }
}
