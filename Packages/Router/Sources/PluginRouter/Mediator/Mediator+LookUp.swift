import PluginCore

extension Mediator {
    /// Performs an action of a target that is not cached. Its bundle is found, loaded, and if necessary installed.
    func performLookedUp(
        _ action: String, on target: String, _ parameters: ActionParameters
    ) async throws -> any Sendable {
        if let listing = try await listing(of: target) {
            return try await perform(action, on: listing, parameters)
        }
        // Nothing is installed for a call that would be rejected.
        if let provider = ports.onDemandProvider, let offered = try await provider.providingBundle(ofTarget: target) {
            try offered.admit(origin, to: action)
            return try await provider.withOnDemandInstall(offered.owner) {
                guard let listing = try await self.listing(of: target) else {
                    // The installed manifest declares the target, so the bundle was uninstalled again because it could not be loaded.
                    throw AtriumError(.bundleNotInstalled, offered.owner, reason: "removedAgain")
                }
                return try await self.perform(action, on: listing, parameters)
            }
        }
        let known = try await ports.bundles.targetNames() + hostTargets.keys.sorted()
        let call = UnansweredCall(target: target, action: action, parameters: parameters, origin: origin)
        let unknown = AtriumError(.targetUnknown, target, nearest: Nearest.words(to: target, in: known))
        return try await answer(call, asking: notFound, otherwise: unknown)
    }

    /// Returns a target of the host, or one that an installed bundle declares, or nil.
    private func listing(of target: String) async throws -> TargetListing? {
        if hostTargets[target] != nil {
            return TargetListing(TargetDeclaration(name: target, actions: []), owner: ports.hostLease.owner)
        }
        await ports.bundles.catchUp()
        return try await ports.bundles.target(named: target)
    }

    private func perform(
        _ action: String, on listing: TargetListing, _ parameters: ActionParameters
    ) async throws -> any Sendable {
        // Exposure is checked before the bundle is loaded, so external callers cannot cause internal code to run.
        try listing.admit(origin, to: action)
        var next: TargetListing? = listing
        return try await ports.retrying {
            // If the bundle was replaced in the meantime, its successor handles the call, by its own manifest.
            if next == nil { next = try await ports.bundles.target(named: listing.name) }
            guard let current = next else { throw AtriumError.unloaded(listing.owner) }
            next = nil
            let target = try await bind(current)
            return try await target.lease.withActiveCall {
                guard target.actions[action]?.exposure.admits(origin, owner: target.lease.owner) == true else {
                    // The call will be rejected, so no code of the bundle runs.
                    return try await call(action, of: target, parameters)
                }
                return try await target.lease.invoking(.action) {
                    try await call(action, of: target, parameters)
                }
            }
        }
    }

    /// Caches a target under the lease of its bundle, which is loaded, or of the host.
    private func bind(_ listing: TargetListing) async throws -> BoundTarget {
        // Adding a guard removes its target from the cache, so both values must come from one snapshot.
        let registrations = ports.registrationStore.load()
        let (releases, guards) = (registrations.releases, registrations.guards)
        let (target, lease) = try await provided(listing)
        let bound = BoundTarget(target, listing: listing, lease: lease, guards: guards)
        // Calls of cached targets are not reported as first calls, so the target is cached only after one. If the lease was revoked,
        // nothing is cached, and the call fails when it starts.
        if lease.isUsed(for: .action) {
            try? ports.registrationStore.update(under: lease) {
                if $0.releases == releases { $0.targets[listing.name] = bound }
            }
        }
        return bound
    }

    @MainActor
    private func provided(_ listing: TargetListing) async throws -> (ActionTarget, Lease) {
        if let target = hostTargets[listing.name] { return (target, ports.hostLease) }
        let bundle = try await ports.bundles.loaded(listing.owner)
        let target = await bundle.lease.invoking(.question) { bundle.principal.target(named: listing.name) }
        guard let target else {
            throw AtriumError(.targetUnknown, listing.name, reason: .declaredOnly(listing.owner))
        }
        return (target, bundle.lease)
    }
}
