public import PluginCore

/// The router for one caller. The caller is fixed at creation and cannot be changed through this interface.
struct LeasedRouter: Routing {
    let router: Router
    let origin: RequestOrigin
    /// The lease of what is registered through this router, or nil if nothing can be registered.
    let lease: Lease?

    func open(
        _ uri: ResourceURI, userInfo: ActionParameters, presentation: Presentation
    ) async throws -> RouteOutcome {
        try lease?.requireOpen()
        return try await router.open(
            RouteRequest(uri, as: RouteQuery.opened, for: origin, userInfo: userInfo, presentation: presentation))
    }

    func object(for uri: ResourceURI, userInfo: ActionParameters) async throws -> any Sendable {
        try lease?.requireOpen()
        return try await router.object(RouteRequest(uri, as: [.object], for: origin, userInfo: userInfo))
    }

    func page(for uri: ResourceURI, userInfo: ActionParameters) async throws -> any Page {
        try lease?.requireOpen()
        return try await router.page(RouteRequest(uri, as: RouteQuery.shown, for: origin, userInfo: userInfo))
    }

    func canOpen(_ uri: ResourceURI) async -> Bool {
        if lease?.isClosed == true { return false }
        if await router.isReachable(RouteRequest(uri, as: RouteQuery.opened, for: origin)) { return true }
        return await router.isReachable(RouteRequest(uri, as: [.object], for: origin))
    }

    func register(
        _ pattern: String, kind: RouteKind, options: RouteOptions, handler: @escaping RouteHandler
    ) async throws {
        let lease = try requireLease(for: pattern)
        let pattern = try RoutePattern(pattern, converters: router.converters)
        try await router.register(pattern, kind: kind, options: options, under: lease, handler: handler)
    }

    func unregister(_ pattern: String) {
        guard let lease, let pattern = try? RoutePattern(pattern, converters: router.converters) else { return }
        router.unregister(pattern, under: lease)
    }

    func intercept(_ pattern: String?, by interceptor: any RouteInterceptor) async throws {
        let lease = try requireLease(for: pattern ?? interceptor.name)
        let place = try pattern.map {
            InterceptorTable.Place.route(try RoutePattern($0, converters: router.converters))
        }
        try router.registrationStore.update(under: lease) { registrations in
            registrations.intercept(
                by: interceptor, at: place ?? .bundle(lease.owner), priority: 0, onlyOf: lease.owner, under: lease)
        }
    }

    func address(of pattern: String, _ parts: AddressParts, scheme: String?) throws -> ResourceURI {
        try RoutePattern(pattern, converters: router.converters).address(parts, scheme: scheme)
    }

    private func requireLease(for subject: String) throws(AtriumError) -> Lease {
        guard let lease else {
            throw AtriumError(.bundleUnavailable, subject, reason: "nothingRegistered", ["caller": "\(origin)"])
        }
        return lease
    }
}

extension LeasedRouter: CustomReflectable {
    /// An empty mirror, because it would expose the host's router.
    var customMirror: Mirror { Mirror(self, children: []) }
}

extension Router {
    func register(
        _ pattern: RoutePattern, kind: RouteKind, options: RouteOptions, under lease: Lease,
        handler: @escaping RouteHandler
    ) async throws {
        try lease.requireOpen()
        let declared = try await directory.routes(withFirstSegments: pattern.firstSegments)
        for other in declared {
            let canonicalKeys = Set(other.pattern.canonicalKeys)
            guard let expansion = pattern.expansions.first(where: { canonicalKeys.contains($0.canonicalKey) })
            else { continue }
            throw AtriumError.routeConflict(
                pattern, of: lease.owner, with: other.pattern, of: other.owner, at: expansion
            )
        }
        let claim = try await claim(on: pattern, by: lease, declared)
        let route = Route(pattern, kind: kind, options: options, under: lease, claim: claim, handler: handler)
        try registrationStore.update(under: lease) { registrations throws(AtriumError) in
            try registrations.routes.insert(route)
        }
    }

    func unregister(_ pattern: RoutePattern, under lease: Lease) {
        // A revoked lease has no registrations anymore.
        try? registrationStore.update(under: lease) { $0.routes.remove(pattern, under: lease) }
    }
}

/// Requests and registrations on behalf of the host.
extension Router: Routing {
    private var own: any Routing { routing(for: .host) }

    /// Opens an address on behalf of the host.
    @discardableResult
    public func open(
        _ uri: ResourceURI, userInfo: ActionParameters, presentation: Presentation
    ) async throws -> RouteOutcome {
        try await own.open(uri, userInfo: userInfo, presentation: presentation)
    }

    /// Returns the object of an address on behalf of the host.
    public func object(for uri: ResourceURI, userInfo: ActionParameters) async throws -> any Sendable {
        try await own.object(for: uri, userInfo: userInfo)
    }

    /// Returns the page of an address on behalf of the host, without showing it.
    public func page(for uri: ResourceURI, userInfo: ActionParameters) async throws -> any Page {
        try await own.page(for: uri, userInfo: userInfo)
    }

    /// Returns whether an address has a route that the host can reach.
    public func canOpen(_ uri: ResourceURI) async -> Bool {
        await own.canOpen(uri)
    }

    /// Registers a route of the host.
    public func register(
        _ pattern: String, kind: RouteKind, options: RouteOptions, handler: @escaping RouteHandler
    ) async throws {
        try await own.register(pattern, kind: kind, options: options, handler: handler)
    }

    /// Adds an interceptor to the host's own routes.
    ///
    /// For the routes of others, use ``intercept(_:priority:by:)``.
    public func intercept(_ pattern: String?, by interceptor: any RouteInterceptor) async throws {
        try await own.intercept(pattern, by: interceptor)
    }

    /// Returns the address that a pattern matches with the given captures.
    public func address(of pattern: String, _ parts: AddressParts, scheme: String?) throws -> ResourceURI {
        try own.address(of: pattern, parts, scheme: scheme)
    }

    /// Removes a route of the host.
    public func unregister(_ pattern: String) {
        own.unregister(pattern)
    }
}
