public import PluginCore

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
        let declared = try await directory.routes(withFirstSegments: RoutePattern.firstSegments(matching: uri))
        let registrations = registrationStore.load()
        let coded = registrations.routes.candidates(for: uri)
        let (candidates, winner) = RouteExplanation.candidates(declared, coded, query)
        let providingBundle = winner == nil ? try await onDemandProvider?.providingBundle(ofRoute: query) : nil
        let isUnserved = winner == nil && providingBundle == nil && kinds == RouteQuery.opened
        return RouteExplanation(
            uri: uri, origin: origin, kinds: kinds, candidates: candidates,
            interceptors: winner.map { interceptors(of: $0, for: uri).map(\.name) } ?? [],
            providingBundle: providingBundle,
            fallbacks: isUnserved ? registrations.fallbacks.fallbacks(for: uri).map(\.action.address) : []
        )
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
        let (candidates, winner) = Self.candidates(routes, [], query)
        self.init(
            uri: uri, origin: query.origin, kinds: query.kinds, candidates: candidates,
            interceptors: winner?.route.guards ?? [], providingBundle: nil, fallbacks: [])
    }

    fileprivate static func candidates(
        _ declared: [Route], _ coded: [Route], _ query: RouteQuery
    ) -> ([RouteCandidate], winner: RouteMatch?) {
        let uri = query.uri
        let matches = RouteList(declared + coded).matches(for: uri)
        let place = matches.firstIndex { query.obstacles(to: $0.route).isEmpty && !$0.route.mayDecline }
        let winner = place.map { matches[$0] }
        let conflicting = winner?.conflictingMatch(among: matches)
        let matching = matches.enumerated().map { index, match in
            let outcome: RouteCandidate.Outcome =
                index == place
                ? conflicting.map { .conflicts(withRouteOf: $0.route.owner) } ?? .wins
                : Self.obstacle(to: match.route, query) ?? winner.flatMap { winner in
                    index > place ?? index ? Self.outcome(on: match, behind: winner, uri) : nil
                } ?? .mayDecline
            return RouteCandidate(route: match.route, captures: match.captures(from: uri), outcome: outcome)
        }
        let others = (declared + coded).compactMap { route in
            RouteMismatch(of: route.pattern, and: uri).map {
                RouteCandidate(route: route, captures: nil, outcome: .mismatch($0))
            }
        }
        return (matching + others.sorted { $0.route.pattern.text.precedesInBytes($1.route.pattern.text) }, winner)
    }

    /// Returns the reason why a route is not asked, whatever its rank.
    private static func obstacle(to route: Route, _ query: RouteQuery) -> RouteCandidate.Outcome? {
        let obstacles = query.obstacles(to: route)
        if obstacles.contains(.kind) { return .otherKind(route.kind) }
        return obstacles.contains(.exposure) ? .hidden(route.exposure) : nil
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

extension FallbackAction {
    /// The address that is opened, or nil for code of the host.
    fileprivate var address: ResourceURI? {
        switch self {
        case .address(let uri): uri
        case .handler, .outside: nil
        }
    }
}
