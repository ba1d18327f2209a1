public import PluginCore

/// Which route serves a request, or why none does. Opening, asking for an object and asking whether something can be
/// opened all come here, so they cannot disagree.
enum Resolution {
    case served(RouteMatch)
    case refused(RouteRefusals)
}

extension Router {
    /// The routes that match an address, of whatever kind and for whomever, in the order in which they are asked.
    public func matches(for uri: ResourceURI) async throws -> [RouteMatch] {
        let declared = try await directory.matches(for: uri)
        return RouteMatch.joined(declared, board.load().routes.matches(for: uri), for: uri)
    }

    /// The first route that takes the request.
    ///
    /// - Throws: ``AtriumError`` with code `routeConflict` for an address that two bundles have, what the directory throws, and
    ///   what loading a bundle throws that is to be asked whether it accepts.
    func resolve(_ request: RouteRequest) async throws -> Resolution {
        var refusals = RouteRefusals()
        let matches = try await matches(for: request.uri)
        for match in matches {
            let obstacles = request.query.obstacles(to: match.route)
            if !obstacles.isEmpty {
                refusals.add(match.route, obstacles)
                continue
            }
            try match.requireNoRival(among: matches)
            if try await accepts(match, request) { return .served(match) }
            refusals.add(declining: match.route)
        }
        return .refused(refusals)
    }

    /// Returns whether a route takes a request that it matches.
    private func accepts(_ match: RouteMatch, _ request: RouteRequest) async throws -> Bool {
        guard match.route.mayDecline else { return true }
        let asked = match.request(request)
        guard let accepts = match.route.accepts else {
            let bundle = try await provider.loaded(match.route.owner)
            return try await bundle.lease.holding {
                try await withDeadlineOnMain(of: match.route) {
                    await bundle.lease.trying(.question) { await bundle.principal.accepts(asked) }
                }
            }
        }
        return try await match.holding {
            try await withDeadline(of: match.route) { await match.trying(.question) { await accepts(asked) } }
        }
    }
}
