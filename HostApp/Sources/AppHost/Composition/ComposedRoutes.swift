import PluginCore
public import PluginRouter
internal import PluginRuntime

/// A composition with the routes that its rules make.
public struct ComposedRoutes: Sendable {
    /// The app's parts.
    public let composition: Composition
    /// One route a rule.
    public let routes: [Route]

    /// No rules.
    public static let none = ComposedRoutes(composition: .empty, routes: [])

    /// The rules that match an address.
    func matching(_ uri: ResourceURI) -> [Route] {
        routes.filter { $0.pattern.captures(from: uri) != nil }
    }

    /// The bundle whose addresses start like `uri`, or `nil`.
    func member(for uri: ResourceURI) -> String? {
        guard let first = uri.segments.first else { return nil }
        return composition.bundles.first { Nearest.distance($0.uri, first) == 0 }?.pkg
    }
}

/// The rules of the composition before the routes of the manifests.
struct ComposedDirectory: RouteDirectory {
    let composed: ComposedRoutes
    let registry: Registry

    func routes(withHeads heads: [String]) async throws -> [Route] {
        let rules = try composed.routes.filter { route in
            try heads.contains(route.pattern.head) && registry.installed(route.owner) != nil
        }
        return rules + (try registry.routes(withHeads: heads))
    }

    func patterns() async throws -> [String] {
        composed.routes.map(\.pattern.text) + (try registry.patterns())
    }
}

/// The bundles that the composition names for an address, before the ones whose manifests match it.
struct ComposedSupply: BundleSupply {
    let composed: ComposedRoutes
    let manager: BundleManager

    func supplier(ofRoute uri: ResourceURI) async throws -> String? {
        for route in composed.matching(uri) where try manager.registry.installed(route.owner) == nil {
            if try !manager.catalog.versions(of: route.owner).isEmpty { return route.owner }
        }
        return try await manager.supplier(ofRoute: uri)
    }

    func supplier(ofTarget name: String) async throws -> String? {
        try await manager.supplier(ofTarget: name)
    }

    func patterns() async throws -> [String] {
        try await manager.patterns()
    }

    func withSupplied<R: Sendable>(
        _ identifier: String, _ use: @Sendable () async throws -> R
    ) async throws -> R {
        try await manager.withSupplied(identifier, use)
    }
}
