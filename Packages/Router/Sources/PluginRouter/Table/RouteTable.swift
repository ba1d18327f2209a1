import PluginCore

/// The routes that code has registered: a value that a writer replaces and a reader keeps as long as it likes.
struct RouteTable: Sendable {
    private struct Entry {
        let route: Route
        let lease: Lease
    }

    private var entries: [String: [Entry]] = [:]

    /// Adds a route under a lease.
    ///
    /// - Throws: ``AtriumError`` with code `routeConflict` when a route of the same shape is there.
    mutating func insert(_ route: Route, under lease: Lease) throws(AtriumError) {
        let siblings = entries[route.pattern.head, default: []]
        if let other = siblings.first(where: { $0.route.pattern.shape == route.pattern.shape }) {
            throw .conflict(route.pattern.text, of: route.owner, with: other.route)
        }
        entries[route.pattern.head, default: []].append(Entry(route: route, lease: lease))
    }

    /// Takes away the route of that shape when it is held by the lease.
    mutating func remove(_ pattern: RoutePattern, under lease: Lease) {
        entries[pattern.head]?.removeAll { $0.lease == lease && $0.route.pattern.shape == pattern.shape }
    }

    /// Takes away everything that the lease holds.
    mutating func removeAll(under lease: Lease) {
        entries = entries.mapValues { $0.filter { $0.lease != lease } }.filter { !$0.value.isEmpty }
    }

    /// The routes that could match, unsorted.
    func candidates(for uri: ResourceURI) -> [Route] {
        RoutePattern.heads(matching: uri).flatMap { entries[$0] ?? [] }.map(\.route)
    }

    /// All routes, unsorted.
    var routes: [Route] { entries.values.joined().map(\.route) }
}

extension AtriumError {
    static func conflict(_ pattern: String, of owner: String, with other: Route) -> AtriumError {
        AtriumError(
            .routeConflict, pattern, detail: "\(owner) and \(other.owner) (\"\(other.pattern.text)\") both serve it"
        )
    }
}
