public import PluginCore

extension TestBundleContext {
    /// Returns the resource that a plugin provides for an address, by the routes in its manifest. Guards are not asked.
    ///
    /// - Parameters:
    ///   - address: The address as a user writes it.
    ///   - bundle: The plugin, started with ``context``.
    ///   - userInfo: The user info.
    /// - Throws: ``AtriumError`` with code `routeUnknown` if the manifest has no matching route, and the errors of the plugin.
    @MainActor
    public func resource(
        at address: String, of bundle: some BundleDelegate, userInfo: ActionParameters = [:]
    ) async throws -> Resource {
        let principal = Principal(bundle)
        for (route, request) in try manifest.requests(at: address, userInfo: userInfo) {
            if route.mayDecline, await !principal.accepts(request) { continue }
            guard let layout = route.layout else { return try await principal.resource(for: request) }
            return .page(
                try LayoutPage(layout, of: context.resources, parameters: request.parameters, router: router))
        }
        throw AtriumError(.routeUnknown, address, nearest: manifest.routes.map(\.pattern))
    }

    /// Returns the page at an address.
    ///
    /// - Throws: The errors of ``resource(at:of:userInfo:)``; ``AtriumError`` with code `routeKind` if it is not a page.
    @MainActor
    public func page(
        at address: String, of bundle: some BundleDelegate, userInfo: ActionParameters = [:]
    ) async throws -> any Page {
        guard case .page(let page) = try await resource(at: address, of: bundle, userInfo: userInfo) else {
            throw AtriumError(.routeKind, address, reason: "noPage")
        }
        return page
    }

    /// Returns the object at an address, or the result of its handler.
    ///
    /// - Throws: The errors of ``resource(at:of:userInfo:)``; ``AtriumError`` with code `routeKind` if it is a page.
    @MainActor
    public func object(
        at address: String, of bundle: some BundleDelegate, userInfo: ActionParameters = [:]
    ) async throws -> any Sendable {
        guard case .object(let object) = try await resource(at: address, of: bundle, userInfo: userInfo) else {
            throw AtriumError(.routeKind, address, reason: "aPage")
        }
        return object
    }
}
