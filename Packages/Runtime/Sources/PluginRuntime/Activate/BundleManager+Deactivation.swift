import Registry
import PluginCore
import PluginRouter

/// The deactivation of versions.
extension BundleManager {
    /// The bundles in whose deactivation the current task runs, so that a bundle's last actions don't wait for themselves.
    @TaskLocal private static var ending: Set<String> = []

    /// Deactivates all bundles at the end of a session; each is informed, so that it can close its resources.
    public func deactivateAll() async {
        stopWatching()
        for identifier in activations.keys.sorted() { await deactivate(identifier) }
        for identifier in Set(endings.values.map(\.identifier)) { await ended(identifier) }
        for version in replaced { end(version) }
        crashMonitor.trials.end()
        records.write()
        versionLocks.releaseAll()
    }

    /// Deactivates a bundle: it receives no new requests, and running calls may end within the deadline.
    ///
    /// Requests from its open pages fail with `bundleUnavailable`.
    private func deactivate(_ identifier: String) async {
        if let activation = cutOff(identifier) { await drainAndUnload(activation, .ended) }
        await ended(identifier)
    }

    /// Cuts off replaced versions, and drains them without waiting.
    ///
    /// Waiting while holding the sandbox's lock would make other hosts wait for running calls. New requests go to the new
    /// versions; open pages stay usable.
    ///
    /// - Parameter successors: the versions that are active now; a request may have loaded them already.
    func replace(by successors: [PluginBundle]) {
        for successor in successors {
            let identifier = successor.identity.identifier
            guard activations[identifier]?.bundle != successor, let activation = cutOff(identifier) else { continue }
            startDeactivation(activation, .replaced)
        }
    }

    /// Cuts a bundle off from new requests immediately, even while it starts, because its successor may need its names.
    func cutOff(_ identifier: String) -> Activation? {
        guard let activation = activations.removeValue(forKey: identifier) else { return nil }
        registrationStore.revoke(activation.lease)
        return activation
    }

    /// Drains a bundle that was cut off.
    func drainAndUnload(_ activation: Activation, _ why: BundleState.Retirement) async {
        let identifier = activation.bundle.identity.identifier
        guard var active = try? await activation.active() else { return }
        active.drain()
        let calls = await active.lease.drained(within: drainDeadline)
        if calls > 0 {
            services.log(
                identifier, .error,
                "\(active.bundle.identity.version) goes while calls are in flight: \(calls) after \(drainDeadline)"
            )
        }
        await tell(active)
        active.drain()
        let version = ReplacedVersion(active, why)
        if why == .replaced { replaced.append(version) } else { end(version) }
        await retireReplaced()
    }

    /// Calls the bundle's unload function, with the deadline of a handler.
    private func tell(_ active: ActiveBundle) async {
        let (identity, principal, lease) = (active.bundle.identity, active.principal, active.lease)
        let deadline = connection?.router.handlerDeadline ?? Deadline(RouterLimits.standard.handlerDeadline)
        do {
            // On the actor of the principal object, so that its last reference outside the bundle is gone when this returns,
            // and its resources are closed before the process ends.
            try await deadline.runOnMain(identity.identifier, of: "its bundleWillUnload") {
                await lease.invoking(.ending) { await principal.bundleWillUnload() }
            }
        } catch {
            services.log(identity.identifier, .error, "\(identity.version) goes before it is done: \(error)")
        }
    }

    /// Drains a bundle that was cut off, without waiting for it.
    func startDeactivation(_ activation: Activation, _ why: BundleState.Retirement) {
        let (identifier, number) = (activation.bundle.identity.identifier, endingCount)
        endingCount += 1
        let task = Task {
            await Self.$ending.withValue(Self.ending.union([identifier])) {
                await drainAndUnload(activation, why)
            }
            endings[number] = nil
        }
        endings[number] = (identifier, task)
    }

    /// Waits until all versions of a bundle that were cut off are drained, except for their open pages.
    func ended(_ identifier: String) async {
        if Self.ending.contains(identifier) { return }
        for ending in endings.values where ending.identifier == identifier { await ending.task.value }
    }

    /// Retires replaced versions whose last page is closed.
    ///
    /// A page that isn't shown but still exists may be at work or leaked, so it gets as much time as running calls.
    func retireReplaced() async {
        guard !replaced.isEmpty, let navigator = connection?.navigator else { return }
        let shown = await navigator.pages
        for index in replaced.indices.reversed() {
            let version = replaced[index]
            let others = (activations.values.map(\.lease) + replaced.map(\.lease)).filter { $0 != version.lease }
            let own = version.own(shown, besides: others)
            for page in own { version.lease.pages.add(page) }
            if !own.isEmpty {
                version.deadline?.cancel()
                replaced[index].deadline = nil
            } else if version.lease.pages.isEmpty {
                end(replaced.remove(at: index))
            } else if version.deadline == nil {
                replaced[index].deadline = deadline(of: version.lease)
            }
        }
    }

    private func deadline(of lease: Lease) -> Task<Void, Never> {
        Task { [drainDeadline, weak self] in
            guard (try? await Task.sleep(for: drainDeadline)) != nil else { return }
            await self?.retireReplaced()
            // The page may be shown again by now.
            if !Task.isCancelled { await self?.endReplaced(lease) }
        }
    }

    private func endReplaced(_ lease: Lease) {
        guard let version = replaced.first(where: { $0.lease == lease }) else { return }
        end(version)
    }

    /// Retires all replaced versions of a removed bundle.
    func endReplaced(_ identifier: String) {
        for version in replaced where version.bundle.identity.identifier == identifier { end(version) }
    }

    /// Retires a version, regardless of its open pages.
    func end(_ version: ReplacedVersion) {
        replaced.removeAll { $0.lease == version.lease }
        var version = version
        version.retire()
        releaseIfUnused(version.bundle)
    }
}
