internal import PluginCore

/// Finds out what has to change when bundles are to come, move or go. It reads no files and changes nothing.
///
/// What is installed stays unless a wish or a range needs it to move, and then it moves up; only an explicit rollback goes
/// down; and on the way back, where nothing but what is kept is on offer, what cannot stay goes down too. Of several versions the
/// newest is tried first. Afterwards every bundle that came or moved has what it needs active
/// and in range, and what it needs on demand active in range or on offer in range; every other bundle has what it had. A
/// requirement that was broken before is nobody's obstacle, unless who has it is to be installed.
///
/// ```swift
/// let resolver = Resolver(
///     sandbox: RegistrySandbox(registry: registry), offers: CatalogOffers(catalog: catalog, registry: registry)
/// ) { identity in
///     quarantine.contains(identity) ? AtriumError(.quarantined, identity.description) : nil
/// }
/// let change = try resolver.plan([.install("com.example.app.shop")])
/// for step in change.steps { ... }
/// ```
struct Resolver {
    /// The active version of a bundle.
    struct Installed: Hashable, Sendable {
        let version: SemanticVersion
        let requirements: [BundleRequirement]
    }

    /// Where what cannot stay moves.
    enum Direction {
        /// To a newer version that is on offer.
        case up
        /// To the version that is kept. What is needed on demand is no obstacle then: the first call will tell.
        case back
    }

    /// How much work a plan may be: a step is one comparison of a version with a range. A catalog can be made so that the
    /// search has no end in a lifetime.
    static let stepLimit = 1_000_000

    /// Says why a version is not to be had, if so; throws when nobody can know just now, which is no reason to do with an older one.
    typealias Bar = (BundleIdentity) throws(AtriumError) -> AtriumError?

    let sandbox: any ResolverSandbox
    let offers: any ResolverOffers
    /// Why a version is not to be had though it is offered, if so. What is active is not asked about, nor what is rolled back to.
    let isBarred: Bar
    let stepLimit: Int
    let direction: Direction

    init(
        sandbox: any ResolverSandbox, offers: any ResolverOffers, stepLimit: Int = Self.stepLimit,
        direction: Direction = .up,
        isBarred: @escaping Bar = { _ in nil }
    ) {
        self.sandbox = sandbox
        self.offers = offers
        self.stepLimit = stepLimit
        self.direction = direction
        self.isBarred = isBarred
    }

    /// What has to change so that all wishes come true.
    ///
    /// - Throws: ``AtriumError`` with code `bundleUnknown`, `versionUnknown`, `bundleNotInstalled`, `downgrade`, what
    ///   `isBarred` says, `requirementUnmet` for what nobody offers, `dependencyConflict` with the chains that contradict each
    ///   other, `bundleNeeded`; `catalogUnreachable` when the offers are needed and cannot be read; and what is wrong with
    ///   the manifest of the version that is wished.
    func plan(_ wishes: [Wish]) throws(AtriumError) -> ResolvedChange {
        let universe = ResolverUniverse(self, wishes: try consistent(wishes))
        try universe.settleRemovals()
        var search = ResolverSearch(universe)
        let chosen = try search.solve()
        return try universe.change(to: chosen)
    }

    /// At most one wish for each bundle, in their order. An update gives way to what says more.
    private func consistent(_ wishes: [Wish]) throws(AtriumError) -> [Wish] {
        var order: [String] = []
        var wanted: [String: Wish] = [:]
        for wish in wishes {
            guard let other = wanted[wish.identifier] else {
                order.append(wish.identifier)
                wanted[wish.identifier] = wish
                continue
            }
            if other == .update(wish.identifier) { wanted[wish.identifier] = wish }
            guard wish != other, wish != .update(wish.identifier), other != .update(wish.identifier) else { continue }
            throw AtriumError(.dependencyConflict, wish.subject, detail: "two different things are asked of it at once")
        }
        return order.compactMap { wanted[$0] }
    }
}
