public import PluginCore

/// The route for a request, or the reasons why there is none.
///
/// Opening an address, getting its page or object, and `canOpen` all use this, so they always agree.
enum Resolution {
    case served(RouteMatch)
    case refused(RouteRefusals)
}

extension Router {
    /// Returns the routes of all kinds and exposures that match an address, in the order in which they are tried.
    public func matches(for uri: ResourceURI) async throws -> [RouteMatch] {
        let declared = try await directory.matches(for: uri)
        return RouteMatch.joined(declared, registrationStore.routes(matching: uri), for: uri)
    }

    /// Returns the first route that accepts a request.
    ///
    /// - Throws: ``AtriumError`` with code `routeConflict` for an address of two bundles, `routeKind` for a page whose address opens a
    ///   handler, the errors of the directory, and the errors of loading a bundle that may decline.
    func resolve(_ request: RouteRequest) async throws -> Resolution {
        var refusals = RouteRefusals()
        let matches = try await matches(for: request.uri)
        for match in matches {
            let obstacles = request.query.obstacles(to: match.route)
            let isHandlerForPage = obstacles == .kind && request.query.isBlocked(by: match.route)
            if !obstacles.isEmpty, !isHandlerForPage {
                refusals.add(match.route, obstacles)
                continue
            }
            try match.requireNoConflict(among: matches)
            if try await accepts(match, request) {
                if isHandlerForPage { throw AtriumError.otherKind(request.query) }
                return .served(match)
            }
            refusals.add(declining: match.route)
        }
        return .refused(refusals)
    }

    /// Returns whether a matching route accepts a request.
    private func accepts(_ match: RouteMatch, _ request: RouteRequest) async throws -> Bool {
        guard match.route.mayDecline else { return true }
        let asked = match.request(request)
        guard let accepts = match.route.accepts else {
            let bundle = try await provider.loaded(match.route.owner)
            return try await bundle.lease.whileOpen {
                try await withDeadlineOnMain(of: match.route) {
                    await bundle.lease.invoking(.question) { await bundle.principal.accepts(asked) }
                }
            }
        }
        return try await match.whileOpen {
            try await withDeadline(of: match.route) { await match.invoking(.question) { await accepts(asked) } }
        }
    }
}
