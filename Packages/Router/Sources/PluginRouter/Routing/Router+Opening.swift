import HostSystem
public import PluginCore

/// A request that the router handles.
struct RouteRequest {
    /// The criteria for routes.
    let query: RouteQuery
    var userInfo: ActionParameters = [:]
    var presentation = Presentation.push
    /// A Boolean value that indicates whether the request is a fallback, for which there is no further fallback.
    var isFallback = false

    var uri: ResourceURI { query.uri }
    var origin: RequestOrigin { query.origin }

    /// Returns the same request for another address.
    func redirected(to uri: ResourceURI, asFallback: Bool = false) -> Self {
        Self(
            query: RouteQuery(uri, as: query.kinds, for: origin), userInfo: userInfo, presentation: presentation,
            isFallback: isFallback || asFallback)
    }
}

/// The address of the page that the router is showing, for a navigator that wants to know it.
public enum ShownAddress {
    /// The address during a call of the navigator by the router, and nil in all other calls.
    @TaskLocal public static var current: ResourceURI?
}

/// The resource for a request, and the request that it belongs to, which may be a redirected one.
struct ServedRequest {
    let resource: Resource
    let owner: String
    let request: RouteRequest
}

// Opening an address and getting its object or page take the same steps, so they always agree. `canOpen` asks only for the route, and
// stops before interceptors.
extension Router {
    /// Returns whether an address has a route, of an installed bundle or of one that can be installed.
    func isReachable(_ query: RouteQuery) async -> Bool {
        let request = RouteRequest(query: query)
        do {
            try ports.limits.check(query.uri, from: query.origin)
            return try await withRequestChain(request) {
                var refusals = RouteRefusals()
                if try await ports.retrying({ try await self.firstAccepting(request, &refusals) != nil }) {
                    return true
                }
                return try await ports.onDemandProvider?.providingBundle(ofRoute: query) != nil
            }
        } catch {
            return false
        }
    }

    /// A closure that uses the resource of a request.
    typealias Use<R> = @Sendable (ServedRequest) async throws -> R

    /// Handles a request, as the next one of its chain.
    func handle<R: Sendable>(_ request: RouteRequest, _ use: @escaping Use<R>) async throws -> R {
        try await withRequestChain(request, by: request.query.isOpening ? request.origin : nil) {
            try await takeSteps(request, use)
        }
    }

    /// Finds the first candidate that accepts the address, asks its interceptors, and uses the resource of its bundle.
    ///
    /// Everything starts over if a bundle was unloaded on the way, and after a wait, because routes may have changed meanwhile.
    ///
    /// - Parameters:
    ///   - installed: The bundle that was just installed for the request, or nil.
    ///   - passed: The interceptors that have allowed the request, and are not asked again.
    private func takeSteps<R: Sendable>(
        _ request: RouteRequest, in installed: String? = nil, after passed: [RegisteredInterceptor] = [],
        _ use: @escaping Use<R>
    ) async throws -> R {
        var (installed, passed) = (installed, passed)
        return try await ports.retrying {
            defer { installed = nil }

            // The candidates for the address, and the first that accepts it.
            var refusals = RouteRefusals()
            guard let (match, matchedRequest) = try await firstAccepting(request, &refusals) else {
                if let installed { throw try await missingRoute(of: installed, request) }
                guard let onDemandProvider = ports.onDemandProvider,
                    let owner = try await onDemandProvider.providingBundle(ofRoute: request.query)
                else { return try await answerUnhandled(request, refusals, use) }
                return try await onDemandProvider.withOnDemandInstall(owner) { [passed] in
                    try await self.takeSteps(request, in: owner, after: passed, use)
                }
            }

            // Its interceptors.
            let interceptors = interceptors(of: match, for: request.uri).removing(passed)
            switch try await ask(interceptors, matchedRequest, at: request.uri.text) {
            case .passed: break
            case .waited(let allowed):
                passed += allowed
                return nil
            case .redirected(let uri, let isConfined):
                let redirected = request.redirected(to: uri)
                guard isConfined else { return try await handle(redirected, use) }
                return try await Lease.servingConfined { try await handle(redirected, use) }
            }

            // The resource of its bundle, which is loaded on first use.
            let resource = try await resource(of: match.route, for: matchedRequest, at: request.uri.text)
            return try await use(ServedRequest(resource: resource, owner: match.route.owner, request: request))
        }
    }

    // MARK: Steps

    /// Runs a closure as the next step of the request chain.
    private func withRequestChain<R>(
        _ request: RouteRequest, by opener: RequestOrigin? = nil, _ body: () async throws -> R
    ) async throws -> R {
        let chain = try RequestChain.pushing(
            .address(request.uri.text), by: opener, for: request.origin, limit: ports.limits.chainDepth)
        return try await chain.run(body)
    }

    /// Returns the first candidate that accepts a request, and the request as its bundle and the interceptors before it see it.
    ///
    /// - Throws: ``AtriumError`` with code `routeConflict` for an address of two bundles, `routeKind` for a page whose address opens a
    ///   handler, the errors of the directory, and the errors of loading a bundle that may decline.
    private func firstAccepting(
        _ request: RouteRequest, _ refusals: inout RouteRefusals
    ) async throws -> (RouteMatch, ResourceRequest)? {
        let candidates = try await rankedMatches(for: request.query)
        if let first = try await first(of: candidates.claimed, accepting: request, &refusals) { return first }
        return try await first(of: open(candidates, to: request.query), accepting: request, &refusals)
    }

    private func first(
        of matches: [RouteMatch], accepting request: RouteRequest, _ refusals: inout RouteRefusals
    ) async throws -> (RouteMatch, ResourceRequest)? {
        for match in matches {
            let isHandlerForPage = request.query.isBlocked(by: match.route)
            if !request.query.admits(match.route), !isHandlerForPage {
                refusals.refused.append(match.route)
                continue
            }
            try match.requireNoConflict(among: matches)
            let matchedRequest = match.request(to: request.uri, userInfo: request.userInfo, from: request.origin)
            if try await routeTakes(match.route, matchedRequest) {
                if isHandlerForPage { throw AtriumError.otherKind(request.query) }
                return (match, matchedRequest)
            }
            if !refusals.declined.contains(match.route.owner) { refusals.declined.append(match.route.owner) }
        }
        return nil
    }

    /// Returns whether a matching route takes a request, which one that may decline decides itself.
    private func routeTakes(_ route: Route, _ matchedRequest: ResourceRequest) async throws -> Bool {
        guard route.mayDecline else { return true }
        return try await call(route, for: .question, at: matchedRequest.uri.text) { code in
            await code.accepts?(matchedRequest) ?? true
        } _: { principal in
            await principal.accepts(matchedRequest)
        }
    }

    /// Calls the code of a route, or the principal object of its bundle, which is loaded on first use, within the route's deadline.
    private func call<R: Sendable>(
        _ route: Route, for purpose: Lease.Purpose, at address: String,
        _ code: @escaping @Sendable (RegisteredCode) async throws -> R,
        _ principal: @escaping @MainActor @Sendable (Principal) async throws -> R
    ) async throws -> R {
        let (deadline, subject) = (ports.deadline(route.deadline), route.pattern.text)
        if let registered = route.code {
            return try await registered.lease.withNamedCall(address) {
                try await deadline.run(subject, of: route.owner) {
                    try await registered.lease.invoking(purpose) { try await code(registered) }
                }
            }
        }
        let bundle = try await ports.bundles.loaded(route.owner)
        return try await bundle.lease.withNamedCall(address) {
            try await deadline.runOnMain(subject, of: route.owner) {
                try await bundle.lease.invoking(purpose) { try await principal(bundle.principal) }
            }
        }
    }

    /// Returns the error for a bundle that was installed for a request and has no route for it.
    private func missingRoute(of owner: String, _ request: RouteRequest) async throws -> AtriumError {
        // If the bundle was uninstalled again, this throws the reason.
        _ = try await ports.bundles.resources(of: owner)
        return AtriumError(
            .routeUnknown, request.uri, reason: "installedWithoutRoute", ["bundle": .text(owner)])
    }

    /// Gets a resource from the code of a route or of its bundle, which is loaded on first use, or from a page layout of the bundle.
    private func resource(
        of route: Route, for matchedRequest: ResourceRequest, at address: String
    ) async throws -> Resource {
        guard case .declared(_, let layout?) = route.service, let page = ports.layoutPage else {
            return try await call(route, for: .resource, at: address) { code in
                try await code.handler(matchedRequest)
            } _: { principal in
                try await principal.resource(for: matchedRequest)
            }
        }
        // A page described by data makes requests on behalf of its bundle, whose code may never be loaded.
        let router = routing(for: .plugin(route.owner))
        do {
            return .page(
                try await page(
                    layout, ports.bundles.resources(of: route.owner), matchedRequest.parameters, router))
        } catch let error as AtriumError where error.code == .resourceUnknown || error.code == .resourceInvalid {
            let chain = RequestChain.current?.path ?? [address]
            throw AtriumError.from(error, in: .init(bundle: route.owner, request: address, chain: chain))
        }
    }

    // On the main actor, because a task-local value's closure would otherwise run on the thread pool, which the first page would start.
    @MainActor
    func show(_ page: any Page, _ request: RouteRequest) async -> RouteOutcome {
        await ShownAddress.$current.withValue(request.uri) {
            if case .modal = request.presentation { return .dismissed(await navigator.present(page)) }
            navigator.push(page)
            return .shown
        }
    }
}
