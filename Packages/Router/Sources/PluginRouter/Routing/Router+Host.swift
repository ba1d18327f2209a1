public import PluginCore

/// The router asks, and registers, as the host.
extension Router: Routing {
    private var own: any Routing { routing(for: .host) }

    /// Opens an address for the host; see `Routing`.
    @discardableResult
    public func open(
        _ uri: ResourceURI, userInfo: ActionParameters, presentation: Presentation
    ) async throws -> RouteOutcome {
        try await own.open(uri, userInfo: userInfo, presentation: presentation)
    }

    /// The object behind an address, for the host; see `Routing`.
    public func object(for uri: ResourceURI, userInfo: ActionParameters) async throws -> any Sendable {
        try await own.object(for: uri, userInfo: userInfo)
    }

    /// Returns whether the host could open an address; see `Routing`.
    public func canOpen(_ uri: ResourceURI) async -> Bool {
        await own.canOpen(uri)
    }

    /// Adds a route of the host; see `Routing`.
    public func register(
        _ pattern: String, kind: RouteKind, options: RouteOptions, handler: @escaping RouteHandler
    ) async throws {
        try await own.register(pattern, kind: kind, options: options, handler: handler)
    }

    /// Puts an interceptor in front of the host's own routes; see `Routing`. For those of others there is
    /// ``intercept(_:priority:by:)``.
    public func intercept(_ pattern: String?, by interceptor: any RouteInterceptor) async throws {
        try await own.intercept(pattern, by: interceptor)
    }

    /// The address that a pattern matches; see `Routing`.
    public func address(of pattern: String, _ parts: AddressParts, scheme: String?) throws -> ResourceURI {
        try own.address(of: pattern, parts, scheme: scheme)
    }

    /// Takes back a route of the host; see `Routing`.
    public func unregister(_ pattern: String) {
        own.unregister(pattern)
    }
}
