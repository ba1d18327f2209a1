public import PluginCore
import PluginRouter
import Registry
import Synchronization

/// A change that another process has made to a running bundle.
public struct OutsideChange: Hashable, Sendable {
    /// The identifier of the bundle.
    public let identifier: BundleIdentifier
    /// The version that was running.
    public let before: SemanticVersion
    /// The version that is active now; `nil` when none is.
    public let now: SemanticVersion?
}

/// A closure that receives the changes of other processes to running bundles; simultaneous changes come in one call.
public typealias OutsideChangeObserver = @MainActor @Sendable ([OutsideChange]) -> Void

/// The reaction to changes that other processes make to running bundles.
@MainActor
public final class LiveUpdates: SandboxPart {
    package nonisolated let transactions: SandboxTransactions
    /// The generation of the registry with which the running bundles were last compared; without one, a comparison is due.
    ///
    /// `nil` as long as no bundle was started, so that there is nothing to compare.
    private nonisolated let compared = Mutex<RegistryGeneration??>(nil)
    /// Notifies this object of changes by other processes while bundles run.
    private(set) var watch: (any Sendable)?
    /// The observer of changes that other processes make to running bundles.
    public var observer: OutsideChangeObserver?

    nonisolated init(_ transactions: SandboxTransactions) { self.transactions = transactions }

    /// Refreshes if another process has changed the registry, and retires replaced versions without pages.
    ///
    /// It queries the registry, because the notification by the kernel may come later than a request.
    nonisolated func catchUp() async {
        if isOutdated { await refresh() }
        await running.catchUp()
        if transactions.waiting.isDue { await activateWaiting() }
    }

    /// Activates staged versions that wait for the end of a use, if this process can end it or it has ended.
    private func activateWaiting() async {
        do {
            let waiting = try registry.staged.waitingForData()
            guard waiting.contains(where: { running.isIdle($0) }), transactions.waiting.take() else { return }
            let reports = try await transactions.staged.activate(onlyWaiting: true)
            if try registry.staged.waitingForData().isEmpty { transactions.waiting.end() }
            guard !reports.isEmpty else { return }
            observer?(
                reports.compactMap { report in
                    let (identifier, now) = (report.bundle.identifier, report.bundle.version)
                    return report.before.map {
                        OutsideChange(identifier: identifier, before: $0.version, now: now)
                    }
                })
        } catch {
            log("activationPostponed", error)
        }
    }

    private nonisolated var isOutdated: Bool {
        // The next reader reports an unreadable registry.
        guard let compared = compared.withLock({ $0 }), let now = try? registry.generation() else { return false }
        // This process itself cuts off what it replaces and removes.
        return compared.map { now.isOthersWork(since: $0) } ?? true
    }

    /// Compares the running bundles with the installed ones, and cuts off those that were replaced or removed.
    ///
    /// New requests go to the new version, if any. All bundles are cut off when this returns, but running calls may not have ended.
    public func refresh() async {
        let changes = cutOffOutdated()
        if !changes.isEmpty { observer?(changes) }
    }

    /// Runs without suspension, so that nothing is loaded meanwhile.
    private func cutOffOutdated() -> [OutsideChange] {
        let bundles = running.activations.mapValues(\.bundle)
        let known = Set(bundles.keys).union(running.replaced.map(\.bundle.identifier))
        let (generation, active): (RegistryGeneration?, [BundleIdentifier: PluginBundle])
        do {
            // A change after the generation was determined makes another comparison due.
            generation = try registry.generation()
            active = try registry.active.versions(of: known.sorted())
        } catch {
            log("changesUnreadable", error)
            return []
        }
        let before = compared.withLock { exchange(&$0, with: .some(generation)) } ?? nil
        // The registry was replaced by another file, possibly in another folder.
        if let before, watch != nil, before.connection != generation?.connection { watch = makeWatch() }
        if (try? registry.staged.waitingForData().isEmpty) == false { transactions.waiting.begin() }
        var changes: [OutsideChange] = []
        for (identifier, bundle) in bundles.sorted(by: { $0.key < $1.key }) {
            let now = active[identifier]
            guard now != bundle, running.cutOff(identifier, now == nil ? .withdrawn : .replaced) else { continue }
            changes.append(OutsideChange(identifier: identifier, before: bundle.version, now: now?.version))
        }
        for identifier in known where active[identifier] == nil { running.endReplaced(identifier) }
        return changes
    }

    /// Starts watching the registry; called before a bundle is looked up to be started.
    ///
    /// Later lookups are then never older than the state that is compared.
    func start() {
        guard watch == nil else { return }
        compared.withLock { $0 = .some(try? registry.generation()) }
        watch = makeWatch()
    }

    /// Stops watching the registry until a bundle is started again.
    func stop() { watch = nil }

    private func makeWatch() -> (any Sendable)? {
        do {
            return try services.watchRegistry(sandbox.registry) { [weak self] in
                guard let self, self.isOutdated else { return }
                Task { await self.refresh() }
            }
        } catch {
            // Requests check the registry themselves.
            log("changesNotWatched", error)
            return nil
        }
    }
}
