import BundleStorage
import Preflight
import Registry
import HostSystem
import PluginCore
import PluginRouter
import RemoteObjects

/// The loader of bundles, each on the first request that needs it.
///
/// Each bundle gets access to the others through ``BundleCommunication``, which in turn gets the bundles from this loader.
@MainActor
final class BundleLoader {
    nonisolated let communication: BundleCommunication
    nonisolated let pageWatcher = PageWatcher()

    private let sandbox: Sandbox
    private let registry: Registry
    let services: HostServices
    private let policy: LoadPolicy
    private let running: RunningBundles
    private let liveUpdates: LiveUpdates
    private let writer: SandboxWriter
    private let records: LoadRecords
    private let lifecycles: Lifecycles
    private let sealedResources: SealedResourceTable
    private let handlerDeadline: Deadline
    private let onCrash: @Sendable (PluginBundle, AtriumError) async throws -> Void

    private var crashMonitor: CrashMonitor { policy.crashMonitor }
    private var registrationStore: RegistrationStore { policy.names.registrations }

    /// Creates a loader with the router and the mediator.
    ///
    /// - Parameters:
    ///   - onDemandProvider: installs bundles for requests that no installed bundle handles; `nil` for none.
    ///   - onCrash: called when the process of a plugin has crashed.
    nonisolated init(
        _ routing: HostRouting, _ services: HostServices, policy: LoadPolicy, running: RunningBundles,
        liveUpdates: LiveUpdates, writer: SandboxWriter, records: LoadRecords, lifecycles: Lifecycles,
        onDemandProvider: (any OnDemandProvider)?,
        onCrash: @escaping @Sendable (PluginBundle, AtriumError) async throws -> Void
    ) {
        sandbox = policy.sandbox
        registry = policy.registry
        self.services = services
        self.policy = policy
        self.running = running
        self.liveUpdates = liveUpdates
        self.writer = writer
        self.records = records
        self.lifecycles = lifecycles
        sealedResources = SealedResourceTable(sandbox)
        handlerDeadline = routing.handlerDeadline
        self.onCrash = onCrash
        communication = BundleCommunication(
            registry, routing, services, registrations: policy.names.registrations, liveUpdates: liveUpdates,
            onDemandProvider: onDemandProvider)
        communication.getBundles(from: self)
    }

    /// Returns a bundle in use; the first call loads it, and concurrent calls wait for that load.
    func loaded(_ identifier: BundleIdentifier) async throws -> LoadedBundle {
        while true {
            do {
                let active = try await active(identifier)
                return LoadedBundle(principal: active.principal, lease: active.lease)
            } catch is PendingActivation.CutOff {
                // Try again with the version that is active now.
            }
        }
    }

    /// Deactivates all bundles at the end of a session; each is informed, so that it can close its resources.
    func deactivateAll() async {
        liveUpdates.stop()
        await running.deactivateAll()
        crashMonitor.firstRuns.end()
        records.write()
        policy.versionLocks.releaseAll()
    }

    private func active(_ identifier: BundleIdentifier) async throws -> ActiveBundle {
        await running.waitForRemoval(of: identifier)
        if let activation = running.activations[identifier] {
            let active = try await activation.active()
            guard let error = active.isolated?.crash else { return active }
            // A request can come before the end of the process was noticed here.
            await ended(active.bundle, active.lease, error)
            return try await self.active(identifier)
        }
        liveUpdates.start()
        guard let bundle = try registry.active.version(of: identifier) else {
            throw AtriumError(
                .bundleNotInstalled, identifier,
                nearest: Nearest.identifiers(to: identifier.text, in: try registry.active.identifiers())
            )
        }
        return try await start(bundle)
    }

    /// Returns the principal object of a version that the caller has found in the registry.
    ///
    /// - Throws: ``AtriumError`` with code `bundleUnavailable` when another version of it is running, or replaces it.
    func principal(of bundle: PluginBundle) async throws -> Principal {
        do {
            await running.waitForRemoval(of: bundle.identity.identifier)
            guard let activation = running.activations[bundle.identity.identifier] else {
                liveUpdates.start()
                // Another process may have changed the registry since the caller read it, which the next comparison will find.
                liveUpdates.requireComparison()
                guard try !writer.hasChanged || registry.active.version(of: bundle.identity.identifier) == bundle else {
                    throw AtriumError(.bundleUnavailable, bundle.identity.description, reason: "notActive")
                }
                return try await start(bundle).principal
            }
            guard activation.bundle == bundle else {
                throw AtriumError(
                    .bundleUnavailable, bundle.identity.description,
                    reason: "versionRuns", ["version": "\(activation.bundle.identity.version)"]
                )
            }
            return try await activation.active().principal
        } catch is PendingActivation.CutOff {
            throw AtriumError(.bundleUnavailable, bundle.identity.description, reason: "replacedWhileStarting")
        }
    }

    private func start(_ bundle: PluginBundle) async throws -> ActiveBundle {
        let start = PendingActivation(of: bundle, watching: crashMonitor.watch(of: bundle))
        running.begin(start)
        // In the caller's task, because a separate task would add a third to the load time of a small plugin. The start ignores
        // the cancellation of that task, since other callers may wait for it.
        await run(start)
        return try await start.outcome()
    }

    private func run(_ start: PendingActivation) async {
        let bundle = start.bundle
        var outcome: Result<ActiveBundle, any Error>
        do {
            outcome = .success(try await start.running { try await activate(bundle, under: start.lease) })
        } catch {
            outcome = .failure(isOutOfDate(bundle, error) ? PendingActivation.CutOff(bundle: bundle) : error)
        }
        // Before the waiting callers see a failure, so that they can try again.
        if !running.end(start, outcome), case .failure = outcome {
            // The bundle was cut off and couldn't register anything, which isn't its fault.
            outcome = .failure(PendingActivation.CutOff(bundle: bundle))
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
        try policy.require(bundle, for: .load)
        let data: DataUse
        if let ready = try policy.data.readyUse(of: bundle) {
            data = ready
        } else {
            data = try await policy.data.use(of: bundle)
        }
        if let isolation = services.isolation, bundle.entry != nil, isolation.policy(bundle) == .process {
            do {
                return try await isolate(bundle, using: data, under: lease, isolation)
            } catch {
                count(error, in: bundle)
                throw error
            }
        }
        var lifecycle = lifecycles.resume(bundle.identity, in: .installed(.new))
        let files = BundleFiles(of: bundle, in: sandbox)
        let libraries = try LibraryResolver(sandbox: sandbox, registry: registry).libraries(of: bundle)
        for library in libraries.libraries {
            try policy.require(library.source, for: .load)
        }
        // On failure, the sentinels of all versions that aren't loaded end here.
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
        pageWatcher.add(bundle, image: CodeImage(ofClass: type.identity), lease: lease) { [crashMonitor] in
            crashMonitor.begin(bundle, $0)
        }
        let (log, identifier) = (services.log, bundle.identity.identifier.text)
        let lastUse = LastUse(of: data) { [weak running] in
            Task { @MainActor [weak running] in running?.retireReplaced() }
        }
        let container = data.container
        let groups = try files.groups().map { name, folder in
            (name, AppGroupFolder(at: folder) { log(identifier, .error, .error($0)) })
        }
        lease.onRevoke { for (_, folder) in groups { folder.endObservation() } }
        let context = BundleContext(
            identity: bundle.identity, resources: resources(of: bundle), container: container,
            defaults: DefaultsFile(in: container) { log(identifier, .error, .error($0)) },
            groups: groups.map { AppGroup($0, storage: $1) },
            widgets: WidgetController { [registry] hasContent, widget in
                try registry.extensionChoices.setHasContent(
                    hasContent, of: widget.text, by: bundle.identity.identifier)
            },
            logger: BundleLogger { level, message in
                withExtendedLifetime(lastUse) { log(identifier, level, .verbatim(message)) }
            },
            mediator: communication.mediator.leased(to: lease), router: communication.router.leased(to: lease),
            services: communication.services.leased(to: lease), events: communication.events.leased(to: lease)
        )
        let principal: Principal
        do {
            principal = try await start(bundle.identity) { try await type.start(context) }
        } catch {
            refuse(lease, &lifecycle, error)
            throw error
        }
        lifecycle.activate()
        for (bundle, stamp) in stamps { records.add(.library, stamp, of: bundle) }
        policy.saveRecords()
        for (version, sentinel) in sentinels { crashMonitor.loaded(version, sentinel) }
        sentinels = []
        for library in libraries.libraries where library.source.hasRunSince == nil {
            crashMonitor.firstRuns.use(library.source)
        }
        return ActiveBundle(bundle: bundle, principal: principal, lease: lease, lifecycle: lifecycle, data: data)
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
        _ identity: BundleIdentity, _ body: @escaping @MainActor @Sendable () async throws -> Principal
    ) async throws(AtriumError) -> Principal {
        let name = identity.description
        do {
            return try await handlerDeadline.runOnMain(
                identity.identifier.text, of: "its init", isCanceledWithCaller: false
            ) {
                do {
                    return try await body()
                } catch let error as AtriumError where error.code == .pluginCrashed || error.code == .pluginEnded {
                    throw error
                } catch {
                    throw AtriumError(.bundleRefused, name, reason: .error(error)).caused(by: error)
                }
            }
        } catch let error as AtriumError
            where [.bundleRefused, .pluginCrashed, .pluginEnded].contains(error.code)
        {
            throw error
        } catch {
            throw AtriumError(.startTimedOut, name, reason: (error as? AtriumError)?.reason ?? .verbatim("\(error)"))
        }
    }

    private func refuse(_ lease: Lease, _ lifecycle: inout BundleLifecycle, _ error: AtriumError) {
        registrationStore.revoke(lease)
        lease.close()
        lifecycle.retire(.refused(.error(error.underlying ?? error)))
    }

    // MARK: Isolation

    /// Starts a plugin in a process of its own.
    private func isolate(
        _ bundle: PluginBundle, using data: DataUse, under lease: Lease, _ settings: IsolationSettings
    ) async throws -> ActiveBundle {
        guard let entry = bundle.entry else { throw AtriumError(.libraryMissing, bundle.identity.description) }
        var lifecycle = lifecycles.resume(bundle.identity, in: .installed(.new))
        let prepared = try PreparedCode(entry, of: bundle, using: data, in: sandbox, registry, by: policy)
        let services = IsolatedServices(prepared, sandbox, registry, communication.router, services)
        let plugin = try await IsolatedPlugin(
            bundle, prepared, settings, languages: self.services.languages, under: lease, communication, services
        ) { page, error in
            self.ended(page, of: bundle, error, settings)
        } onPageRelease: { [weak running] in
            Task { @MainActor [weak running] in running?.retireReplaced() }
        } onEnd: { [weak self] error in
            Task { @MainActor in await self?.ended(bundle, lease, error) }
        }
        lifecycle.load()
        pageWatcher.add(bundle, image: nil, lease: lease) { _ in WatchedCall() }
        do {
            let principal = try await start(bundle.identity) { try await plugin.start() }
            lifecycle.activate()
            return ActiveBundle(
                bundle: bundle, principal: principal, lease: lease, lifecycle: lifecycle, data: data, isolated: plugin)
        } catch {
            await plugin.end()
            refuse(lease, &lifecycle, error)
            throw error
        }
    }

    /// Removes a plugin whose process has ended, and counts the crash.
    private func ended(_ bundle: PluginBundle, _ lease: Lease, _ error: AtriumError) async {
        // The process can end before its start has been completed here.
        _ = try? await running.activation(of: lease)?.active()
        guard running.processEnded(lease, because: error) else { return }
        let reason = ErrorReason("pluginProcessEnded", error.reason.map { ["reason": .reason($0)] } ?? [:])
        services.log(bundle.identity.identifier.text, .error, reason)
        count(error, in: bundle)
    }

    /// Counts an error against a version if it is a crash of its process.
    private func count(_ error: any Error, in bundle: PluginBundle) {
        guard let error = error as? AtriumError, error.code == .pluginCrashed else { return }
        // In a task of its own, because a start, which a quarantine waits for, can be what has crashed.
        Task { [onCrash, log = services.log] in
            do {
                try await onCrash(bundle, error)
            } catch {
                log(bundle.identity.identifier.text, .error, .error(error))
            }
        }
    }

    /// Returns the page to show in place of one whose process has ended.
    private func ended(
        _ page: RemotePage, of bundle: PluginBundle, _ error: AtriumError, _ settings: IsolationSettings
    ) -> any Page {
        let texts = settings.endedPageTexts(EndedPlugin(identity: bundle.identity, name: bundle.name, error: error))
        guard let request = page.request else { return EndedPage(title: page.lastTitle, texts, restart: nil) }
        return EndedPage(title: page.lastTitle, texts) { [weak self, weak page] in
            guard let self, let page else { return }
            // By the router, because guards may decide otherwise by now.
            let opened = try await communication.router.routing(for: request.origin).page(
                for: request.uri, userInfo: request.userInfo)
            try await loaded(bundle.identity.identifier).lease.pages.add(page)
            page.replacement = opened
        }
    }

    // MARK: Resources

    /// Returns the resources of a bundle, without loading its code.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, `bundleUnavailable`, and the errors of loading when the signer
    ///   is no longer trusted or the seal is missing.
    func resources(of identifier: BundleIdentifier) throws -> BundleResources {
        while true {
            guard let bundle = try registry.active.version(of: identifier) else {
                throw AtriumError(.bundleNotInstalled, identifier)
            }
            do {
                try policy.require(bundle, for: .resources)
                let resources = resources(of: bundle)
                running.track(resources, of: bundle)
                return resources
            } catch is PendingActivation.CutOff {
                // Try again with the version that is active now.
            }
        }
    }

    /// Returns the resources of a version, each of which is verified when it is read.
    private func resources(of bundle: PluginBundle) -> BundleResources {
        let (sealed, log) = (sealedResources.resources(of: bundle), services.log)
        return BundleResources(root: sealed.root, languages: services.languages) {
            [policy] name, limit throws(AtriumError) in
            let bytes = try sealed.bytes(of: name, limit: limit)
            // Only now, because a rejected version must not cause writes.
            policy.saveRecords()
            return bytes
        } onRefusedTexts: { error in
            guard sealed.isFirst("\(error)") else { return }
            let values: [String: ErrorReason.Value] = [
                "version": "\(bundle.identity.version)", "error": .reason(.error(error)),
            ]
            log(bundle.identity.identifier.text, .error, ErrorReason("textsNotShown", values))
        } onMissingText: { sentence in
            guard sealed.isFirst(sentence) else { return }
            log(bundle.identity.identifier.text, .debug, .verbatim(sentence))
        }
    }
}

/// An object that calls a closure when its last reference is released; a bundle's context holds it.
///
/// Until then, the bundle's code may still use its data.
private final class LastUse: Sendable {
    private let data: DataUse
    private let tell: @Sendable () -> Void

    init(of data: DataUse, _ tell: @escaping @Sendable () -> Void) {
        self.data = data
        self.tell = tell
    }

    deinit {
        tell()
    }
}
