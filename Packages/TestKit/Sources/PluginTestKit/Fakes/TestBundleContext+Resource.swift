public import PluginCore

extension TestBundleContext {
    /// What a plugin answers an address with, by the routes in its manifest. Guards are not asked.
    ///
    /// - Parameters:
    ///   - address: spelt as a user would.
    ///   - principal: the plugin, loaded with ``context``.
    ///   - userInfo: what is sent along.
    /// - Throws: ``AtriumError`` with code `routeUnknown` when the manifest has no route for it, and what the plugin
    ///   throws.
    @MainActor
    public func resource(
        at address: String, of principal: any BundleDelegate, userInfo: ActionParameters = [:]
    ) async throws -> Resource {
        for (route, request) in try manifest.requests(at: address, userInfo: userInfo) {
            if route.mayDecline, await !principal.accepts(request) { continue }
            guard let layout = route.layout else { return try await principal.resource(for: request) }
            let resources = context.resources
            return .page(
                LayoutPage(try resources.screen(layout), parameters: request.parameters, router: router) {
                    resources.string($0)
                }
            )
        }
        throw AtriumError(.routeUnknown, address, nearest: manifest.routes.map(\.pattern))
    }

    /// The page at an address.
    ///
    /// - Throws: as ``resource(at:of:userInfo:)``; ``AtriumError`` with code `routeKind` when it is no page.
    @MainActor
    public func page(
        at address: String, of principal: any BundleDelegate, userInfo: ActionParameters = [:]
    ) async throws -> any Page {
        guard case .page(let page) = try await resource(at: address, of: principal, userInfo: userInfo) else {
            throw AtriumError(.routeKind, address, detail: "it is no page")
        }
        return page
    }

    /// The object at an address, or what its handler returns.
    ///
    /// - Throws: as ``resource(at:of:userInfo:)``; ``AtriumError`` with code `routeKind` when it is a page.
    @MainActor
    public func object(
        at address: String, of principal: any BundleDelegate, userInfo: ActionParameters = [:]
    ) async throws -> any Sendable {
        guard case .object(let object) = try await resource(at: address, of: principal, userInfo: userInfo) else {
            throw AtriumError(.routeKind, address, detail: "it is a page")
        }
        return object
    }
}
