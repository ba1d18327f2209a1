import Registry
import PluginCore
import PluginRouter
import Synchronization

/// The reaction to changes that other processes make to running bundles.
extension BundleManager {
    /// Sets the observer of running bundles that another process replaces or removes.
    public func onOutsideChange(_ observer: OutsideChangeObserver?) {
        changeObserver = observer
    }

    /// Refreshes if another process has changed the registry, and retires replaced versions without pages.
    ///
    /// It queries the registry, because the notification by the kernel may come later than a request.
    public nonisolated func catchUp() async {
        if isOutdated { await refresh() }
        if hasReplaced.load(ordering: .acquiring) { await retireReplaced() }
    }

    private nonisolated var isOutdated: Bool {
        let compared = compared.withLock { $0 }
        if case .needless = compared { return false }
        // The next reader reports an unreadable registry.
        guard let now = try? Result(catching: registry.generation).get() else { return false }
        return !compared.holds(in: now)
    }

    /// Compares the running bundles with the installed ones, and cuts off those that were replaced or removed.
    ///
    /// New requests go to the new version, if any. All bundles are cut off when this returns, but running calls may not have ended.
    public func refresh() async {
        let changes = cutOffOutdated()
        if !changes.isEmpty { await changeObserver?(changes) }
    }

    /// Runs without suspension, so that nothing is loaded meanwhile.
    private func cutOffOutdated() -> [OutsideChange] {
        let running = activations.mapValues(\.bundle)
        let known = Set(running.keys).union(replaced.map(\.bundle.identity.identifier))
        let found: (keys: [String: VersionKey], generation: RegistryGeneration?)
        do {
            found = try registry.active.keys(of: known.sorted())
        } catch {
            services.log("host", .error, "what was changed outside cannot be read: \(error)")
            return []
        }
        noteComparison(with: found.generation)
        var changes: [OutsideChange] = []
        for (identifier, bundle) in running.sorted(by: { $0.key < $1.key }) {
            let now = found.keys[identifier]
            guard now != bundle.key, let activation = cutOff(identifier) else { continue }
            startDeactivation(activation, now == nil ? .withdrawn : .replaced)
            changes.append(
                OutsideChange(
                    identifier: identifier, before: bundle.identity.version,
                    now: now?.identity.version))
        }
        for identifier in known where found.keys[identifier] == nil { endReplaced(identifier) }
        return changes
    }

    private func noteComparison(with generation: RegistryGeneration?) {
        let before = compared.withLock { compared in
            defer { compared = .made(generation) }
            return compared
        }
        // The registry was replaced by another file, possibly in another folder.
        if case .made(let before?) = before, watch != nil, before.connection != generation?.connection {
            watch = makeWatch()
        }
    }
}

extension BundleManager {
    /// Starts watching the registry; called before a bundle is looked up to be started.
    ///
    /// Later lookups are then never older than the state that is compared.
    func watchRegistry() {
        guard watch == nil else { return }
        let now = try? Result(catching: registry.generation).get()
        compared.withLock { $0 = now.map(Comparison.made) ?? .missing }
        watch = makeWatch()
    }

    /// Stops watching the registry until a bundle is started again.
    func stopWatching() {
        watch = nil
    }

    private func makeWatch() -> RegistryWatch? {
        do throws(AtriumError) {
            return try RegistryWatch(sandbox.registry, after: .milliseconds(500)) { [weak self] in
                guard let self, self.isOutdated else { return }
                Task { await self.refresh() }
            }
        } catch {
            // Requests check the registry themselves.
            services.log("host", .error, "changes of other processes are seen by requests alone: \(error)")
            return nil
        }
    }
}
