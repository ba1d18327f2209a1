import Registry
import HostSystem
package import PluginCore
import PluginRouter
import Synchronization

/// The bundles that run in this process, from their start until their last page is closed.
///
/// All state of a manager that changes is here, on the main actor, where the principal objects live.
@MainActor
package final class RunningBundles {
    /// The bundles in whose deactivation the current task runs, so that a bundle's last actions don't wait for themselves.
    @TaskLocal private static var ending: Set<BundleIdentifier> = []

    private let registrationStore: RegistrationStore
    private let routing: HostRouting
    private let lifecycles: Lifecycles
    private let log: HostServices.Log

    private(set) var activations: [BundleIdentifier: Activation] = [:]
    /// Replaced versions with open pages.
    private(set) var replaced: [Activation] = [] {
        didSet { hasReplaced.store(!replaced.isEmpty, ordering: .releasing) }
    }
    private nonisolated let hasReplaced = Atomic<Bool>(false)
    /// The work in the background that drains versions of a bundle.
    private var endings: [BundleIdentifier: Task<Void, Never>] = [:]
    /// The bundles that are being removed from the registry, with closures that wait for the end of the removal.
    private var removals: [BundleIdentifier: () async -> Void] = [:]

    nonisolated init(
        _ registrationStore: RegistrationStore, _ routing: HostRouting, _ lifecycles: Lifecycles,
        log: @escaping HostServices.Log
    ) {
        self.lifecycles = lifecycles
        self.registrationStore = registrationStore
        self.routing = routing
        self.log = log
    }

    // MARK: Starting

    /// Waits until the bundle isn't being removed from the registry.
    func waitForRemoval(of identifier: BundleIdentifier) async {
        while let removal = removals[identifier] { await removal() }
    }

    /// Begins a start, which other callers wait for from now on.
    func begin(_ start: Activation) { activations[start.bundle.identifier] = start }

    /// Removes a version that has failed to start.
    ///
    /// - Returns: `false` if it was cut off meanwhile.
    func remove(_ start: Activation) -> Bool {
        let identifier = start.bundle.identifier
        guard activations[identifier] === start else { return false }
        activations[identifier] = nil
        return true
    }

    /// Returns whether a bundle's code runs in this process, after waiting for a load in progress.
    package func isRunning(_ identifier: BundleIdentifier) async -> Bool {
        // A failed load has been removed from the table.
        while let activation = activations[identifier] {
            if activation.isRunningHere { return true }
            if (try? await activation.active()) != nil { return true }
        }
        return false
    }

    // MARK: Deactivation

    /// Deactivates all bundles at the end of a session; each is informed, so that it can close its resources.
    func deactivateAll() async {
        for identifier in activations.keys.sorted() {
            if let activation = cutOff(identifier) { await drainAndUnload(activation, .ended) }
            await ended(identifier)
        }
        for identifier in endings.keys { await ended(identifier) }
        for version in replaced { end(version) }
        for identifier in endings.keys { await ended(identifier) }
    }

    /// Cuts off replaced versions, and drains them without waiting.
    ///
    /// Waiting while holding the sandbox's lock would make other hosts wait for running calls. New requests go to the new
    /// versions; open pages stay usable.
    ///
    /// - Parameter successors: the versions that are active now; a request may have loaded them already.
    func replace(by successors: [PluginBundle]) {
        for successor in successors {
            let identifier = successor.identifier
            guard activations[identifier]?.bundle != successor else { continue }
            cutOff(identifier, .replaced)
        }
    }

    /// Cuts off a bundle that another process has changed, and drains it without waiting.
    ///
    /// - Returns: whether it was running.
    @discardableResult
    func cutOff(_ identifier: BundleIdentifier, _ why: BundleState.Retirement) -> Bool {
        guard let activation = cutOff(identifier) else { return false }
        addEnding(of: identifier) { await self.drainAndUnload(activation, why) }
        return true
    }

    /// Runs a part of a bundle's end in the background.
    private func addEnding(of identifier: BundleIdentifier, _ body: @escaping @MainActor () async -> Void) {
        let earlier = endings[identifier]
        endings[identifier] = Task {
            await Self.$ending.withValue(Self.ending.union([identifier])) { await body() }
            await earlier?.value
        }
    }

    /// Cuts bundles off, and then runs a change that removes them from the registry.
    ///
    /// No request reaches their code after the removal. Requests during the change wait, and load the bundles again if it fails.
    ///
    /// - Throws: the errors of `change`.
    package func deactivateForRemoval<R: Sendable>(
        _ identifiers: [BundleIdentifier], _ change: @escaping @Sendable () throws -> R
    ) async throws -> R {
        let cutOff = identifiers.compactMap { self.cutOff($0) }
        let removal = Task {
            let result = await Self.result(of: change)
            for identifier in identifiers { removals[identifier] = nil }
            return result
        }
        for identifier in identifiers { removals[identifier] = { _ = await removal.value } }
        let result = await removal.value
        let isGone = (try? result.get()) != nil
        for activation in cutOff { await drainAndUnload(activation, isGone ? .withdrawn : .replaced) }
        for identifier in identifiers {
            await ended(identifier)
            if isGone {
                endReplaced(identifier)
                await ended(identifier)
            }
        }
        return try result.get()
    }

    /// Runs a change away from the main actor, because it waits for the disk.
    @concurrent
    private nonisolated static func result<R: Sendable>(
        of change: @Sendable () throws -> R
    ) async -> Result<R, any Error> {
        Result { try change() }
    }

    /// Waits until all versions of a bundle that were cut off are drained, except for their open pages.
    func ended(_ identifier: BundleIdentifier) async {
        if Self.ending.contains(identifier) { return }
        await endings[identifier]?.value
    }

    /// Cuts a bundle off from new requests immediately, even while it starts, because its successor may need its names.
    private func cutOff(_ identifier: BundleIdentifier) -> Activation? {
        guard let activation = activations.removeValue(forKey: identifier) else { return nil }
        registrationStore.revoke(activation.lease)
        return activation
    }

    /// Drains a bundle that was cut off.
    private func drainAndUnload(_ version: Activation, _ why: BundleState.Retirement) async {
        guard (try? await version.active()) != nil else { return }
        version.why = why
        let (identity, begin) = (version.bundle.identity, version.draining)
        lifecycles.tell(identity, begin)
        let calls = await version.lease.drained(within: routing.drainDeadline)
        if calls > 0 {
            let values: [String: ErrorReason.Value] = [
                "version": "\(identity.version)", "count": .integer(calls), "deadline": "\(routing.drainDeadline)",
            ]
            log(identity.identifier.text, .error, ErrorReason("unloadedDuringCalls", values))
        }
        await tell(version)
        version.releasePrincipal()
        if version.draining != begin { lifecycles.tell(identity, version.draining) }
        if why == .replaced { replaced.append(version) } else { end(version) }
        retireReplaced()
    }

    /// Returns whether a bundle isn't loaded, or none of its calls is running and it has no page.
    func isIdle(_ identifier: BundleIdentifier) -> Bool {
        guard let version = activations[identifier] else { return true }
        guard version.principal != nil, version.lease.calls == 0, version.lease.pages.isEmpty else { return false }
        return own(routing.navigator.pages, of: version).isEmpty
    }

    /// Deactivates a bundle if it is idle: none of its calls is running, and it has no page.
    func unloadIdle(_ identifier: BundleIdentifier) async {
        if isIdle(identifier), let activation = cutOff(identifier) { await drainAndUnload(activation, .replaced) }
        retireReplaced()
        await ended(identifier)
    }

    /// Calls the bundle's unload function, with the deadline of a handler.
    private func tell(_ version: Activation) async {
        guard let principal = version.principal else { return }
        let (identity, lease) = (version.bundle.identity, version.lease)
        do {
            // On the actor of the principal object, so that its last reference outside the bundle is gone when this returns,
            // and its resources are closed before the process ends.
            try await routing.handlerDeadline.runOnMain(identity.identifier.text, of: "its bundleWillUnload") {
                await lease.invoking(.ending) { await principal.bundleWillUnload() }
            }
        } catch {
            log(
                identity.identifier.text, .error,
                ErrorReason(
                    "unloadedEarly", ["version": "\(identity.version)", "error": .reason(.error(error))]))
        }
    }

    /// Removes a plugin whose process has ended. The next request starts it again.
    ///
    /// - Returns: whether it was in use.
    func processEnded(_ version: Activation, because error: AtriumError) -> Bool {
        let bundle = version.bundle
        if replaced.contains(where: { $0 === version }) {
            end(version)
            return true
        }
        guard activations[bundle.identifier] === version, version.principal != nil else { return false }
        activations[bundle.identifier] = nil
        registrationStore.revoke(version.lease)
        version.lease.close()
        lifecycles.tellRetired(bundle.identity, .crashed(.error(error)))
        version.release()
        return true
    }

    // MARK: Replaced versions

    /// Retires replaced versions without pages, if there are any.
    nonisolated func catchUp() async { if hasReplaced.load(ordering: .acquiring) { await retireReplaced() } }

    /// Retires replaced versions whose last page is closed.
    ///
    /// A page that isn't shown but still exists may be at work or leaked, so it gets as much time as running calls.
    func retireReplaced() {
        guard !replaced.isEmpty else { return }
        let shown = routing.navigator.pages
        for version in replaced {
            let own = own(shown, of: version)
            for page in own { version.lease.pages.add(page) }
            if !own.isEmpty {
                version.deadline.take()?.cancel()
            } else if version.lease.pages.isEmpty {
                end(version)
            } else if version.deadline == nil {
                version.deadline = deadline(of: version)
            }
        }
    }

    /// Returns the pages of a version: it has returned them, or it contains their classes and no other version has returned them.
    ///
    /// Two versions may share a library, so the class alone isn't sufficient.
    private func own(_ pages: [any Page], of version: Activation) -> [any Page] {
        let others = (activations.values.map(\.lease) + replaced.map(\.lease)).filter { $0 != version.lease }
        return pages.filter { page in
            if version.lease.pages.contains(page) { return true }
            guard let image = version.image, CodeImage(of: page) == image else { return false }
            return !others.contains { $0.pages.contains(page) }
        }
    }

    private func deadline(of version: Activation) -> Task<Void, Never> {
        Task { [drainDeadline = routing.drainDeadline, weak self, weak version] in
            guard (try? await Task.sleep(for: drainDeadline)) != nil else { return }
            self?.retireReplaced()
            // The page may be shown again by now.
            guard !Task.isCancelled, let self, let version, replaced.contains(where: { $0 === version }) else { return }
            end(version)
        }
    }

    /// Retires all replaced versions of a removed bundle.
    func endReplaced(_ identifier: BundleIdentifier) {
        for version in replaced where version.bundle.identifier == identifier { end(version) }
    }

    /// Retires a version, regardless of its open pages.
    private func end(_ version: Activation) {
        replaced.removeAll { $0 === version }
        version.deadline?.cancel()
        version.lease.close()
        let bundle = version.bundle
        lifecycles.tellRetired(bundle.identity, version.why)
        guard let process = version.process else { return version.release() }
        addEnding(of: bundle.identifier) {
            await process.end()
            version.release()
        }
    }
}
