import BundleFormat
import Registry
import PluginCore
import PluginRouter
import PluginRuntime

/// The on-demand provider that prefers the bundle named by the composition over other bundles that match an address.
struct ComposedOnDemandProvider: OnDemandProvider {
    let composed: ComposedRoutes
    let installer: OnDemandInstaller

    func providingBundle(ofRoute query: RouteQuery) async throws -> String? {
        guard let named = try named(for: query) else { return try await installer.providingBundle(ofRoute: query) }
        // Even if the bundle cannot be installed, no other bundle may serve its addresses.
        return installer.refusal(of: named) == nil ? named.identity.identifier : nil
    }

    func refusal(ofRoute query: RouteQuery) async throws -> AtriumError? {
        guard let named = try named(for: query) else { return try await installer.refusal(ofRoute: query) }
        return installer.refusal(of: named)
    }

    /// Returns the manifest of the bundle that the composition names for an address, if it is offered and matches.
    private func named(for query: RouteQuery) throws -> Manifest? {
        let converters = installer.offers.converters
        for (rule, _) in composed.rules(matching: query.uri) where try isOffered(rule.owner) {
            // The manifest is asked as it will be after the install, because the page's own guards and exposure count.
            guard let manifest = try installer.offers.offer(of: rule.owner) else { continue }
            if query.isServed(by: rule.route(in: manifest, converters)) { return manifest }
        }
        if let member = composed.member(for: query.uri), try isOffered(member),
            let manifest = try installer.offers.offer(of: member)
        {
            if manifest.serves(query, converters: converters) { return manifest }
            if let entry = composed.entries(matching: query.uri).first?.rule, entry.owner == member,
                manifest.entryPage(converters) != nil, query.isServed(by: entry.route(in: manifest, converters))
            {
                return manifest
            }
        }
        return nil
    }

    func providingBundle(ofTarget name: String) async throws -> TargetListing? {
        try await installer.providingBundle(ofTarget: name)
    }

    func providingBundle(ofService name: String) async throws -> String? {
        try await installer.providingBundle(ofService: name)
    }

    func patterns() async throws -> [String] {
        try await installer.patterns()
    }

    func withOnDemandInstall<R: Sendable>(
        _ identifier: String, _ use: @Sendable () async throws -> R
    ) async throws -> R {
        try await installer.withOnDemandInstall(identifier, use)
    }

    /// Returns whether the catalog offers a bundle that is not installed.
    private func isOffered(_ identifier: String) throws -> Bool {
        guard try installer.registry.active.bundle(identifier) == nil else { return false }
        // As in the installer, an unreachable catalog offers nothing.
        return (try? installer.offers.catalog.versions(of: identifier))?.isEmpty == false
    }
}
