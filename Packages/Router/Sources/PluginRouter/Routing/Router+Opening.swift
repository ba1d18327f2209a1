import PluginCore

/// A request that the router handles.
struct RouteRequest: Sendable {
    let uri: ResourceURI
    let userInfo: ActionParameters
    let presentation: Presentation
    let origin: RequestOrigin
    /// The accepted kinds of routes.
    let kinds: Set<RouteKind>
    /// A Boolean value that indicates whether the request is a fallback, for which there is no further fallback.
    private(set) var isFallback = false

    init(
        _ uri: ResourceURI, as kinds: Set<RouteKind>, for origin: RequestOrigin, userInfo: ActionParameters = [:],
        presentation: Presentation = .push
    ) {
        self.uri = uri
        self.userInfo = userInfo
        self.presentation = presentation
        self.origin = origin
        self.kinds = kinds
    }

    /// Returns the same request for another address.
    func redirected(to uri: ResourceURI, asFallback: Bool = false) -> RouteRequest {
        var request = RouteRequest(uri, as: kinds, for: origin, userInfo: userInfo, presentation: presentation)
        request.isFallback = isFallback || asFallback
        return request
    }

    /// The criteria for routes.
    var query: RouteQuery { RouteQuery(uri, as: kinds, for: origin) }
}

/// The resource for a request, and the request that it belongs to, which may be a redirected one.
struct ServedRequest {
    let resource: Resource
    let owner: String
    let request: RouteRequest
}

extension Router {
    func open(_ request: RouteRequest) async throws -> RouteOutcome {
        try limits.check(request)
        // A modal page may take any time, so the deadlines of its callers are paused.
        return try await PausableStopwatch.pausing(request.presentation == .modal) {
            try await accept(request) { served in
                switch served.resource {
                case .object(let value): return .handled(value)
                case .page(let page): return await self.show(page, served.request)
                }
            }
        }
    }

    func object(_ request: RouteRequest) async throws -> any Sendable {
        try limits.check(request)
        return try await accept(request) { served in
            switch served.resource {
            case .object(let value): return value
            case .page:
                throw AtriumError(
                    .routeKind, served.request.uri.text, reason: "pageForObject", ["owner": .text(served.owner)])
            }
        }
    }

    func page(_ request: RouteRequest) async throws -> any Page {
        try limits.check(request)
        return try await accept(request) { served in
            switch served.resource {
            case .page(let page): return page
            case .object:
                throw AtriumError(
                    .routeKind, served.request.uri.text, reason: "objectForPage", ["owner": .text(served.owner)])
            }
        }
    }

    /// Returns whether a request would reach the interceptors of a route.
    func isReachable(_ request: RouteRequest) async -> Bool {
        do {
            try limits.check(request.uri, from: request.origin)
            return try await withRequestChain(request) {
                if case .served = try await retryingLookUp({ try await resolve(request) }) { return true }
                return try await onDemandProvider?.providingBundle(ofRoute: request.query) != nil
            }
        } catch {
            return false
        }
    }

    // On the main actor, because a task-local value's closure would otherwise run on the thread pool, which the first page would start.
    @MainActor
    private func show(_ page: any Page, _ request: RouteRequest) async -> RouteOutcome {
        await ShownAddress.$current.withValue(request.uri) {
            switch request.presentation {
            case .push:
                navigator.push(page)
                return .shown
            case .modal:
                return .dismissed(await navigator.present(page))
            }
        }
    }

    // MARK: From the request to the resource

    /// A closure that uses the resource of a request.
    typealias Use<R> = @Sendable (ServedRequest) async throws -> R

    /// Finds the route for a request, asks the interceptors, and passes the resource to a closure. If necessary, installs the bundle first.
    func accept<R: Sendable>(_ request: RouteRequest, _ use: @escaping Use<R>) async throws -> R {
        let opener = request.query.isOpening ? request.origin : nil
        return try await withRequestChain(request, by: opener) {
            try await lookUpAndInvoke(request, after: PassedInterceptors(), use)
        }
    }

    /// Runs a closure as the next step of the request chain.
    func withRequestChain<R>(
        _ request: RouteRequest, by opener: RequestOrigin? = nil, _ body: () async throws -> R
    ) async throws -> R {
        try PausableStopwatch.requireTime()
        let chain = try RequestChain.pushing(
            .address(request.uri.text), by: opener, for: request.origin, limit: limits.chainDepth)
        return try await chain.run(body)
    }

    /// Handles a request with the current routes.
    ///
    /// This is repeated after each suspension, because bundles may have been installed, removed or changed in the meantime.
    private func lookUpAndInvoke<R: Sendable>(
        _ request: RouteRequest, after passed: PassedInterceptors, _ use: @escaping Use<R>
    ) async throws -> R {
        try await retryingLookUp {
            switch try await resolve(request) {
            case .served(let match, let asked):
                return try await interceptAndInvoke(match, asked, request, after: passed, use)
            case .refused(let refusals): return try await installAndInvoke(request, refusals, after: passed, use)
            }
        }
    }

    /// The number of retries if a bundle is unloaded between finding it and calling it.
    private static let attempts = 100

    /// Runs a closure that finds routes and calls their bundles. If one of them is unloaded in between, runs it again.
    ///
    /// - Throws: ``AtriumError`` with code `bundleUnavailable` if this happens too often, and the errors of `body`.
    func retryingLookUp<R>(_ body: () async throws -> R) async throws -> R {
        for _ in 1..<Self.attempts {
            await provider.catchUp()
            do { return try await body() } catch is Lease.Revoked {}
        }
        await provider.catchUp()
        do {
            return try await body()
        } catch let gone as Lease.Revoked {
            throw AtriumError.unloaded(gone.owner)
        }
    }

    private func installAndInvoke<R: Sendable>(
        _ request: RouteRequest, _ refusals: RouteRefusals, after passed: PassedInterceptors, _ use: @escaping Use<R>
    ) async throws -> R {
        guard let onDemandProvider, let identifier = try await onDemandProvider.providingBundle(ofRoute: request.query)
        else {
            return try await answerUnhandled(request, refusals, use)
        }
        return try await onDemandProvider.withOnDemandInstall(identifier) {
            guard case .served(let match, let asked) = try await self.resolve(request) else {
                // If the bundle was uninstalled again, this throws the reason.
                _ = try await self.provider.resources(of: identifier)
                throw AtriumError(
                    .routeUnknown, request.uri.text, reason: "installedWithoutRoute", ["bundle": .text(identifier)])
            }
            return try await self.interceptAndInvoke(match, asked, request, after: passed, use)
        }
    }

    /// Asks the interceptors of a route and then gets the resource.
    private func interceptAndInvoke<R: Sendable>(
        _ match: RouteMatch, _ asked: ResourceRequest, _ request: RouteRequest, after passed: PassedInterceptors,
        _ use: @escaping Use<R>
    ) async throws -> R {
        switch try await runInterceptors(match, asked, request, after: passed) {
        case .passed:
            let resource = try await resource(of: match, asked, request)
            return try await use(ServedRequest(resource: resource, owner: match.route.owner, request: request))
        case .waited(let passed):
            return try await lookUpAndInvoke(request, after: passed, use)
        case .redirected(let uri, let isConfined):
            let redirected = request.redirected(to: uri)
            guard isConfined else { return try await accept(redirected, use) }
            return try await Lease.servingConfined { try await accept(redirected, use) }
        }
    }

    private func resource(
        of match: RouteMatch, _ asked: ResourceRequest, _ request: RouteRequest
    ) async throws -> Resource {
        let route = match.route
        switch route.service {
        case .declared(_, nil):
            let bundle = try await provider.loaded(route.owner)
            return try await bundle.lease.recordingPages {
                try await bundle.lease.naming(request.uri.text) {
                    try await withDeadlineOnMain(of: route) {
                        try await bundle.lease.invoking(.resource) { try await bundle.principal.resource(for: asked) }
                    }
                }
            }
        case .declared(_, let layout):
            // A page described by data makes requests on behalf of its bundle, whose code may never be loaded.
            let router = routing(for: .plugin(route.owner))
            do {
                return try await ResourceLoader(provider: provider).resource(
                    for: asked, in: route.owner, layout: layout, router: router)
            } catch let error as AtriumError where error.code == .resourceUnknown || error.code == .resourceInvalid {
                let (request, chain) = (request.uri.text, RequestChain.current?.path)
                throw AtriumError.from(
                    error, in: .init(bundle: route.owner, request: request, chain: chain ?? [request]))
            }
        case .code(let handler):
            guard let lease = route.lease else { return try await withDeadline(of: route) { try await handler(asked) } }
            return try await lease.recordingPages {
                try await lease.naming(request.uri.text) {
                    try await withDeadline(of: route) {
                        try await lease.invoking(.resource) { try await handler(asked) }
                    }
                }
            }
        }
    }

    /// Runs a route's code within the route's deadline.
    func withDeadline<R: Sendable>(
        of route: Route, _ body: @escaping @Sendable () async throws -> R
    ) async throws -> R {
        try await Deadline(route.deadline ?? limits.handlerDeadline, clock: clock).run(
            route.pattern.text, of: route.owner, body)
    }

    /// Runs a closure on the main actor within a route's deadline.
    func withDeadlineOnMain<R: Sendable>(
        of route: Route, _ body: @escaping @MainActor @Sendable () async throws -> R
    ) async throws -> R {
        try await Deadline(route.deadline ?? limits.handlerDeadline, clock: clock).runOnMain(
            route.pattern.text, of: route.owner, body)
    }
}

extension RouteMatch {
    /// Runs a closure as a call into the code that registered the route.
    ///
    /// - Throws: ``Lease/Revoked`` if that code was unloaded, and the errors of `body`.
    func countingCall<R>(_ body: () async throws -> R) async throws -> R {
        guard let lease = route.lease else { return try await body() }
        return try await lease.countingCall(body)
    }

    /// Calls the code that registered the route, inside a call that is already counted.
    ///
    /// See ``countingCall(_:)``.
    func invoking<R>(
        _ purpose: Lease.Purpose, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R
    ) async rethrows -> R {
        guard let lease = route.lease else { return try await body() }
        return try await lease.invoking(purpose, body)
    }
}
