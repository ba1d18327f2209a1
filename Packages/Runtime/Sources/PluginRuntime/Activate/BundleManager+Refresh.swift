import PluginCore
import PluginRouter
import Synchronization

/// What other processes do to bundles that run here.
extension BundleManager {
    /// Has `observer` hear of bundles in use that another process replaces or removes, in place of whom it was before.
    public func onOutsideChange(_ observer: OutsideChangeObserver?) {
        changeObserver = observer
    }

    /// Refreshes, when another process has changed the registry since the last time, and retires what has no page any more.
    ///
    /// The registry is asked, and not the watch: the kernel wakes it when it can, and a request may be quicker.
    public nonisolated func catchUp() async {
        if isOutdated { await refresh() }
        if hasReplaced.load(ordering: .acquiring) { await retireReplaced() }
    }

    private nonisolated var isOutdated: Bool {
        let compared = compared.withLock { $0 }
        if case .needless = compared { return false }
        // A registry that cannot be read is told by whatever reads it next.
        guard let now = try? Result(catching: registry.generation).get() else { return false }
        return !compared.holds(in: now)
    }

    /// Compares what runs with what is installed: a version that was replaced is cut off and comes to its end, and the next
    /// request gets the one that is active now; so is one that was removed, and nothing takes its place.
    ///
    /// Whatever is cut off is cut off when this returns; calls that are in flight are not waited for.
    public func refresh() async {
        let changes = cutOffOutdated()
        if !changes.isEmpty { await changeObserver?(changes) }
    }

    /// One step, in which nothing can be loaded.
    private func cutOffOutdated() -> [OutsideChange] {
        let running = activations.mapValues(\.bundle)
        let known = Set(running.keys).union(replaced.map(\.bundle.identity.identifier))
        let found: (versions: [String: Registry.ActiveVersion], generation: RouteCache.Generation?)
        do {
            found = try registry.activeVersions(of: known.sorted())
        } catch {
            services.log("host", .error, "what was changed outside cannot be read: \(error)")
            return []
        }
        noteComparison(with: found.generation)
        var changes: [OutsideChange] = []
        for (identifier, bundle) in running.sorted(by: { $0.key < $1.key }) {
            let now = found.versions[identifier]
            guard now != bundle.activeVersion, let activation = cutOff(identifier) else { continue }
            comeToEnd(activation, now == nil ? .withdrawn : .replaced)
            changes.append(
                OutsideChange(
                    identifier: identifier, before: bundle.identity.version,
                    now: now.flatMap { SemanticVersion($0.version) }))
        }
        for identifier in known where found.versions[identifier] == nil { endReplaced(identifier) }
        return changes
    }

    private func noteComparison(with generation: RouteCache.Generation?) {
        let before = compared.withLock { compared in
            defer { compared = .made(generation) }
            return compared
        }
        // Another file, in a folder that may be another one too.
        if case .made(let before?) = before, watch != nil, before.connection != generation?.connection {
            watch = makeWatch()
        }
    }
}

extension BundleManager {
    /// Watches the registry from now on; called before a bundle is looked up in it to be started. What is started later was
    /// looked up later too, and so is not older than what it is compared with.
    func watchRegistry() {
        guard watch == nil else { return }
        let now = try? Result(catching: registry.generation).get()
        compared.withLock { $0 = now.map(Comparison.made) ?? .missing }
        watch = makeWatch()
    }

    /// What was replaced by others stays until somebody starts a bundle again.
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
            // Requests find out by themselves.
            services.log("host", .error, "changes of other processes are seen by requests alone: \(error)")
            return nil
        }
    }
}
