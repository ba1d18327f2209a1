import HostSystem
public import PluginCore
public import PluginRouter

extension Router {
    /// Explains which route an address takes, without running, loading or installing code of a bundle.
    ///
    /// A route that may decline is not asked.
    ///
    /// - Parameters:
    ///   - uri: The address.
    ///   - origin: The caller.
    ///   - kinds: The accepted kinds of routes, by default those that can be opened.
    /// - Throws: The errors of the directory.
    public func explain(
        _ uri: ResourceURI, origin: RequestOrigin = .host, kinds: Set<RouteKind> = RouteQuery.opened
    ) async throws -> RouteExplanation {
        let query = RouteQuery(uri, as: kinds, for: origin)
        let firstSegments = RoutePattern.firstSegments(matching: uri)
        let declared = try await directory.routes(withFirstSegments: firstSegments)
        let coded = registeredRoutes.filter { !Set($0.pattern.firstSegments).isDisjoint(with: firstSegments) }
        let matches = try await rankedMatches(for: query)
        let open = try await open(matches, to: query)
        let closed = matches.unclaimed.filter { match in !open.contains { $0.route === match.route } }
        let (candidates, winner) = RouteExplanation.candidates(
            declared + coded, matches.claimed, unclaimed: open, closed: closed, query)
        let providingBundle = winner == nil ? try await ports.onDemandProvider?.providingBundle(ofRoute: query) : nil
        let isUnserved = winner == nil && providingBundle == nil && kinds == RouteQuery.opened
        return RouteExplanation(
            uri: uri, origin: origin, kinds: kinds, candidates: candidates,
            interceptors: winner.map { interceptors(of: $0, for: uri).map(\.interceptor.name) } ?? [],
            providingBundle: providingBundle,
            fallbacks: isUnserved
                ? fallbacks(for: uri).map { if case .address(let uri) = $0.action { uri } else { nil } } : [])
    }
}

extension RouteExplanation {
    /// Creates an explanation as if the given routes were the only ones.
    ///
    /// - Parameters:
    ///   - uri: The address.
    ///   - routes: The routes. Of equal ones, the first comes first.
    public init(_ uri: ResourceURI, among routes: [Route]) {
        let query = RouteQuery(uri, as: Set(RouteKind.allCases), for: .host)
        let (candidates, winner) = Self.candidates(routes, RouteList(routes).matches(for: uri), query)
        self.init(
            uri: uri, origin: query.origin, kinds: query.kinds, candidates: candidates,
            interceptors: winner?.route.guards ?? [], providingBundle: nil, fallbacks: [])
    }

    fileprivate static func candidates(
        _ routes: [Route], _ claimed: [RouteMatch], unclaimed: [RouteMatch] = [], closed: [RouteMatch] = [],
        _ query: RouteQuery
    ) -> ([RouteCandidate], winner: RouteMatch?) {
        let uri = query.uri
        let matches = claimed + unclaimed
        let place = matches.firstIndex { obstacle(to: $0.route, query) == nil && !$0.route.mayDecline }
        let winner = place.map { matches[$0] }
        let isUnclaimed = (place ?? 0) >= claimed.count
        func outcome(of match: RouteMatch, at index: Int) -> RouteCandidate.Outcome {
            if let place, index == place {
                let rivals = isUnclaimed ? unclaimed : claimed
                return match.conflictingMatch(among: rivals).map { .conflicts(withRouteOf: $0.route.owner) } ?? .wins
            }
            if let obstacle = Self.obstacle(to: match.route, query) { return obstacle }
            guard let winner, let place, index > place else { return .mayDecline }
            if !isUnclaimed, index >= claimed.count { return .unclaimed }
            return Self.outcome(on: match, behind: winner, uri)
        }
        var matching = matches.enumerated().map { index, match in
            RouteCandidate(
                route: match.route, captures: match.captures(from: uri), outcome: outcome(of: match, at: index))
        }
        matching += closed.map {
            RouteCandidate(route: $0.route, captures: $0.captures(from: uri), outcome: .unclaimed)
        }
        let others = routes.compactMap { route in
            RouteMismatch(of: route.pattern, and: uri).map {
                RouteCandidate(route: route, captures: nil, outcome: .mismatch($0))
            }
        }
        let sorted = others.sorted { $0.route.pattern.text.isBefore($1.route.pattern.text) }
        return (matching + sorted, winner)
    }

    /// Returns the reason why a route is not asked, whatever its rank.
    private static func obstacle(to route: Route, _ query: RouteQuery) -> RouteCandidate.Outcome? {
        if !query.kinds.contains(route.kind) { return .otherKind(route.kind) }
        return route.exposure.admits(query.origin, owner: route.owner) ? nil : .hidden(route.exposure)
    }

    /// Returns the reason why a route is asked after the winner.
    private static func outcome(
        on match: RouteMatch, behind winner: RouteMatch, _ uri: ResourceURI
    ) -> RouteCandidate.Outcome {
        if match.route.owner != winner.route.owner, match.expansion.canonicalKey == winner.expansion.canonicalKey {
            return .conflicts(withRouteOf: winner.route.owner)
        }
        if match.route.priority < winner.route.priority { return .lowerPriority(than: winner.route.priority) }
        let difference = RouteCandidate.Difference(
            of: match.expansion, behind: winner.expansion, ignoringCase: uri.hasAuthority)
        return difference.map { .lessSpecific($0) } ?? .shadowed(byRouteOf: winner.route.owner)
    }
}

/// The reason why a pattern does not match an address.
public enum RouteMismatch: Hashable, Sendable {
    /// The pattern requires this scheme.
    case scheme(String)
    /// A segment of the address, counted from one, differs from the literal or does not convert to the capture's type.
    case segment(Int, wanted: String, found: String)
    /// The address ends before this segment, counted from one.
    case tooShort(Int, wanted: String)
    /// The address has this additional segment, counted from one, after the end of the pattern.
    case tooLong(Int, found: String)
    /// The path of the fragment does not match.
    indirect case fragment(RouteMismatch)
    /// The address has no fragment.
    case noFragment

    /// Finds the mismatch of a pattern, of the expansion that matches furthest. Returns nil if the pattern matches.
    init?(of pattern: RoutePattern, and uri: ResourceURI) {
        if let scheme = pattern.scheme, scheme != uri.scheme {
            self = .scheme(scheme)
            return
        }
        let failures = pattern.expansions.compactMap { Self.failure(of: $0, uri) }
        guard failures.count == pattern.expansions.count,
            let furthest = failures.max(by: { $0.progress < $1.progress })
        else { return nil }
        self = furthest.mismatch
    }

    private typealias Failure = (progress: Int, mismatch: RouteMismatch)

    private static func failure(of expansion: RoutePattern.Expansion, _ uri: ResourceURI) -> Failure? {
        if let failure = failure(of: expansion.path, uri) { return failure }
        guard let wanted = expansion.fragment else { return nil }
        guard let fragment = uri.fragmentAddress else { return (uri.segments.count + 1, .noFragment) }
        return failure(of: wanted, fragment).map {
            (uri.segments.count + 1 + $0.progress, .fragment($0.mismatch))
        }
    }

    private static func failure(of segments: [RoutePattern.Segment], _ uri: ResourceURI) -> Failure? {
        let texts = uri.segments
        for (index, segment) in segments.enumerated() {
            if case .rest = segment { return nil }
            guard index < texts.count else { return (index, .tooShort(index + 1, wanted: segment.spelling)) }
            let isAuthority = uri.hasAuthority && index == 0
            if !segment.matches(texts[index], isAuthority: isAuthority) {
                return (index, .segment(index + 1, wanted: segment.spelling, found: texts[index]))
            }
        }
        if texts.count == segments.count { return nil }
        return (segments.count, .tooLong(segments.count + 1, found: texts[segments.count]))
    }
}

extension RoutePattern.Segment {
    /// The segment in the syntax of patterns.
    var spelling: String {
        switch self {
        case .literal(let text): PercentCoding.encode(text)
        case .partial(let partial):
            partial.names.indices.reduce(PercentCoding.encode(partial.literals[0])) {
                $0 + ":{\(partial.names[$1])}" + PercentCoding.encode(partial.literals[$1 + 1])
            }
        case .typed(let name, let converter): ":\(name)<\(converter.name)>"
        case .capture(let name): ":\(name)"
        case .any: "*"
        case .rest(let name): name == RoutePattern.defaultRestName ? "**" : "**\(name)"
        }
    }
}
