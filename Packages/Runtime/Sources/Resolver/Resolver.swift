package import PluginCore

/// Computes the changes that are needed to install, update, roll back or remove bundles, without reading files or changing anything.
///
/// Installed bundles keep their versions unless a request or a range requires a change, and then they move to a newer version.
/// Only an explicit rollback moves to an older one; in a rollback, where only kept versions are available, dependent bundles
/// may move back too. Newer versions are tried first. Afterwards, every installed or updated bundle has its requirements active
/// in range, and its on-demand requirements active or offered in range. Unchanged bundles keep satisfied requirements.
/// Requirements that were unsatisfied before are ignored, unless the bundle itself is to be installed.
///
/// ```swift
/// let resolver = Resolver(
///     sandbox: RegistrySandbox(registry: registry), offers: SealedOffers(offers, planner: planner)
/// ) { identity in
///     quarantine.contains(identity) ? AtriumError(.quarantined, identity.description) : nil
/// }
/// let change = try resolver.plan([.install("com.example.app.shop")])
/// for step in change.steps { ... }
/// ```
package struct Resolver {
    /// The active version of a bundle.
    package struct Installed: Hashable, Sendable {
        package let version: SemanticVersion
        package let requirements: [BundleRequirement]

        package init(version: SemanticVersion, requirements: [BundleRequirement]) {
            self.version = version
            self.requirements = requirements
        }
    }

    /// The direction in which bundles move that can't keep their version.
    package enum Direction {
        /// To a newer offered version.
        case up
        /// To the kept version. On-demand requirements are ignored then: they are checked at the first call.
        case back
    }

    /// The maximum number of steps of a plan, where a step compares a version with a range.
    ///
    /// A hostile catalog could make the search run practically forever.
    static let stepLimit = 1_000_000

    /// Returns the reason why a version is blocked, if it is; throws when that can't be determined, so that no older version is chosen.
    package typealias BlockRule = (BundleIdentity) throws(AtriumError) -> AtriumError?

    let sandbox: any ResolverSandbox
    let offers: any ResolverOffers
    /// Returns the reason why an offered version is blocked, if it is; not called for active versions and rollback targets.
    let blockRule: BlockRule
    let stepLimit: Int
    let direction: Direction

    package init(
        sandbox: any ResolverSandbox, offers: any ResolverOffers, stepLimit: Int = Self.stepLimit,
        direction: Direction = .up,
        blockRule: @escaping BlockRule = { _ in nil }
    ) {
        self.sandbox = sandbox
        self.offers = offers
        self.stepLimit = stepLimit
        self.direction = direction
        self.blockRule = blockRule
    }

    /// Computes the changes that fulfill all requests.
    ///
    /// - Throws: ``AtriumError`` with code `bundleUnknown`, `versionUnknown`, `bundleNotInstalled`, `downgrade`, the reason of
    ///   a blocked version, `requirementUnmet` for a requirement that no offered version meets, `dependencyConflict` with the
    ///   contradicting chains of requirements, `bundleNeeded`, `catalogUnreachable` when the offers are needed and can't be
    ///   read, and the errors in the manifest of a requested version.
    package func plan(_ requests: [ResolverRequest]) throws(AtriumError) -> ResolvedChange {
        let universe = ResolverUniverse(self, requests: try consistent(requests))
        try universe.resolveRemovals()
        var search = ResolverSearch(universe)
        let chosen = try search.solve()
        return try universe.change(to: chosen)
    }

    /// Returns at most one request for each bundle, in their order; an update yields to a more specific request.
    private func consistent(_ requests: [ResolverRequest]) throws(AtriumError) -> [ResolverRequest] {
        var order: [BundleIdentifier] = []
        var wanted: [BundleIdentifier: ResolverRequest] = [:]
        for request in requests {
            guard let other = wanted[request.identifier] else {
                order.append(request.identifier)
                wanted[request.identifier] = request
                continue
            }
            if other == .update(request.identifier) { wanted[request.identifier] = request }
            guard request != other, request != .update(request.identifier), other != .update(request.identifier) else {
                continue
            }
            throw AtriumError(
                .dependencyConflict, request.subject, reason: "requestedTwice")
        }
        return order.compactMap { wanted[$0] }
    }
}
