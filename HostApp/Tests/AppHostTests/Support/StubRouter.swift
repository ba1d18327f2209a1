import PluginCore

/// A router with the behavior that a test gives to it.
struct StubRouter: Routing {
    let behavior: @MainActor @Sendable (ResourceURI) async throws -> RouteOutcome

    func open(
        _ uri: ResourceURI, userInfo: ActionParameters, presentation: Presentation
    ) async throws -> RouteOutcome {
        try await behavior(uri)
    }

    func object(for uri: ResourceURI, userInfo: ActionParameters) async throws -> any Sendable {
        throw AtriumError(.routeUnknown, uri.text)
    }

    func page(for uri: ResourceURI, userInfo: ActionParameters) async throws -> any Page {
        throw AtriumError(.routeUnknown, uri.text)
    }

    func canOpen(_ uri: ResourceURI) async -> Bool { true }

    func register(
        _ pattern: String, kind: RouteKind, options: RouteOptions, handler: @escaping RouteHandler
    ) async throws {}

    func intercept(_ pattern: String?, by interceptor: any RouteInterceptor) async throws {}

    func address(of pattern: String, _ parts: AddressParts, scheme: String?) throws -> ResourceURI {
        try ResourceURI(pattern)
    }

    func unregister(_ pattern: String) {}
}
