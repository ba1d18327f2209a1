/// A type that finds bundles by identifier and starts them.
public protocol BundleProvider: Sendable {
    /// Returns the principal object of a bundle, loading the bundle on first use.
    ///
    /// - Throws: ``AtriumError`` with the reason why the bundle is not available.
    func principal(of identifier: String) async throws -> Principal

    /// Returns the resources of a bundle without loading its code.
    func resources(of identifier: String) async throws -> BundleResources
}

/// The loader of the resource for a matched request from the bundle that declares the route.
///
/// A route that names a page layout uses only the bundle's resources; no code is loaded for it.
public struct ResourceLoader: Sendable {
    private let provider: any BundleProvider

    /// Creates a loader that gets its bundles from a provider.
    public init(provider: any BundleProvider) {
        self.provider = provider
    }

    /// Returns the resource that a bundle provides for a request.
    ///
    /// - Parameters:
    ///   - request: The request, matched and decoded.
    ///   - bundle: The identifier of the bundle that declares the route.
    ///   - layout: `layout/pageId` if the route is a page described by data.
    ///   - router: Opens the addresses of that page's actions.
    /// - Throws: The errors of the provider and of the bundle.
    @MainActor
    public func resource(
        for request: ResourceRequest, in bundle: String, layout: String? = nil, router: any Routing
    ) async throws -> Resource {
        if let layout {
            let resources = try await provider.resources(of: bundle)
            return .page(try LayoutPage(layout, of: resources, parameters: request.parameters, router: router))
        }
        return try await provider.principal(of: bundle).resource(for: request)
    }
}
