public import PluginCore

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
