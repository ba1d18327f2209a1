public import PluginCore

/// The routes that match an address, in the order in which they are tried.
package struct RankedMatches {
    /// The routes of manifests and of the host, and those that bundles have registered below their own addresses.
    package var claimed: [RouteMatch]
    /// The routes that bundles have registered anywhere else. They come after all manifests, whatever their priority.
    package var unclaimed: [RouteMatch] = []

    /// All of them in order.
    package var all: [RouteMatch] { claimed + unclaimed }
}

/// The addresses that belong to a bundle, so that no code takes over those of another team's manifest.
extension Router {
    /// Returns the routes of all kinds and exposures that match an address, in the order in which they are tried.
    public func matches(for uri: ResourceURI) async throws -> [RouteMatch] {
        try await rankedMatches(for: RouteQuery(uri, as: Set(RouteKind.allCases), for: .host)).all
    }

    /// All routes that code has registered, unsorted.
    public var registeredRoutes: [Route] { ports.registrationStore.load().routes.routes }

    /// Returns the routes of all kinds and exposures that match an address.
    package func rankedMatches(for query: RouteQuery) async throws -> RankedMatches {
        let uri = query.uri
        let declared = try await directory.matches(for: uri)
        let registered = ports.registrationStore.routes(matching: uri)
        if registered.isEmpty { return RankedMatches(claimed: declared) }
        var (claimed, unclaimed): ([RouteMatch], [RouteMatch]) = ([], [])
        for match in registered {
            guard let code = match.route.code else { continue }
            let better = registered.filter {
                ($0.route.code?.claim ?? 0) > code.claim && $0.route.code?.lease != ports.hostLease
            }
            let isHosts = code.lease == ports.hostLease
            // Even a manifest of the same team has the very same addresses for itself.
            var isTaken = code.claim == 0 || !isHosts && match.conflictingMatch(among: declared) != nil
            if !isTaken { isTaken = try await isForeign(match.route, to: declared + better) }
            // Only its first segment is the bundle's own, and may be that of a bundle that is not installed yet.
            if !isTaken, code.claim == 1 { isTaken = try await isOffered(query) }
            if isTaken { unclaimed.append(match) } else { claimed.append(match) }
        }
        return RankedMatches(
            claimed: (declared + claimed).inOrder(for: uri), unclaimed: unclaimed.inOrder(for: uri))
    }

    /// Returns the unclaimed routes that may be asked after the claimed ones.
    ///
    /// There are none if a bundle that can be installed has the address. Those of a team are left out if another team's manifest has it
    /// for other callers, or other kinds of requests.
    package func open(_ matches: RankedMatches, to query: RouteQuery) async throws -> [RouteMatch] {
        if matches.unclaimed.isEmpty { return [] }
        if try await isOffered(query) { return [] }
        let refused = matches.claimed.filter { $0.route.code == nil && !query.admits($0.route) }
        var open: [RouteMatch] = []
        for match in matches.unclaimed where try await !isForeign(match.route, to: refused) { open.append(match) }
        return open
    }

    /// Returns whether any of some matches begins with a literal and belongs to another team than a route in code.
    private func isForeign(_ route: Route, to matches: [RouteMatch]) async throws -> Bool {
        if route.code?.lease == ports.hostLease { return false }
        for other in matches where !other.expansion.firstSegment.isEmpty {
            if try await !isMate(route.owner, other.route.owner) { return true }
        }
        return false
    }

    private func isMate(_ owner: String, _ other: String) async throws -> Bool {
        if owner == other { return true }
        return try await directory.isSameTeam(owner, other)
    }

    /// Returns how closely the addresses of a pattern in code belong to its bundle or team, by their manifests.
    ///
    /// - Parameter declared: The routes of manifests with the pattern's first segments.
    /// - Returns: 0 for a pattern whose first segment no manifest of the team has; more the longer the literal beginning is that it has
    ///   in common with one.
    func claim(on pattern: RoutePattern, by lease: Lease, _ declared: [Route]) async throws -> Int {
        if lease == ports.hostLease { return .max }
        var own: [RoutePattern.Expansion] = []
        for route in declared where try await isMate(lease.owner, route.owner) { own += route.pattern.expansions }
        return pattern.expansions.map { expansion in own.map(expansion.claim).max() ?? 0 }.min() ?? 0
    }
}

extension RoutePattern.Expansion {
    /// Returns how closely this expansion belongs to the bundle that declares another one.
    fileprivate func claim(by declared: RoutePattern.Expansion) -> Int {
        if firstSegment.isEmpty || firstSegment != declared.firstSegment { return 0 }
        let (mine, theirs) = (literals, declared.literals)
        guard mine.starts(with: theirs) else { return 1 }
        // An address without captures belongs to one bundle alone.
        return 2 * (theirs.count + 1) + (theirs.count + 1 == declared.path.count ? 1 : 0)
    }

    /// The literals at the beginning, without the first segment, whose case may not matter.
    private var literals: [RoutePattern.Segment] {
        Array(path.dropFirst().prefix { if case .literal = $0 { true } else { false } })
    }
}

extension RouteMatch {
    /// Returns the route of another bundle for the very same addresses, or `nil` if there is none.
    ///
    /// Two bundles that declare the same addresses conflict. The router refuses both, because otherwise the order of installation, or
    /// `bundle.json`, would decide silently.
    package func conflictingMatch(among matches: [Self]) -> Self? {
        matches.first { $0.route.owner != route.owner && $0.expansion.canonicalKey == expansion.canonicalKey }
    }

    /// Throws an error for an address that two bundles declare.
    ///
    /// - Throws: ``AtriumError`` with code `routeConflict`, with both owners.
    func requireNoConflict(among matches: [Self]) throws(AtriumError) {
        guard let other = conflictingMatch(among: matches) else { return }
        throw .routeConflict(route.pattern, of: route.owner, with: other.route, at: expansion)
    }
}

extension AtriumError {
    /// Returns the error for two patterns with the same canonical key, with an address that both match.
    static func routeConflict(
        _ pattern: RoutePattern, of owner: String, with other: Route, at expansion: RoutePattern.Expansion
    ) -> Self {
        Self(
            .routeConflict, pattern.text, reason: "routesConflict",
            [
                "owner": .text(owner), "other": .text(other.owner), "pattern": "\(other.pattern)",
                "conflict": .reason(expansion.conflict),
            ])
    }
}
