public import PluginCore

/// A route that matches an address.
public struct RouteMatch: Sendable {
    /// The route.
    public let route: Route
    /// The expansion of the route's pattern that matches.
    package let expansion: RoutePattern.Expansion

    /// Returns what the route captures from the address that it matches.
    public func captures(from uri: ResourceURI) -> RouteCaptures { RouteCaptures(uri, expansion) }

    /// Returns the request for the address that it matches, as the bundle and the interceptors before it see it.
    public func request(
        to uri: ResourceURI, userInfo: ActionParameters, from origin: RequestOrigin
    ) -> ResourceRequest {
        let captures = captures(from: uri)
        // A pattern that takes the fragment takes the fragment's query as well.
        let uri = captures.takesFragment ? uri.addingFragmentParameters() : uri
        let name =
            switch route.service {
            case .declared(let name, _): name
            case .code: route.pattern.text
            }
        return ResourceRequest(
            uri: uri.adding(route.parameters), name: name, captures: captures.values,
            rest: captures.rest?.segments ?? [], userInfo: userInfo, origin: origin
        )
    }
}

/// Routes that are looked up together: a dictionary from first segments to the expansions that may match.
///
/// ```swift
/// let list = RouteList([try Route(declaration, owner: "com.example.shop")])
/// let uri = try ResourceURI("app://shop/item/42")
/// list.matches(for: uri).first?.captures(from: uri).values["id"]    // "42"
/// ```
public struct RouteList: Sendable {
    /// The routes.
    public private(set) var routes: [Route] = []
    /// The expansions of all routes by ``RoutePattern/Expansion/firstSegment``, in the order of the routes.
    private var expansions: [String: [RouteMatch]] = [:]

    /// Lists routes; of those with the same canonical key and priority the first is asked first.
    public init(_ routes: [Route]) {
        for route in routes { append(route) }
    }

    /// Lists routes of which no two may have a canonical key in common.
    ///
    /// - Throws: ``AtriumError`` with code `routeConflict`, with both owners and an address.
    public init(withoutConflicts routes: [Route]) throws(AtriumError) {
        for route in routes {
            try requireFree(route.pattern, of: route.owner)
            append(route)
        }
    }

    /// Throws an error if a route has a canonical key of a pattern.
    ///
    /// - Throws: ``AtriumError`` with code `routeConflict`, with both owners and an address.
    func requireFree(_ pattern: RoutePattern, of owner: String) throws(AtriumError) {
        for expansion in pattern.expansions {
            if let other = route(like: expansion) {
                throw .routeConflict(pattern, of: owner, with: other, at: expansion)
            }
        }
    }

    /// The routes that match an address, each once, in the order in which they are asked.
    public func matches(for uri: ResourceURI) -> [RouteMatch] {
        let found = RoutePattern.firstSegments(matching: uri).flatMap { matches(for: uri, withFirstSegment: $0) }
        if found.count < 2 { return found }
        var seen: Set<ObjectIdentifier> = []
        // Of the expansions of a route the most specific is the first.
        return found.inOrder(for: uri).filter { seen.insert(ObjectIdentifier($0.route)).inserted }
    }

    /// The routes of several lists that match an address, in the order in which they are asked.
    ///
    /// A route may be in more than one of the lists, and comes once; no two routes may have the same canonical key.
    public static func matches(in lists: [Self], for uri: ResourceURI) -> [RouteMatch] {
        let matches = lists.flatMap { $0.matches(for: uri) }
        if matches.count < 2 { return matches }
        var seen: Set<String> = []
        return matches.inOrder(for: uri).filter { seen.insert($0.expansion.canonicalKey).inserted }
    }

    /// Returns the matching expansions with a first segment in lowercase, or with a capture or wildcard in its place.
    private func matches(for uri: ResourceURI, withFirstSegment firstSegment: String) -> [RouteMatch] {
        guard let expansions = expansions[firstSegment] else { return [] }
        let candidates = expansions.span
        var found: [RouteMatch] = []
        for index in candidates.indices where candidates[index].expansion.matches(uri) {
            found.append(candidates[index])
        }
        return found
    }

    /// Returns the first route that has an expansion with the same canonical key, or `nil` if there is none.
    func route(like expansion: RoutePattern.Expansion) -> Route? {
        expansions[expansion.firstSegment]?.first { $0.expansion.canonicalKey == expansion.canonicalKey }?.route
    }

    /// Adds a route behind the others.
    private mutating func append(_ route: Route) {
        routes.append(route)
        for expansion in route.pattern.expansions {
            expansions[expansion.firstSegment, default: []].append(RouteMatch(route: route, expansion: expansion))
        }
    }

    /// Removes routes.
    mutating func removeAll(where isRemoved: (Route) -> Bool) {
        if routes.contains(where: isRemoved) { self = Self(routes.filter { !isRemoved($0) }) }
    }
}

/// The routes that code has registered are a list that a writer replaces.
extension RouteList {
    /// Adds a route of a lease.
    ///
    /// A route of the same canonical key is removed if its addresses belong less closely to its bundle, so that the order of registration
    /// does not matter.
    ///
    /// - Throws: ``AtriumError`` with code `routeConflict` when another route of the same canonical key is there.
    mutating func insert(_ route: Route) throws(AtriumError) {
        var displaced: [Route] = []
        for expansion in route.pattern.expansions {
            guard let other = self.route(like: expansion) else { continue }
            guard (other.code?.claim ?? 0) < (route.code?.claim ?? 0), other.owner != route.owner else {
                throw .routeConflict(route.pattern, of: route.owner, with: other, at: expansion)
            }
            displaced.append(other)
        }
        removeAll { route in displaced.contains { $0 === route } }
        append(route)
    }

    /// Removes the route of that pattern if it belongs to the lease.
    mutating func remove(_ pattern: RoutePattern, under lease: Lease) {
        guard let route = route(like: pattern.expansions[0]), route.code?.lease == lease,
            route.pattern.canonicalKey == pattern.canonicalKey
        else { return }
        removeAll { $0 === route }
    }
}

/// The order in which routes that match an address are asked; the order of registration never matters.
///
/// Explicit priority decides first, then the leftmost difference of the paths, then that of the fragments, then the scheme, then the
/// bytes of the canonical keys.
extension [RouteMatch] {
    /// The matches in the order in which they are asked.
    ///
    /// Matches of the same canonical key and priority keep their order: rules of bundle.json before manifests, and both before the
    /// routes that code registers.
    func inOrder(for uri: ResourceURI) -> [RouteMatch] {
        guard count > 1 else { return self }
        return sorted { one, other in
            if one.route.priority != other.route.priority { return one.route.priority > other.route.priority }
            return one.expansion.precedes(other.expansion, ignoringCase: uri.hasAuthority)
        }
    }
}

extension RoutePattern.Expansion {
    /// A place at which two patterns differ.
    public enum Place: Hashable, Sendable {
        /// A segment of the path, counted from one.
        case segment(Int)
        /// A segment of the fragment's path, counted from one. Zero refers to the presence of a fragment.
        case fragment(Int)
        /// The scheme.
        case scheme
    }

    /// Returns whether this expansion is tried before another one that matches the same address.
    func precedes(_ other: RoutePattern.Expansion, ignoringCase: Bool) -> Bool {
        difference(from: other, ignoringCase: ignoringCase)?.isFirst ?? false
    }

    /// Finds the leftmost difference that ranks two expansions, and whether this one is tried first. Returns nil only for equal canonical
    /// keys.
    ///
    /// If the case of the first segment is ignored, as for an address with an authority, the case decides last.
    package func difference(
        from other: RoutePattern.Expansion, ignoringCase: Bool
    ) -> (place: Place, isFirst: Bool)? {
        if let (index, isFirst) = Self.leftmost(path, other.path, ignoringCase: ignoringCase) {
            return (.segment(index + 1), isFirst)
        }
        switch (fragment, other.fragment) {
        case (let mine?, let theirs?):
            if let (index, isFirst) = Self.leftmost(mine, theirs, ignoringCase: false) {
                return (.fragment(index + 1), isFirst)
            }
        case (nil, nil): break
        case (let mine, _): return (.fragment(0), mine != nil)
        }
        if (scheme == nil) != (other.scheme == nil) { return (.scheme, scheme != nil) }
        if canonicalKey.hasBytes(of: other.canonicalKey) { return nil }
        // Patterns of different schemes don't match the same address, so only the case of the authority differs.
        return (.segment(1), canonicalKey < other.canonicalKey)
    }

    private static func leftmost(
        _ mine: [RoutePattern.Segment], _ theirs: [RoutePattern.Segment], ignoringCase: Bool
    ) -> (index: Int, isFirst: Bool)? {
        for index in 0..<max(mine.count, theirs.count) {
            let end: Specificity = (5, 0, 0, 0, "")
            let one = index < mine.count ? mine[index].specificity : end
            let other = index < theirs.count ? theirs[index].specificity : end
            // Two literals that match the same authority are equally specific.
            if ignoringCase, index == 0, one.kind == 0, other.kind == 0 { continue }
            if one != other { return (index, one < other) }
        }
        return nil
    }
}

/// The rank of a segment among those that can match the same text: that of its kind, three numbers, and a text.
private typealias Specificity = (kind: Int, Int, Int, Int, text: String)

extension RoutePattern.Segment {
    /// The rank of the segment. At the leftmost difference of two patterns, the one with the lower rank is tried first.
    fileprivate var specificity: Specificity {
        switch self {
        case .literal(let text): (0, 0, 0, 0, text)
        case .partial(let partial):
            (
                1, -partial.literals.joined().utf8.count, partial.names.count, -partial.literals[0].utf8.count,
                partial.canonicalKey
            )
        case .typed(_, let converter): (2, converter.breadth, 0, 0, converter.name)
        case .capture: (3, 0, 0, 0, "")
        case .any: (4, 0, 0, 0, "")
        // Rank 5 is the end of a pattern.
        case .rest: (6, 0, 0, 0, "")
        }
    }
}
