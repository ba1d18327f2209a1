import HostSystem
import PluginCore
import PluginRouter
import Registry

// Loading the code of a version, and starting its principal object.
extension BundleLoader {
    /// Loads a version in this order: lock, signer, seal, crashes, data, libraries, code, `init`.
    func load(_ version: Activation) async throws -> Principal {
        let bundle = version.bundle
        // Lock its folder; check that its signer is trusted, its seal, and that it has not crashed; lock its data.
        version.folder = try policy.requireLoad(of: bundle)
        let data = try await self.data.use(of: bundle)
        version.data = data
        if let entry = bundle.entry, services.isolation?.isolates(bundle) ?? (bundle.isolation == .process) {
            do {
                return try await startProcess(entry, of: version, using: data)
            } catch {
                count(error, in: bundle)
                throw error
            }
        }

        // The same for the libraries that it is linked with.
        let libraries = try policy.libraries(of: bundle)
        let folders = try libraries.bundles.map { ($0, try policy.requireLoad(of: $0)) }

        // Open each file, compare it with the seal, and load it, while a crash sentinel says whose code runs.
        let code = LibraryLoad(of: bundle, after: libraries, by: policy)
        defer { code.endSentinels() }
        let type = try code.principalType()

        // Run its `init`.
        let context = try context(of: version, using: data)
        version.image = CodeImage(ofClass: type.identity)
        let principal = try await start(version) { try await type.start(context) }

        // It runs; what has been checked needs no check in the next process.
        for (version, stamp) in code.stamps { records.add(.library, stamp, of: version) }
        policy.saveRecords()
        code.keepSentinels()
        for (library, folder) in folders { libraryFolders[library] = folder }
        for library in libraries.bundles where library.hasRunSince == nil { crashMonitor.use(library) }
        return principal
    }

    /// Returns what the code of a version gets from its host.
    private func context(of version: Activation, using data: DataUse) throws(AtriumError) -> BundleContext {
        let (bundle, lease, log) = (version.bundle, version.lease, services.log)
        let identifier = bundle.identifier
        let lastUse = LastUse(of: data) { [weak running] in
            Task { @MainActor [weak running] in running?.retireReplaced() }
        }
        let report: HostServices.Report = { log(identifier.text, .error, .error($0)) }
        let groups = try sandbox.groups(of: bundle).map { (name, folder) throws(AtriumError) in
            (name, try services.appGroup(folder, report))
        }
        lease.onRevoke { for (_, folder) in groups { folder.endObservation() } }
        let communication = communication
        return BundleContext(
            identity: bundle.identity, resources: resources(of: bundle), container: data.container,
            defaults: services.defaults(data.container, report),
            groups: groups.map { AppGroup($0, storage: $1) },
            widgets: WidgetController { [registry, isolation = services.isolation] hasContent, widget in
                try isolation?.setHasContent(hasContent, of: widget.text, by: identifier, in: registry)
            },
            logger: BundleLogger { level, message in
                withExtendedLifetime(lastUse) { log(identifier.text, level, .verbatim(message)) }
            },
            mediator: communication.mediator.leased(to: lease), router: communication.router.leased(to: lease),
            services: communication.services.leased(to: lease), events: communication.events.leased(to: lease)
        )
    }

    /// Creates and so starts the principal object of a loaded version, or removes all registrations of the version.
    ///
    /// - Throws: ``AtriumError`` with code `bundleRefused` and the object's error as its cause, or `startTimedOut`.
    private func start(
        _ version: Activation, _ body: @escaping @MainActor @Sendable () async throws -> Principal
    ) async throws(AtriumError) -> Principal {
        let (bundle, identity) = (version.bundle, version.bundle.identity)
        lifecycles.tellLoaded(identity)
        let open: @Sendable (String, Lease) async throws -> Void = { [weak self] address, lease in
            _ = try await self?.communication.router.leased(to: lease).open(address)
        }
        pageWatcher.add(version.lease, image: version.image, open: open) {
            [crashMonitor, isHere = version.process == nil] in isHere ? crashMonitor.begin(bundle, $0) : nil
        }
        do {
            let principal = try await principal(of: identity, body)
            lifecycles.tell(identity, .active)
            return principal
        } catch {
            await version.process?.end()
            transactions.registrations.revoke(version.lease)
            version.lease.close()
            lifecycles.tellRetired(identity, .refused(.error(error.underlying ?? error)))
            throw error
        }
    }

    private func principal(
        of identity: BundleIdentity, _ body: @escaping @MainActor @Sendable () async throws -> Principal
    ) async throws(AtriumError) -> Principal {
        let (name, identifier) = (identity.description, identity.identifier.text)
        let started: Result<Principal, any Error>
        do {
            started = try await routing.handlerDeadline.runOnMain(
                identifier, of: "its init", isCanceledWithCaller: false
            ) {
                do { return .success(try await body()) } catch { return .failure(error) }
            }
        } catch {
            throw AtriumError(.startTimedOut, name, reason: (error as? AtriumError)?.reason ?? .verbatim("\(error)"))
        }
        do {
            return try started.get()
        } catch let error as AtriumError where [.pluginCrashed, .pluginEnded].contains(error.code) {
            throw error
        } catch {
            throw AtriumError(.bundleRefused, name, reason: .error(error)).caused(by: error)
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

    deinit { tell() }
}

/// A version in this process, from the beginning of its load until its last page is closed.
@MainActor
final class Activation {
    /// The version that is starting or active.
    let bundle: PluginBundle
    /// The lease that owns everything that the bundle registers.
    let lease: Lease
    /// The version's folder, until the version is retired.
    var folder: UsedFolder?
    /// The use of the plugin's data, until the version is retired.
    var data: DataUse?
    /// The process of the plugin, or nil for a plugin in this one. It ends after the version is retired.
    var process: (any PluginProcess)?
    /// The image of its code; nil for a plugin in another process, whose pages are known to its lease.
    var image: CodeImage?
    /// The reason why it is retired.
    var why = BundleState.Retirement.replaced
    /// Ends the version after a time, although it has pages that exist but aren't shown.
    var deadline: Task<Void, Never>?
    private var result: Result<Principal, any Error>?
    /// The callers that wait for the end of the load.
    private var waiting: [CheckedContinuation<Principal, any Error>] = []

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
        let start = (ObjectIdentifier(self), bundle.identifier)
        return try await Self.$underWay.withValue(Self.underWay + [start]) { try await body() }
    }

    /// A Boolean value that indicates whether the current task is part of this start, and the start hasn't ended.
    var isRunningHere: Bool { result == nil && Self.underWay.contains { $0.activation == ObjectIdentifier(self) } }

    /// The principal object, from its start until it has been told about the end.
    var principal: Principal? { try? result?.get() }

    /// The state with the calls that are still running and the pages that are still open.
    var draining: BundleState { .draining(calls: lease.calls, pages: lease.pages.count) }

    /// Waits until the bundle is active, and returns its principal object; the result is the same for all callers.
    ///
    /// - Throws: ``AtriumError`` with code `routeCycle` for a bundle that waits for itself while it starts, and the errors of the start.
    func active() async throws -> Principal {
        if let result { return try result.get() }
        if isRunningHere {
            let others = Self.underWay.drop { $0.activation != ObjectIdentifier(self) }.map(\.bundle)
            let path = (others + [bundle.identifier]).map(\.text)
            throw AtriumError(
                .routeCycle, bundle.identifier,
                reason: "startCycle", ["path": .list(path)],
                problems: path.map { .verbatim($0) }
            )
        }
        return try await withCheckedThrowingContinuation { waiting.append($0) }
    }

    /// Ends the start and resumes all waiting callers.
    func finish(_ result: Result<Principal, any Error>) {
        self.result = result
        if case .failure = result { release() }
        for continuation in waiting { continuation.resume(with: result) }
        waiting = []
    }

    /// Ends the use of the version's files, which have no use any longer, and of its data.
    func release() { (folder, data) = (nil, nil) }

    /// Releases the principal object, whose version has ended except for its pages.
    func releasePrincipal() { result = .failure(ActivationCanceled(bundle: bundle)) }
}

/// The error for a version that was cut off while it started, because another one has replaced it.
struct ActivationCanceled: Error {
    let bundle: PluginBundle
}

// Loading a plugin in a process of its own.
extension BundleLoader {
    /// Starts a plugin in a process of its own.
    private func startProcess(
        _ entry: String, of version: Activation, using data: DataUse
    ) async throws -> Principal {
        let bundle = version.bundle
        let host = PluginProcessHost(
            transactions: transactions, communication: communication, data: data, lease: version.lease
        ) { [weak self] in
            try await self?.loaded(bundle.identifier).lease
        } onPageRelease: { [weak running] in
            Task { @MainActor [weak running] in running?.retireReplaced() }
        } onEnd: { [weak self, weak version] error in
            Task { @MainActor in if let version { await self?.ended(version, error) } }
        }
        guard let process = try await services.isolation?.start(entry, of: bundle, for: host) else {
            // Code must not run with more rights than its manifest says.
            throw AtriumError(.libraryIncompatible, bundle.identity, reason: "processNeeded")
        }
        version.process = process
        return try await start(version) { try await process.start() }
    }

    /// Removes a plugin whose process has ended, and counts the crash.
    func ended(_ version: Activation, _ error: AtriumError) async {
        // The process can end before its start has been completed here.
        _ = try? await version.active()
        guard running.processEnded(version, because: error) else { return }
        let reason = ErrorReason("pluginProcessEnded", error.reason.map { ["reason": .reason($0)] } ?? [:])
        services.log(version.bundle.identifier.text, .error, reason)
        count(error, in: version.bundle)
    }

    /// Counts an error against a version if it is a crash of its process.
    private func count(_ error: any Error, in bundle: PluginBundle) {
        guard let error = error as? AtriumError, error.code == .pluginCrashed else { return }
        // In a task of its own, because a start, which a quarantine waits for, can be what has crashed.
        Task { [services, liveUpdates] in
            do {
                try await services.isolation?.count(error, of: bundle, in: liveUpdates)
            } catch {
                services.log(bundle.identifier.text, .error, .error(error))
            }
        }
    }
}
