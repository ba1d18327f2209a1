public import PluginCore

/// Routes that are looked up together, such as those with the same first segment.
///
/// ```swift
/// let list = RouteList([try Route(declaration, owner: "com.example.shop")])
/// let uri = try ResourceURI("app://shop/item/42")
/// list.matches(for: uri).first?.captures(from: uri).values["id"]    // "42"
/// ```
public struct RouteList: Sendable {
    /// The routes.
    public let routes: [Route]
    /// The same routes. The list retains them, so reading captures need not.
    private let unretainedRoutes: [Unmanaged<Route>]
    private let index: PatternIndex

    /// Lists routes; of those with the same canonical key and priority the first is asked first.
    public init(_ routes: [Route]) {
        self.routes = routes
        unretainedRoutes = routes.map(Unmanaged.passUnretained)
        index = PatternIndex(routes.map(\.pattern))
    }

    /// Lists routes of which no two may have a canonical key in common.
    ///
    /// - Throws: ``AtriumError`` with code `routeConflict`, with both owners and an address.
    public init(withoutConflicts routes: [Route]) throws(AtriumError) {
        var routesByKey: [String: Route] = [:]
        for route in routes {
            for expansion in route.pattern.expansions {
                guard let other = routesByKey.updateValue(route, forKey: expansion.canonicalKey) else { continue }
                throw .routeConflict(
                    route.pattern, of: route.owner, with: other.pattern, of: other.owner, at: expansion)
            }
        }
        self.init(routes)
    }

    /// The routes that match an address, in the order in which they are asked.
    public func matches(for uri: ResourceURI) -> SmallArray<RouteMatch> {
        let matches = unsortedMatches(for: uri)
        return matches.count < 2 ? matches : RouteOrder.sorted(matches, for: uri)
    }

    /// The routes that match an address, each once, in no order.
    func unsortedMatches(for uri: ResourceURI) -> SmallArray<RouteMatch> {
        matches(for: uri.components, in: uri.text.utf8.span).mapped { RouteMatch(routes[$0.index], $0) }
    }

    /// The matches of an address as indices of ``routes``, in no order.
    ///
    /// - Parameters:
    ///   - address: The parts of the address.
    ///   - text: The address in UTF-8.
    public func matches(for address: ResourceURI.Components, in text: Span<UInt8>) -> SmallArray<PatternMatch> {
        index.matches(for: address, in: text)
    }

    /// Calls a closure with the name and the decoded text, in UTF-8, of each capture of an address that a route matches.
    ///
    /// See ``RouteCaptures/forEach(_:)``.
    public func forEachCapture(
        of match: PatternMatch, from address: ResourceURI.Components, in text: Span<UInt8>,
        _ body: (_ name: String, _ text: Span<UInt8>) -> Void
    ) {
        unretainedRoutes[match.index]._withUnsafeGuaranteedRef { route in
            route.pattern.withExpansion(match.expansion) { $0.forEachCapture(of: address, in: text, body) }
        }
    }

    /// The routes of several lists that match an address, in the order in which they are asked.
    ///
    /// A route may be in more than one of the lists, and comes once; no two routes may have the same canonical key.
    public static func matches(in lists: [RouteList], for uri: ResourceURI) -> SmallArray<RouteMatch> {
        if lists.count == 1 { return lists[0].matches(for: uri) }
        let matches = SmallArray(lists.lazy.map { $0.unsortedMatches(for: uri) }.joined())
        if matches.count < 2 { return matches }
        var keys: Set<String> = []
        let distinct = matches.filter { keys.insert($0.expansion.canonicalKey).inserted }
        return RouteOrder.sorted(SmallArray(distinct), for: uri)
    }
}
