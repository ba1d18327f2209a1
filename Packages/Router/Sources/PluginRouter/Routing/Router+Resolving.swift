public import PluginCore

/// The route for a request, or the reasons why there is none.
///
/// Opening an address, getting its page or object, and `canOpen` all use this, so they always agree.
enum Resolution {
    /// The route, and the request as its bundle and the interceptors before it see it.
    case served(RouteMatch, ResourceRequest)
    case refused(RouteRefusals)
}

extension Router {
    /// Returns the routes of all kinds and exposures that match an address, in the order in which they are tried.
    public func matches(for uri: ResourceURI) async throws -> [RouteMatch] {
        try await rankedMatches(for: RouteQuery(uri, as: Set(RouteKind.allCases), for: .host)).all
    }

    /// Returns the first route that accepts a request.
    ///
    /// - Throws: ``AtriumError`` with code `routeConflict` for an address of two bundles, `routeKind` for a page whose address opens a
    ///   handler, the errors of the directory, and the errors of loading a bundle that may decline.
    func resolve(_ request: RouteRequest) async throws -> Resolution {
        var refusals = RouteRefusals()
        let ranked = try await rankedMatches(for: request.query)
        if let served = try await resolve(request, among: ranked.claimed, &refusals) { return served }
        let unclaimed = try await open(ranked, to: request.query)
        return try await resolve(request, among: unclaimed, &refusals) ?? .refused(refusals)
    }

    private func resolve(
        _ request: RouteRequest, among matches: [RouteMatch], _ refusals: inout RouteRefusals
    ) async throws -> Resolution? {
        for match in matches {
            let obstacles = request.query.obstacles(to: match.route)
            let isHandlerForPage = obstacles == .kind && request.query.isBlocked(by: match.route)
            if !obstacles.isEmpty, !isHandlerForPage {
                refusals.add(match.route, obstacles)
                continue
            }
            try match.requireNoConflict(among: matches)
            let asked = match.request(request)
            if try await accepts(match, asked) {
                if isHandlerForPage { throw AtriumError.otherKind(request.query) }
                return .served(match, asked)
            }
            refusals.add(declining: match.route)
        }
        return nil
    }

    /// Returns whether a matching route accepts a request.
    private func accepts(_ match: RouteMatch, _ asked: ResourceRequest) async throws -> Bool {
        guard match.route.mayDecline else { return true }
        guard let accepts = match.route.accepts else {
            let bundle = try await provider.loaded(match.route.owner)
            return try await bundle.lease.countingCall {
                try await withDeadlineOnMain(of: match.route) {
                    await bundle.lease.invoking(.question) { await bundle.principal.accepts(asked) }
                }
            }
        }
        return try await match.countingCall {
            try await withDeadline(of: match.route) { await match.invoking(.question) { await accepts(asked) } }
        }
    }
}

/// The reasons why no matching route accepted a request.
struct RouteRefusals {
    /// The owners of the routes that declined, in the order in which they were asked.
    private(set) var declined: [String] = []
    private var isOtherKind = false
    /// The first routes that are not exposed to the caller: one of a requested kind, and one of another kind.
    private var hidden: (wanted: Route?, other: Route?)

    /// Adds a route that was not asked.
    mutating func add(_ route: Route, _ obstacles: RouteQuery.Obstacles) {
        switch obstacles {
        case .kind: isOtherKind = true
        case .exposure: hidden.wanted = hidden.wanted ?? route
        default: hidden.other = hidden.other ?? route
        }
    }

    /// Adds a route that was asked and declined.
    mutating func add(declining route: Route) {
        if !declined.contains(route.owner) { declined.append(route.owner) }
    }

    /// Returns the error if matching routes exist but none was asked. Returns nil otherwise.
    func error(for query: RouteQuery) -> AtriumError? {
        guard declined.isEmpty else { return nil }
        if let wanted = hidden.wanted { return .exposureDenied(query, wanted.exposure) }
        if isOtherKind { return .otherKind(query) }
        // The kind of a route that is not exposed to the caller must not be revealed.
        return hidden.other.map { .exposureDenied(query, $0.exposure) }
    }
}

extension AtriumError {
    /// Returns the error for an address whose route is of another kind.
    static func otherKind(_ query: RouteQuery) -> AtriumError {
        let reason =
            switch query.kinds {
            case RouteQuery.opened: ErrorReason("addressOfObject")
            case RouteQuery.shown: ErrorReason("addressOfNoPage")
            default: ErrorReason("addressOfNoObject")
            }
        return AtriumError(.routeKind, query.uri.text, reason: reason)
    }

    /// Returns the error for an address that is not exposed to the caller.
    static func exposureDenied(_ query: RouteQuery, _ exposure: Exposure) -> AtriumError {
        AtriumError(
            .exposureDenied, query.uri.text,
            reason: "routeExposure", ["exposure": .text(exposure.rawValue), "caller": "\(query.origin)"]
        )
    }
}

extension RouteMatch {
    /// The route of another bundle for the very same addresses; `nil` if there is none.
    ///
    /// Such an address belongs to neither: else the bundle that came later, or that `bundle.json` names, would take it from
    /// the other without a word.
    func conflictingMatch(among matches: [RouteMatch]) -> RouteMatch? {
        matches.first { $0.route.owner != route.owner && $0.expansion.canonicalKey == expansion.canonicalKey }
    }

    /// - Throws: ``AtriumError`` with code `routeConflict`, with both owners.
    func requireNoConflict(among matches: [RouteMatch]) throws(AtriumError) {
        guard let other = conflictingMatch(among: matches) else { return }
        throw .routeConflict(
            route.pattern, of: route.owner, with: other.route.pattern, of: other.route.owner, at: expansion)
    }
}

extension AtriumError {
    /// Two patterns with the same canonical key, with an address that both match.
    static func routeConflict(
        _ pattern: RoutePattern, of owner: String, with other: RoutePattern, of otherOwner: String,
        at expansion: RoutePattern.Expansion
    ) -> AtriumError {
        AtriumError(
            .routeConflict, pattern.text, reason: "routesConflict",
            [
                "owner": .text(owner), "other": .text(otherOwner), "pattern": .text(other.text),
                "conflict": .reason(expansion.conflict),
            ])
    }
}
