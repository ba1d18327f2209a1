import PluginCore

/// The routes that code has registered: a value that a writer replaces and a reader keeps as long as it likes.
struct RouteTable: Sendable {
    /// A route, and what it is held by.
    struct Entry: Sendable {
        let route: Route
        let lease: Lease
    }

    /// Keys count up; a route has one, however many heads and shapes its pattern has.
    private var entries: [Int: Entry] = [:]
    private var keysByHead: [String: [Int]] = [:]
    private var keysByShape: [String: Int] = [:]
    private var nextKey = 0

    /// Adds a route under a lease.
    ///
    /// - Throws: ``AtriumError`` with code `routeConflict` when a route of the same shape is there.
    mutating func insert(_ route: Route, under lease: Lease) throws(AtriumError) {
        for form in route.pattern.forms {
            guard let key = keysByShape[form.shape], let other = entries[key]?.route else { continue }
            throw .routeConflict(route.pattern, of: route.owner, with: other.pattern, of: other.owner, at: form)
        }
        entries[nextKey] = Entry(route: route, lease: lease)
        for head in route.pattern.heads { keysByHead[head, default: []].append(nextKey) }
        for shape in route.pattern.shapes { keysByShape[shape] = nextKey }
        nextKey += 1
    }

    /// Takes away the route of that shape when it is held by the lease.
    mutating func remove(_ pattern: RoutePattern, under lease: Lease) {
        guard let key = keysByShape[pattern.forms[0].shape], let entry = entries[key], entry.lease == lease,
            Set(entry.route.pattern.shapes) == Set(pattern.shapes)
        else { return }
        remove(key)
    }

    /// Takes away everything that the lease holds.
    mutating func removeAll(under lease: Lease) {
        for (key, entry) in entries where entry.lease == lease { remove(key) }
    }

    /// The routes that could match, each once, in an order that does not depend on that of registration.
    func candidates(for uri: ResourceURI) -> [Entry] {
        Set(RoutePattern.heads(matching: uri).flatMap { keysByHead[$0] ?? [] }).compactMap { entries[$0] }
            .sorted { $0.route.pattern.text.precedesInBytes($1.route.pattern.text) }
    }

    /// All routes, unsorted.
    var routes: [Route] { entries.values.map(\.route) }

    private mutating func remove(_ key: Int) {
        guard let pattern = entries.removeValue(forKey: key)?.route.pattern else { return }
        for shape in pattern.shapes { keysByShape[shape] = nil }
        for head in pattern.heads {
            keysByHead[head]?.removeAll { $0 == key }
            if keysByHead[head]?.isEmpty == true { keysByHead[head] = nil }
        }
    }
}
