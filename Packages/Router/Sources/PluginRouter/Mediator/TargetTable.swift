import PluginCore

/// The cached targets of the mediator, each under the lease of its bundle.
struct TargetTable: Sendable {
    private(set) var bound: [String: BoundTarget] = [:]
    /// The targets of unloaded bundles.
    private(set) var tombstones = Tombstones()
    /// The number of removals from the cache. A target that was looked up before the latest removal is not cached.
    private(set) var releases = 0

    /// Caches a target, unless targets were removed from the cache after it was looked up.
    mutating func insert(_ target: BoundTarget, releases: Int) {
        guard releases == self.releases else { return }
        bound[target.name] = target
        tombstones.remove(target.name)
    }

    /// Removes a target from the cache. Its bundle remains loaded.
    mutating func release(_ name: String) {
        bound[name] = nil
        releases += 1
    }

    /// Removes the targets of a lease.
    mutating func removeAll(under lease: Lease) {
        for (name, target) in bound where target.lease == lease {
            bound[name] = nil
            tombstones.insert(name, of: lease.owner)
        }
    }
}

/// A target as the mediator calls it: its actions with their exposures.
final class BoundTarget: Sendable {
    final class BoundAction: Sendable {
        /// The target and the action.
        let name: String
        let exposure: Exposure
        /// A Boolean value that indicates whether the action is a guard of routes.
        let isGuard: Bool
        let body: Action.Body

        init(name: String, exposure: Exposure, isGuard: Bool, body: @escaping Action.Body) {
            self.name = name
            self.exposure = exposure
            self.isGuard = isGuard
            self.body = body
        }
    }

    let name: String
    let lease: Lease
    let actions: [String: BoundAction]
    let notFound: ActionTarget.NotFound?
    let listing: TargetListing

    /// Combines the target that a bundle provides with the one that its manifest declares.
    ///
    /// - Parameter guards: The actions that are guards of routes, as `Target.action`.
    init(_ target: ActionTarget, listing: TargetListing, lease: Lease, guards: Set<String> = []) {
        name = listing.name
        self.lease = lease
        self.listing = listing
        notFound = target.notFound
        var actions: [String: BoundAction] = [:]
        for name in target.actionNames {
            guard let action = target.action(name) else { continue }
            let path = "\(listing.name).\(name)"
            actions[name] = BoundAction(
                name: path, exposure: listing.exposure(of: name), isGuard: guards.contains(path), body: action.body
            )
        }
        self.actions = actions
    }
}
