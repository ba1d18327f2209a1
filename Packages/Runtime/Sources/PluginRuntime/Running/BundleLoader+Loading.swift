import BundleStorage
import HostSystem
import PluginCore
import PluginRouter
import Registry

// Loading the code of a version, and starting its principal object.
extension BundleLoader {
    /// Loads a version in this order: lock, signer, seal, crashes, data, libraries, code, `init`.
    func load(_ bundle: PluginBundle, under lease: Lease) async throws -> ActiveBundle {
        // Lock its folder; check that its signer is trusted, its seal, and that it has not crashed; lock its data.
        try policy.require(bundle, for: .load)
        let data = try await policy.data.use(of: bundle)
        if bundle.entry != nil, services.isolation.isolates(bundle) {
            do {
                return try await startProcess(of: bundle, using: data, under: lease)
            } catch {
                count(error, in: bundle)
                throw error
            }
        }

        // The same for the libraries that it is linked with.
        var lifecycle = lifecycles.resume(bundle.identity, in: .installed(.new))
        let libraries = try policy.libraries(of: bundle)
        for library in libraries.libraries { try policy.require(library.source, for: .load) }

        // Open each file, compare it with the seal, and load it, while a crash sentinel says whose code runs.
        let code = LibraryLoad(of: bundle, after: libraries, by: policy)
        defer { code.endSentinels() }
        let type = try open(code)
        lifecycle.advance(to: .loaded)
        pageWatcher.add(lease, image: CodeImage(ofClass: type.identity)) { [crashMonitor] in
            crashMonitor.begin(bundle, $0)
        }

        // Run its `init`.
        let context = try context(of: bundle, using: data, under: lease)
        let principal: Principal
        do {
            principal = try await start(bundle.identity) { try await type.start(context) }
        } catch {
            refuse(lease, &lifecycle, error)
            throw error
        }

        // It runs; what has been checked needs no check in the next process.
        lifecycle.advance(to: .active)
        for (version, stamp) in code.stamps { records.add(.library, stamp, of: version) }
        policy.saveRecords()
        code.keepSentinels()
        for library in libraries.libraries where library.source.hasRunSince == nil {
            crashMonitor.firstRuns.use(library.source)
        }
        return ActiveBundle(bundle: bundle, principal: principal, lease: lease, lifecycle: lifecycle, data: data)
    }

    /// Loads the code of a version, and informs the observer of the libraries.
    private func open(_ code: LibraryLoad) throws(AtriumError) -> PrincipalType {
        defer {
            // Not of those that failed to open.
            for library in code.versions
            where library.kind == .lib && LoadedLibraries.current.isOpen(library.identity.identifier) {
                var lifecycle = lifecycles.resume(library.identity, in: .installed(.new))
                lifecycle.advance(to: .loaded, isCounted: false)
            }
        }
        return try code.principalType()
    }

    /// Returns what the code of a version gets from its host.
    private func context(
        of bundle: PluginBundle, using data: DataUse, under lease: Lease
    ) throws(AtriumError) -> BundleContext {
        let (log, identifier) = (services.log, bundle.identity.identifier)
        let lastUse = LastUse(of: data) { [weak running] in
            Task { @MainActor [weak running] in running?.retireReplaced() }
        }
        let groups = try BundleFiles(bundle: bundle, sandbox: sandbox).groups().map { name, folder in
            (name, AppGroupFolder(at: folder) { log(identifier.text, .error, .error($0)) })
        }
        lease.onRevoke { for (_, folder) in groups { folder.endObservation() } }
        let communication = communication
        return BundleContext(
            identity: bundle.identity, resources: resources(of: bundle), container: data.container,
            defaults: DefaultsFile(in: data.container) { log(identifier.text, .error, .error($0)) },
            groups: groups.map { AppGroup($0, storage: $1) },
            widgets: WidgetController { [registry, isolation = services.isolation] hasContent, widget in
                try isolation.setHasContent(hasContent, of: widget.text, by: identifier, in: registry)
            },
            logger: BundleLogger { level, message in
                withExtendedLifetime(lastUse) { log(identifier.text, level, .verbatim(message)) }
            },
            mediator: communication.mediator.leased(to: lease), router: communication.router.leased(to: lease),
            services: communication.services.leased(to: lease), events: communication.events.leased(to: lease)
        )
    }

    /// Creates and so starts a principal object.
    ///
    /// - Throws: ``AtriumError`` with code `bundleRefused` and the object's error as its cause, or `startTimedOut`.
    func start(
        _ identity: BundleIdentity, _ body: @escaping @MainActor @Sendable () async throws -> Principal
    ) async throws(AtriumError) -> Principal {
        let name = identity.description
        do {
            return try await routing.handlerDeadline.runOnMain(
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

    /// Removes all registrations of a version whose `init` has failed.
    func refuse(_ lease: Lease, _ lifecycle: inout BundleLifecycle, _ error: AtriumError) {
        policy.names.registrations.revoke(lease)
        lease.close()
        lifecycle.advance(to: .retired(.refused(.error(error.underlying ?? error))))
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

    deinit { tell() }
}

/// The error for a version that was cut off while it started, because another one has replaced it.
struct ActivationCanceled: Error {
    let bundle: PluginBundle
}

/// A bundle in this process, from the beginning of its load, and the callers that wait for the end of the load.
@MainActor
final class Activation {
    /// The version that is starting or active.
    let bundle: PluginBundle
    /// The lease that owns everything that the bundle registers.
    let lease: Lease
    private var result: Result<ActiveBundle, any Error>?
    /// The bundle, once its principal object has started.
    var started: ActiveBundle? { try? result?.get() }
    private var waiting: [CheckedContinuation<ActiveBundle, any Error>] = []

    init(of bundle: PluginBundle, watching watch: FirstCall.Watch? = nil) {
        self.bundle = bundle
        lease = Lease(of: bundle.identity, watching: watch)
    }

    /// The starts in which the current task runs, outermost first.
    ///
    /// Only their identities, because a task that a bundle starts meanwhile keeps this value as long as it runs.
    @TaskLocal private static var underWay: [(activation: ObjectIdentifier, bundle: BundleIdentifier)] = []

    /// Runs a closure as part of starting the bundle.
    func running<R: Sendable>(_ body: @MainActor () async throws -> R) async rethrows -> R {
        let start = (ObjectIdentifier(self), bundle.identity.identifier)
        return try await Self.$underWay.withValue(Self.underWay + [start]) { try await body() }
    }

    /// A Boolean value that indicates whether the current task is part of this start, and the start hasn't ended.
    var isRunningHere: Bool { result == nil && Self.underWay.contains { $0.activation == ObjectIdentifier(self) } }

    /// Waits until the bundle is active, and returns it; the result is the same for all callers.
    ///
    /// - Throws: ``AtriumError`` with code `routeCycle` for a bundle that waits for itself while it starts, and the errors of the start.
    func active() async throws -> ActiveBundle {
        if let result { return try result.get() }
        if isRunningHere {
            let others = Self.underWay.drop { $0.activation != ObjectIdentifier(self) }.map(\.bundle)
            let path = (others + [bundle.identity.identifier]).map(\.text)
            throw AtriumError(
                .routeCycle, bundle.identity.identifier,
                reason: "startCycle", ["path": .list(path)],
                problems: path.map { .verbatim($0) }
            )
        }
        return try await withCheckedThrowingContinuation { waiting.append($0) }
    }

    /// Ends the start and resumes all waiting callers.
    func finish(_ result: Result<ActiveBundle, any Error>) {
        self.result = result
        for continuation in waiting { continuation.resume(with: result) }
        waiting = []
    }
}

/// A bundle whose principal object has started.
struct ActiveBundle: Sendable {
    let bundle: PluginBundle
    let principal: Principal
    let lease: Lease
    var lifecycle: BundleLifecycle
    /// The use of the plugin's data.
    let data: DataUse
    /// The process of the plugin, or nil for a plugin in this one.
    var process: (any PluginProcess)?

    /// Informs the observer of the calls that are still running and the pages that are still open.
    mutating func drain() {
        let next = BundleState.draining(calls: lease.calls, pages: lease.pages.count)
        if lifecycle.state != next { lifecycle.advance(to: next) }
    }
}

// Loading a plugin in a process of its own.
extension BundleLoader {
    /// Starts a plugin in a process of its own.
    private func startProcess(
        of bundle: PluginBundle, using data: DataUse, under lease: Lease
    ) async throws -> ActiveBundle {
        guard let entry = bundle.entry else { throw AtriumError(.libraryMissing, bundle.identity.description) }
        var lifecycle = lifecycles.resume(bundle.identity, in: .installed(.new))
        let prepared = try PreparedCode(entry, of: bundle, using: data, by: policy)
        let host = PluginProcessHost(
            sandbox: sandbox, registry: registry, services: services, communication: communication, lease: lease
        ) { [weak self] in
            try await self?.loaded(bundle.identity.identifier).lease
        } onPageRelease: { [weak running] in
            Task { @MainActor [weak running] in running?.retireReplaced() }
        } onEnd: { [weak self] error in
            Task { @MainActor in await self?.ended(bundle, lease, error) }
        }
        let process = try await services.isolation.start(prepared, for: host)
        lifecycle.advance(to: .loaded)
        pageWatcher.add(lease, image: nil) { _ in WatchedCall() }
        do {
            let principal = try await start(bundle.identity) { try await process.start() }
            lifecycle.advance(to: .active)
            return ActiveBundle(
                bundle: bundle, principal: principal, lease: lease, lifecycle: lifecycle, data: data, process: process)
        } catch {
            await process.end()
            refuse(lease, &lifecycle, error)
            throw error
        }
    }

    /// Removes a plugin whose process has ended, and counts the crash.
    func ended(_ bundle: PluginBundle, _ lease: Lease, _ error: AtriumError) async {
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
        Task { [services, crashRecovery] in
            do {
                try await services.isolation.count(error, of: bundle, by: crashRecovery)
            } catch {
                services.log(bundle.identity.identifier.text, .error, .error(error))
            }
        }
    }
}
