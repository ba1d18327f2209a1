import Preflight
public import Registry
import HostSystem
public import PluginCore
public import PluginRouter
import Synchronization

extension BundleManager: LoadedBundleProvider {
    /// Returns a bundle in use; the first call loads it, and concurrent calls wait for that load.
    public func loaded(_ identifier: String) async throws -> LoadedBundle {
        while true {
            do {
                let active = try await active(identifier)
                return LoadedBundle(principal: active.principal, lease: active.lease)
            } catch is BundleStart.CutOff {
                // Try again with the version that is active now.
            }
        }
    }

    /// Returns the principal object of a bundle, which is loaded on first use.
    public func principal(of identifier: String) async throws -> Principal {
        try await loaded(identifier).principal
    }

    private func active(_ identifier: String) async throws -> ActiveBundle {
        await waitForRemoval(of: identifier)
        if let activation = activations[identifier] { return try await activation.active() }
        watchRegistry()
        guard let bundle = try registry.active.version(of: identifier) else {
            throw AtriumError(
                .bundleNotInstalled, identifier,
                nearest: Nearest.words(to: identifier, in: try registry.active.identifiers())
            )
        }
        return try await start(bundle)
    }

    /// Returns the principal object of a version that the caller has found in the registry.
    ///
    /// - Throws: ``AtriumError`` with code `bundleUnavailable` when another version of it is running, or replaces it.
    public func principal(of bundle: PluginBundle) async throws -> Principal {
        do {
            await waitForRemoval(of: bundle.identity.identifier)
            guard let activation = activations[bundle.identity.identifier] else {
                watchRegistry()
                // Another process may have changed the registry since the caller read it, which the next comparison will find.
                compared.withLock { $0 = .missing }
                guard try !hasChanged || registry.active.version(of: bundle.identity.identifier) == bundle else {
                    throw AtriumError(
                        .bundleUnavailable, bundle.identity.description, detail: "it is not active any more"
                    )
                }
                return try await start(bundle).principal
            }
            guard activation.bundle == bundle else {
                throw AtriumError(
                    .bundleUnavailable, bundle.identity.description,
                    detail: "\(activation.bundle.identity.version) runs already"
                )
            }
            return try await activation.active().principal
        } catch is BundleStart.CutOff {
            throw AtriumError(
                .bundleUnavailable, bundle.identity.description, detail: "it was replaced while it started"
            )
        }
    }

    private func start(_ bundle: PluginBundle) async throws -> ActiveBundle {
        let start = BundleStart(of: bundle, watching: crashMonitor.watch(of: bundle))
        activations[bundle.identity.identifier] = .starting(start)
        // In the caller's task, because a separate task would add a third to the load time of a small plugin. The start ignores
        // the cancellation of that task, since other callers may wait for it.
        await run(start)
        return try await start.outcome()
    }

    private func run(_ start: BundleStart) async {
        let bundle = start.bundle
        let identifier = bundle.identity.identifier
        var outcome: Result<ActiveBundle, any Error>
        do {
            outcome = .success(try await start.running { try await activate(bundle, under: start.lease) })
        } catch {
            outcome = .failure(isOutOfDate(bundle, error) ? BundleStart.CutOff(bundle: bundle) : error)
            if !openResources.isUsed(bundle) { versionLocks.release(bundle) }
        }
        if case .starting(let current) = activations[identifier], current === start {
            // Before the waiting callers see a failure, so that they can try again.
            activations[identifier] = (try? outcome.get()).map(Activation.active)
        } else if case .failure = outcome {
            // The bundle was cut off and couldn't register anything, which isn't its fault.
            outcome = .failure(BundleStart.CutOff(bundle: bundle))
        }
        start.finish(outcome)
    }

    /// Returns whether a start failed because the bundle was looked up before a change of the registry and its requirements after it.
    private func isOutOfDate(_ bundle: PluginBundle, _ error: any Error) -> Bool {
        guard (error as? AtriumError)?.code == .dependencyUnmet else { return false }
        // The next reader reports an unreadable registry.
        guard let active = try? registry.active.version(of: bundle.identity.identifier) else { return true }
        return active != bundle
    }

    private func activate(_ bundle: PluginBundle, under lease: Lease) async throws -> ActiveBundle {
        guard let connection else {
            throw AtriumError(.bundleUnavailable, bundle.identity.identifier, detail: "the manager has no router yet")
        }
        try lockVersion(bundle)
        try requireTrust(in: bundle)
        try requireNotQuarantined(bundle)
        var lifecycle = lifecycles.resume(bundle.identity, in: .installed(.new))
        let files = BundleFiles(of: bundle, in: sandbox)
        let libraries = try LibraryResolver(sandbox: sandbox, registry: registry).libraries(of: bundle)
        for library in libraries.libraries {
            try lockVersion(library.source)
            try requireTrust(in: library.source)
            try requireNotQuarantined(library.source)
        }
        // On failure, the marks of all versions that aren't loaded end here.
        var sentinels: [(PluginBundle, CrashSentinel)] = []
        defer { for (_, sentinel) in sentinels.reversed() { sentinel.end() } }
        var stamps: [(PluginBundle, String)] = []
        var opening: [PluginBundle] = []
        let type: PrincipalType
        do {
            type = try await files.load(after: libraries) { version in
                opening.append(version)
                let sentinel = crashMonitor.load(version)
                if let sentinel { sentinels.append((version, sentinel)) }
                return sentinel
            } restamp: {
                stamps.append(($0, $1))
            }
        } catch {
            tellLoaded(opening)
            throw error
        }
        tellLoaded(opening)
        lifecycle.load()
        pageOwners.add(bundle, image: CodeImage(ofClass: type.identity), lease: lease) { [crashMonitor] in
            crashMonitor.begin(bundle, $0)
        }
        let (log, identifier) = (services.log, bundle.identity.identifier)
        let lastUse = LastUse { [weak self] in Task { [weak self] in await self?.retireReplaced() } }
        let container = try files.container()
        let context = BundleContext(
            identity: bundle.identity, resources: resources(of: bundle), container: container,
            defaults: DefaultsFile(in: container) { log(identifier, .error, "\($0)") },
            logger: BundleLogger { level, message in
                withExtendedLifetime(lastUse) { log(identifier, level, message) }
            },
            mediator: connection.mediator.leased(to: lease), router: connection.router.leased(to: lease),
            services: connection.services.leased(to: lease), events: exchange.leased(to: lease)
        )
        let principal: Principal
        do {
            principal = try await start(type, context, within: connection.router.handlerDeadline)
        } catch {
            registrationStore.revoke(lease)
            lease.close()
            lifecycle.retire(.refused("\(error.underlying ?? error)"))
            throw error
        }
        lifecycle.activate()
        for (bundle, stamp) in stamps { records.add(.library, stamp, of: bundle) }
        trustPolicy.saveRecords()
        seals.saveRecords()
        for (version, sentinel) in sentinels { crashMonitor.loaded(version, sentinel) }
        sentinels = []
        for library in libraries.libraries where library.source.hasRunSince == nil {
            crashMonitor.trials.use(library.source)
        }
        return ActiveBundle(bundle: bundle, principal: principal, lease: lease, lifecycle: lifecycle)
    }

    /// Informs the observer of the libraries that are loaded, except those that failed to open.
    private func tellLoaded(_ bundles: [PluginBundle]) {
        for library in bundles
        where library.kind == .lib && LoadedLibraries.current.isOpen(library.identity.identifier) {
            var lifecycle = lifecycles.resume(library.identity, in: .installed(.new))
            lifecycle.loadLibrary()
        }
    }

    /// Creates and so starts a principal object.
    ///
    /// - Throws: ``AtriumError`` with code `bundleRefused` and the object's error as its cause, or `startTimedOut`.
    private func start(
        _ type: PrincipalType, _ context: BundleContext, within deadline: Deadline
    ) async throws(AtriumError) -> Principal {
        let name = context.identity.description
        do {
            return try await deadline.runOnMain(
                context.identity.identifier, of: "its init", isCancelledWithCaller: false
            ) {
                do {
                    return try await type.start(context)
                } catch {
                    throw AtriumError(.bundleRefused, name, detail: "\(error)").caused(by: error)
                }
            }
        } catch let error as AtriumError where error.code == .bundleRefused {
            throw error
        } catch {
            throw AtriumError(.startTimedOut, name, detail: (error as? AtriumError)?.detail ?? "\(error)")
        }
    }

    /// Returns whether a bundle's code runs in this process, after waiting for a load in progress.
    func isRunning(_ identifier: String) async -> Bool {
        // A failed load has been removed from the table.
        while let activation = activations[identifier] {
            if activation.isWaitingForItself { return true }
            if (try? await activation.active()) != nil { return true }
        }
        return false
    }
}
