import PluginCore

/// The router as one bundle sees it.
struct LeasedRouter: Routing {
    let router: Router
    let lease: Lease

    func open(
        _ uri: ResourceURI, userInfo: ActionParameters, presentation: Presentation
    ) async throws -> RouteOutcome {
        try await router.open(uri, userInfo: userInfo, presentation: presentation)
    }

    func object(for uri: ResourceURI, userInfo: ActionParameters) async throws -> any Sendable {
        try await router.object(for: uri, userInfo: userInfo)
    }

    func canOpen(_ uri: ResourceURI) async -> Bool {
        await router.canOpen(uri)
    }

    func intercept(_ pattern: String?, by interceptor: any RouteInterceptor) async throws {
        throw AtriumError(.routeDenied, interceptor.name, detail: "interceptors are not wired in")
    }

    func address(of pattern: String, _ parts: AddressParts, scheme: String?) throws -> ResourceURI {
        try RoutePattern(pattern).address(parts, scheme: scheme)
    }

    func register(
        _ pattern: String, kind: RouteKind, options: RouteOptions, handler: @escaping RouteHandler
    ) async throws {
        let route = Route(
            pattern: try RoutePattern(pattern), kind: kind, owner: lease.owner, guards: options.guards,
            service: .code(handler)
        )
        try await router.register(route, under: lease)
    }

    func unregister(_ pattern: String) {
        guard let pattern = try? RoutePattern(pattern) else { return }
        router.unregister(pattern, under: lease)
    }
}
