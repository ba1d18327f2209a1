import PluginCore

extension Mediator {
    /// The number of retries if a bundle is unloaded between looking it up and calling it.
    private static let attempts = 100

    /// Performs an action of a target that is not cached. Its bundle is found, loaded, and if necessary installed.
    func performLookedUp(
        _ action: String, on target: String, _ parameters: ActionParameters, for caller: Caller
    ) async throws -> any Sendable {
        if let host = hostTargets[target] { return try await perform(action, onHost: host, parameters, for: caller) }
        await bundles.catchUp()
        if let listing = try await bundles.target(named: target) {
            return try await perform(action, on: listing, parameters, for: caller)
        }
        // Nothing is installed for a call that would be rejected.
        if let onDemandProvider, let offered = try await onDemandProvider.providingBundle(ofTarget: target) {
            try offered.admit(caller.origin, to: action)
            return try await onDemandProvider.withOnDemandInstall(offered.owner) {
                guard let listing = try await self.bundles.target(named: target) else {
                    // The installed manifest declares the target, so the bundle was uninstalled again because it could not be loaded.
                    throw AtriumError(
                        .bundleNotInstalled, offered.owner, reason: "removedAgain")
                }
                return try await self.perform(action, on: listing, parameters, for: caller)
            }
        }
        if let owner = registrationStore.load().targets.tombstones[target] {
            throw AtriumError(.bundleUnavailable, owner, reason: "unloadedProvider", ["name": .text(target)])
        }
        let unknown = AtriumError(
            .targetUnknown, target,
            nearest: Nearest.words(to: target, in: try await bundles.targetNames() + hostTargets.keys.sorted())
        )
        let call = UnansweredCall(target: target, action: action, parameters: parameters, origin: caller.origin)
        return try await answer(call, asking: notFound.map { [$0] } ?? [], otherwise: unknown)
    }

    /// Performs an action of a host's target and caches the target.
    private func perform(
        _ action: String, onHost target: ActionTarget, _ parameters: ActionParameters, for caller: Caller
    ) async throws -> any Sendable {
        // Adding a guard removes its target from the cache, so both values must come from one snapshot.
        let registrations = registrationStore.load()
        let (releases, guards) = (registrations.targets.releases, registrations.interceptors.guards)
        let listing = TargetListing(TargetDeclaration(name: target.name, actions: []), owner: hostLease.owner)
        try listing.admit(caller.origin, to: action)
        let bound = BoundTarget(target, listing: listing, lease: hostLease, guards: guards)
        try registrationStore.update(under: hostLease) { $0.targets.insert(bound, releases: releases) }
        guard hostLease.begin() else { throw AtriumError.unloaded(hostLease.owner) }
        defer { hostLease.end() }
        return try await call(action, of: bound, parameters, for: caller)
    }

    private func perform(
        _ action: String, on listing: TargetListing, _ parameters: ActionParameters, for caller: Caller
    ) async throws -> any Sendable {
        // Exposure is checked before the bundle is loaded, so external callers cannot cause internal code to run.
        try listing.admit(caller.origin, to: action)
        var listing = listing
        for _ in 0..<Self.attempts {
            let target = try await bind(listing)
            if target.lease.begin() {
                defer { target.lease.end() }
                let served = target.actions[action]
                guard let served, caller.mayCall(served.exposure, of: target.lease.owner) else {
                    // The call will be rejected, so no code of the bundle runs.
                    return try await call(action, of: target, parameters, for: caller)
                }
                return try await target.lease.invoking(.action) {
                    try await call(action, of: target, parameters, for: caller)
                }
            }
            // The bundle was replaced in the meantime. Its successor handles the call, by its own manifest.
            guard let current = try await bundles.target(named: listing.name) else { break }
            listing = current
        }
        throw AtriumError.unloaded(listing.owner)
    }

    /// Loads the target's bundle and caches the target under the bundle's lease.
    private func bind(_ listing: TargetListing) async throws -> BoundTarget {
        // Adding a guard removes its target from the cache, so both values must come from one snapshot.
        let registrations = registrationStore.load()
        let (releases, guards) = (registrations.targets.releases, registrations.interceptors.guards)
        let bundle = try await bundles.loaded(listing.owner)
        guard let target = await Self.target(named: listing.name, of: bundle) else {
            throw AtriumError(
                .targetUnknown, listing.name, reason: .declaredOnly(listing.owner))
        }
        let bound = BoundTarget(target, listing: listing, lease: bundle.lease, guards: guards)
        // Calls of cached targets are not reported as first calls, so the target is cached only after one. If the lease was revoked,
        // nothing is cached, and the call fails when it starts.
        if bundle.lease.isUsed(for: .action) {
            try? registrationStore.update(under: bundle.lease) { $0.targets.insert(bound, releases: releases) }
        }
        return bound
    }

    @MainActor
    private static func target(named name: String, of bundle: LoadedBundle) async -> ActionTarget? {
        await bundle.lease.invoking(.question) { bundle.principal.target(named: name) }
    }
}
