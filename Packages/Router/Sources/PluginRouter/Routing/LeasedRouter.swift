import PluginCore

/// A router for one caller: the host's ``Router``, or one that it hands out.
protocol CallerRouting: Routing {
    /// The router that handles the requests.
    var router: Router { get }
    /// The caller, which is fixed at creation.
    var origin: RequestOrigin { get }
    /// The lease of what is registered through this router, or nil if nothing can be registered.
    var lease: Lease? { get }
}

/// The router that is handed out to a caller.
struct LeasedRouter: CallerRouting, HostReference {
    let router: Router
    let origin: RequestOrigin
    let lease: Lease?
}

/// An object for a bundle that refers to objects of the host.
protocol HostReference: CustomReflectable {}

extension HostReference {
    /// An empty mirror, because it would expose the host's objects.
    var customMirror: Mirror { Mirror(self, children: []) }
}

extension CallerRouting {
    /// Opens an address on behalf of the caller.
    @discardableResult
    public func open(
        _ uri: ResourceURI, userInfo: ActionParameters, presentation: Presentation
    ) async throws -> RouteOutcome {
        try lease?.requireOpen()
        return try await router.open(
            RouteRequest(
                query: RouteQuery(uri, as: RouteQuery.opened, for: origin), userInfo: userInfo,
                presentation: presentation))
    }

    /// Returns the object of an address on behalf of the caller.
    public func object(for uri: ResourceURI, userInfo: ActionParameters) async throws -> any Sendable {
        try lease?.requireOpen()
        return try await router.object(
            RouteRequest(query: RouteQuery(uri, as: [.object], for: origin), userInfo: userInfo))
    }

    /// Returns the page of an address on behalf of the caller, without showing it.
    public func page(for uri: ResourceURI, userInfo: ActionParameters) async throws -> any Page {
        try lease?.requireOpen()
        return try await router.page(
            RouteRequest(query: RouteQuery(uri, as: RouteQuery.shown, for: origin), userInfo: userInfo))
    }

    /// Returns whether an address has a route that the caller can reach.
    public func canOpen(_ uri: ResourceURI) async -> Bool {
        if lease?.isClosed == true { return false }
        if await router.isReachable(RouteQuery(uri, as: RouteQuery.opened, for: origin)) { return true }
        return await router.isReachable(RouteQuery(uri, as: [.object], for: origin))
    }

    /// Registers a route of the caller.
    public func register(
        _ pattern: String, kind: RouteKind, options: RouteOptions, handler: @escaping RouteHandler
    ) async throws {
        let lease = try requireLease(for: pattern)
        let pattern = try RoutePattern(pattern, converters: router.converters)
        try await router.register(pattern, kind: kind, options: options, under: lease, handler: handler)
    }

    /// Removes a route of the caller.
    public func unregister(_ pattern: String) {
        guard let lease, let pattern = try? RoutePattern(pattern, converters: router.converters) else { return }
        // A revoked lease has no registrations anymore.
        try? router.ports.registrationStore.update(under: lease) { $0.routes.remove(pattern, under: lease) }
    }

    /// Adds an interceptor to the caller's own routes.
    public func intercept(_ pattern: String?, by interceptor: any RouteInterceptor) async throws {
        let lease = try requireLease(for: pattern ?? interceptor.name)
        let scope = try pattern.map {
            InterceptorScope.route(of: try RoutePattern($0, converters: router.converters))
        }
        let entry = InterceptorTable.Entry(
            interceptor: interceptor, scope: scope ?? .bundle(lease.owner), owner: lease.owner, lease: lease)
        try router.ports.registrationStore.update(under: lease) { $0.intercept(entry) }
    }

    /// Returns the address that a pattern matches with the given captures.
    public func address(of pattern: String, _ parts: AddressParts, scheme: String?) throws -> ResourceURI {
        try RoutePattern(pattern, converters: router.converters).address(parts, scheme: scheme)
    }

    private func requireLease(for subject: String) throws(AtriumError) -> Lease {
        if let lease { return lease }
        throw AtriumError(.bundleUnavailable, subject, reason: "nothingRegistered", ["caller": "\(origin)"])
    }
}
