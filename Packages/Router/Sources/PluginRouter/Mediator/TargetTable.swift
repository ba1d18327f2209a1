import PluginCore

/// The targets that the mediator has found, each under the lease of the bundle that it belongs to.
struct TargetTable: Sendable {
    private(set) var bound: [String: BoundTarget] = [:]
    /// Targets that went with their bundle.
    private(set) var gone = GoneNames()
    /// How often some were forgotten: what was being looked up meanwhile is not remembered.
    private(set) var releases = 0

    /// Remembers a target, unless some were forgotten since it was looked up.
    mutating func insert(_ target: BoundTarget, releases: Int) {
        guard releases == self.releases else { return }
        bound[target.name] = target
        gone.remove(target.name)
    }

    /// Forgets a target; its bundle stays.
    mutating func release(_ name: String) {
        bound[name] = nil
        releases += 1
    }

    /// Takes away the targets that the lease holds.
    mutating func removeAll(under lease: Lease) {
        for (name, target) in bound where target.lease == lease {
            bound[name] = nil
            gone.insert(name, of: lease.owner)
        }
    }
}

/// A target as the mediator calls it: its actions beside who may call them.
final class BoundTarget: Sendable {
    final class BoundAction: Sendable {
        /// `Target.action`.
        let name: String
        let exposure: Exposure
        /// A Boolean value that indicates whether it is asked before routes.
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

    /// Holds what a bundle registers against what its manifest declares.
    ///
    /// - Parameter guards: the actions that are asked before routes, as `Target.action`.
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
