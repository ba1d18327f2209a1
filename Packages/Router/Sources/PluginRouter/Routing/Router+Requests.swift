import HostSystem
public import PluginCore

// A router makes requests, and registers what it registers, on behalf of its caller.
extension Router {
    /// Opens an address on behalf of the caller.
    @discardableResult
    public func open(
        _ uri: ResourceURI, userInfo: ActionParameters, presentation: Presentation
    ) async throws -> RouteOutcome {
        let request = try request(uri, as: RouteQuery.opened, userInfo, presentation)
        // A modal page may take any time, so the deadlines of its callers are paused.
        return try await PausableStopwatch.pausing(presentation == .modal) {
            try await handle(request) { served in
                switch served.resource {
                case .object(let value): return .handled(value)
                case .page(let page): return await self.show(page, served.request)
                }
            }
        }
    }

    /// Returns the object of an address on behalf of the caller.
    public func object(for uri: ResourceURI, userInfo: ActionParameters) async throws -> any Sendable {
        try await handle(request(uri, as: [.object], userInfo)) { served in
            if case .object(let value) = served.resource { return value }
            throw AtriumError(
                .routeKind, served.request.uri, reason: "pageForObject", ["owner": .text(served.owner)])
        }
    }

    /// Returns the page of an address on behalf of the caller, without showing it.
    public func page(for uri: ResourceURI, userInfo: ActionParameters) async throws -> any Page {
        try await handle(request(uri, as: RouteQuery.shown, userInfo)) { served in
            if case .page(let page) = served.resource { return page }
            throw AtriumError(
                .routeKind, served.request.uri, reason: "objectForPage", ["owner": .text(served.owner)])
        }
    }

    /// Returns a request of the caller, if it may make one.
    private func request(
        _ uri: ResourceURI, as kinds: Set<RouteKind>, _ userInfo: ActionParameters, _ presentation: Presentation = .push
    ) throws(AtriumError) -> RouteRequest {
        try lease?.requireOpen()
        try ports.limits.check(uri, from: origin)
        try ports.limits.check(userInfo, of: uri.text, from: origin)
        return RouteRequest(
            query: RouteQuery(uri, as: kinds, for: origin), userInfo: userInfo, presentation: presentation)
    }

    /// Returns whether an address has a route that the caller can reach.
    public func canOpen(_ uri: ResourceURI) async -> Bool {
        if lease?.isClosed == true { return false }
        if await isReachable(RouteQuery(uri, as: RouteQuery.opened, for: origin)) { return true }
        return await isReachable(RouteQuery(uri, as: [.object], for: origin))
    }

    /// Registers a route of the caller, with the claim that its bundle has on its addresses.
    public func register(
        _ pattern: String, kind: RouteKind, options: RouteOptions, handler: @escaping RouteHandler
    ) async throws {
        let lease = try requireLease(for: pattern)
        let pattern = try RoutePattern(pattern, converters: converters)
        try lease.requireOpen()
        let declared = try await directory.routes(withFirstSegments: pattern.firstSegments)
        try RouteList(declared).requireFree(pattern, of: lease.owner)
        let code = RegisteredCode(
            handler: handler, accepts: options.accepts, lease: lease,
            claim: try await claim(on: pattern, by: lease, declared))
        let route = Route(
            pattern: pattern, kind: kind, owner: lease.owner, guards: options.guards, service: .code(code),
            priority: options.priority, exposure: options.exposure, deadline: options.deadline,
            mayDecline: options.accepts != nil)
        try ports.registrationStore.update(under: lease) { registrations throws(AtriumError) in
            try registrations.routes.insert(route)
        }
    }

    /// Removes a route of the caller.
    public func unregister(_ pattern: String) {
        guard let lease, let pattern = try? RoutePattern(pattern, converters: converters) else { return }
        // A revoked lease has no registrations anymore.
        try? ports.registrationStore.update(under: lease) { $0.routes.remove(pattern, under: lease) }
    }

    /// Adds an interceptor to the caller's own routes.
    public func intercept(_ pattern: String?, by interceptor: any RouteInterceptor) async throws {
        let lease = try requireLease(for: pattern ?? interceptor.name)
        let key = try pattern.map { try RoutePattern($0, converters: converters).canonicalKey }
        let entry = RegisteredInterceptor(
            interceptor: interceptor, scope: key.map { .route($0) } ?? .bundle(lease.owner), owner: lease.owner,
            lease: lease)
        try ports.registrationStore.update(under: lease) { $0.intercept(entry) }
    }

    /// Returns the address that a pattern matches with the given captures.
    public func address(of pattern: String, _ parts: AddressParts, scheme: String?) throws -> ResourceURI {
        try RoutePattern(pattern, converters: converters).address(parts, scheme: scheme)
    }

    private func requireLease(for subject: String) throws(AtriumError) -> Lease {
        if let lease { return lease }
        throw AtriumError(.bundleUnavailable, subject, reason: "nothingRegistered", ["caller": "\(origin)"])
    }
}
