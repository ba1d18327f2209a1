/// From an address to the resource behind it: the provider's bundle, its principal object, the resource.
///
/// A route that names a page layout is served from the bundle's resources alone, without loading its code.
public struct BusAccessor: Sendable {
    private let provider: any BundleProvider

    /// An accessor that gets its bundles from `provider`.
    public init(provider: any BundleProvider) {
        self.provider = provider
    }

    /// What `bundle` answers the request with.
    ///
    /// - Parameters:
    ///   - request: what is asked for, matched and decoded.
    ///   - bundle: the identifier of the bundle that declares the route.
    ///   - layout: `layout/pageId` when the route is a page described by data.
    ///   - router: opens the addresses of such a page's actions.
    /// - Throws: what the provider throws, and what the bundle throws.
    @MainActor
    public func resource(
        for request: ResourceRequest, in bundle: String, layout: String? = nil, router: any Routing
    ) async throws -> Resource {
        if let layout {
            let resources = try await provider.resources(of: bundle)
            let screen = try resources.screen(layout)
            return .page(
                LayoutPage(screen, parameters: request.parameters, router: router) {
                    resources.string($0)
                } onMissingParameter: {
                    resources.report(missingParameter: $0, of: layout)
                }
            )
        }
        return try await provider.principal(of: bundle).resource(for: request)
    }
}
