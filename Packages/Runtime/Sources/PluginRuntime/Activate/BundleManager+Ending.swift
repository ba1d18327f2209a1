import PluginCore
import PluginRouter

/// How versions come to their end.
extension BundleManager {
    /// The bundles whose end the task is part of, so that what a bundle does on its way out does not wait for itself.
    @TaskLocal private static var ending: Set<String> = []

    /// Cuts off every bundle whose code runs, as at the end of a session: each is told that it goes, so that it can close
    /// what it has open.
    public func deactivateAll() async {
        stopWatching()
        for identifier in activations.keys.sorted() { await deactivate(identifier) }
        for identifier in Set(endings.values.map(\.identifier)) { await ended(identifier) }
        for version in replaced { end(version) }
        probation.trials.end()
        records.write()
        holds.releaseAll()
    }

    /// Cuts a bundle off: nothing new reaches it, and the calls in flight get their time to end. What its open pages ask for is
    /// `bundleUnavailable`.
    private func deactivate(_ identifier: String) async {
        if let activation = cutOff(identifier) { await windDown(activation, .ended) }
        await ended(identifier)
    }

    /// Lets nothing new reach versions that were replaced, and has them come to their end, which is not to be waited for with the
    /// sandbox's lock: calls in flight have their time, and others would wait for them. The next request gets what is active by
    /// now; open pages finish as they are.
    ///
    /// - Parameter successors: what is active by now; a request may have loaded it already.
    func replace(by successors: [PluginBundle]) {
        for successor in successors {
            let identifier = successor.identity.identifier
            guard activations[identifier]?.bundle != successor, let activation = cutOff(identifier) else { continue }
            comeToEnd(activation, .replaced)
        }
    }

    /// Lets nothing new reach a bundle; at once, even while it starts: its successor may want the names that it has.
    func cutOff(_ identifier: String) -> Activation? {
        guard let activation = activations.removeValue(forKey: identifier) else { return nil }
        board.revoke(activation.lease)
        return activation
    }

    /// Lets a bundle that was cut off come to its end.
    func windDown(_ activation: Activation, _ why: BundleState.Retirement) async {
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

    /// Tells a bundle that it goes, and waits for what it does then as long as for a handler.
    private func tell(_ active: ActiveBundle) async {
        let (identity, principal, lease) = (active.bundle.identity, active.principal, active.lease)
        let deadline = connection?.router.handlerDeadline ?? Deadline(RouterLimits.standard.handlerDeadline)
        do {
            // Where the principal lives: when this returns nobody but its bundle holds it any more, so that what it has open
            // is closed before the process ends.
            try await deadline.runOnMain(identity.identifier, of: "its bundleWillUnload") {
                await lease.trying(.ending) { await principal.bundleWillUnload() }
            }
        } catch {
            services.log(identity.identifier, .error, "\(identity.version) goes before it is done: \(error)")
        }
    }

    /// Has a bundle that was cut off come to its end, without waiting for it.
    func comeToEnd(_ activation: Activation, _ why: BundleState.Retirement) {
        let (identifier, number) = (activation.bundle.identity.identifier, endingCount)
        endingCount += 1
        let task = Task {
            await Self.$ending.withValue(Self.ending.union([identifier])) {
                await windDown(activation, why)
            }
            endings[number] = nil
        }
        endings[number] = (identifier, task)
    }

    /// Returns when all that came to an end of a bundle has done so, but for its pages.
    func ended(_ identifier: String) async {
        if Self.ending.contains(identifier) { return }
        for ending in endings.values where ending.identifier == identifier { await ending.task.value }
    }

    /// Retires each version whose last page has gone.
    ///
    /// A page that is not shown any more and still lives does something yet, or is kept by who has forgotten it: it has as much
    /// time as calls in flight have.
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
            // By now it may be shown again.
            if !Task.isCancelled { await self?.endReplaced(lease) }
        }
    }

    private func endReplaced(_ lease: Lease) {
        guard let version = replaced.first(where: { $0.lease == lease }) else { return }
        end(version)
    }

    /// Retires all replaced versions of a bundle that has gone.
    func endReplaced(_ identifier: String) {
        for version in replaced where version.bundle.identity.identifier == identifier { end(version) }
    }

    /// Retires a version, whatever it has open.
    func end(_ version: ReplacedVersion) {
        replaced.removeAll { $0.lease == version.lease }
        var version = version
        version.retire()
        letGo(version.bundle)
    }
}
