import PluginCore

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
        let route = Route(pattern, kind: kind, owner: lease.owner, options: options, handler: handler)
        try await router.register(route, under: lease)
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
            throw AtriumError(.bundleUnavailable, subject, detail: "nothing is registered for \(origin)")
        }
        return lease
    }
}

extension LeasedRouter: CustomReflectable {
    /// An empty mirror, because it would expose the host's router.
    var customMirror: Mirror { Mirror(self, children: []) }
}
