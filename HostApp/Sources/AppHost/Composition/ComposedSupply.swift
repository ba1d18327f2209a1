import PluginCore
import PluginRouter
import PluginRuntime

/// The bundles that the composition names for an address, before any other whose manifest matches it.
struct ComposedSupply: BundleSupply {
    let composed: ComposedRoutes
    let manager: BundleManager

    func supplier(ofRoute uri: ResourceURI, as kinds: Set<RouteKind>) async throws -> String? {
        for route in composed.matching(uri) where try kinds.contains(route.kind) && isOffered(route.owner) {
            return route.owner
        }
        if let member = composed.member(for: uri), try isOffered(member), try declares(member, uri, as: kinds) {
            return member
        }
        return try await manager.supplier(ofRoute: uri, as: kinds)
    }

    func supplier(ofTarget name: String) async throws -> TargetListing? {
        try await manager.supplier(ofTarget: name)
    }

    func supplier(ofService name: String) async throws -> String? {
        try await manager.supplier(ofService: name)
    }

    func patterns() async throws -> [String] {
        try await manager.patterns()
    }

    func withSupplied<R: Sendable>(
        _ identifier: String, _ use: @Sendable () async throws -> R
    ) async throws -> R {
        try await manager.withSupplied(identifier, use)
    }

    /// Whether the catalog has a bundle that the sandbox has not.
    private func isOffered(_ identifier: String) throws -> Bool {
        guard try manager.registry.installed(identifier) == nil else { return false }
        // As for the manager, a catalog that can not be reached offers nothing.
        return (try? manager.catalog.versions(of: identifier))?.isEmpty == false
    }

    /// Whether the newest version of an offered bundle would serve an address.
    private func declares(_ identifier: String, _ uri: ResourceURI, as kinds: Set<RouteKind>) throws -> Bool {
        guard let newest = try manager.catalog.versions(of: identifier).first else { return false }
        let package = try manager.catalog.package(BundleIdentity(identifier: identifier, version: newest))
        return package.manifest.serves(uri, as: kinds, converters: manager.converters)
    }
}
