import PluginCore

/// The routes that code has registered: a value that a writer replaces and a reader keeps as long as it likes.
///
/// They are in levels, each a few times as large as all behind it. A new route is a level of its own, which takes in those
/// before it that are not much larger; so a writer seldom touches the large ones, and their matchers stay as they are.
struct RouteTable: Sendable {
    /// A route, and what it is held by. An object, so that levels are put together without copying routes.
    final class Entry: Sendable {
        let route: Route
        let lease: Lease

        init(_ route: Route, _ lease: Lease) {
            self.route = route
            self.lease = lease
        }
    }

    /// How many times as large a level is as the next, at least.
    private static let growth = 4

    private var levels: [RouteLevel] = []

    /// Adds a route under a lease.
    ///
    /// - Throws: ``AtriumError`` with code `routeConflict` when a route of the same shape is there.
    mutating func insert(_ route: Route, under lease: Lease) throws(AtriumError) {
        for form in route.pattern.forms {
            guard let other = entry(ofShape: form.shape)?.route else { continue }
            throw .routeConflict(route.pattern, of: route.owner, with: other.pattern, of: other.owner, at: form)
        }
        var count = 1
        let kept = levels.lastIndex { level in
            if level.entries.count >= Self.growth * count { return true }
            count += level.entries.count
            return false
        }
        let merged = levels[(kept.map { $0 + 1 } ?? 0)...]
        let level = RouteLevel(merging: merged, with: Entry(route, lease))
        levels.removeLast(merged.count)
        levels.append(level)
    }

    /// Takes away the route of that shape when it is held by the lease.
    mutating func remove(_ pattern: RoutePattern, under lease: Lease) {
        guard let entry = entry(ofShape: pattern.forms[0].shape), entry.lease == lease,
            Set(entry.route.pattern.shapes) == Set(pattern.shapes)
        else { return }
        levels = levels.compactMap { level in level.removing { $0 === entry } }
    }

    /// Takes away everything that the lease holds.
    mutating func removeAll(under lease: Lease) {
        levels = levels.compactMap { level in level.removing { $0.lease == lease } }
    }

    /// The routes that match an address, each once, in no order.
    func matches(for uri: ResourceURI) -> [RouteMatch] {
        levels.flatMap { $0.matches(for: uri) }
    }

    /// The routes that start like the address, each once, in an order that does not depend on that of registration; for
    /// telling why they do not match.
    func candidates(for uri: ResourceURI) -> [Entry] {
        let heads = Set(RoutePattern.heads(matching: uri))
        return levels.flatMap(\.entries).filter { !heads.isDisjoint(with: $0.route.pattern.heads) }
            .sorted { $0.route.pattern.text.precedesInBytes($1.route.pattern.text) }
    }

    /// All routes, unsorted.
    var routes: [Route] { levels.flatMap(\.entries).map(\.route) }

    private func entry(ofShape shape: String) -> Entry? {
        for level in levels {
            if let entry = level.entriesByShape[shape] { return entry }
        }
        return nil
    }
}
