public import PluginCore
public import PluginRouter
internal import Synchronization

/// Owns the bundles of one sandbox: what is installed, what is loaded, and the way from one to the other.
///
/// ```swift
/// let manager = BundleManager(sandbox: sandbox, catalog: catalog, services: services)
/// let (router, _) = await manager.connect(navigator, supply: manager)
/// try await manager.install("com.example.app.shop")
/// try await router.open("app://shop/item/42")
/// ```
public actor BundleManager {
    /// The sandbox.
    public nonisolated let sandbox: Sandbox
    /// What is installed in it.
    public nonisolated let registry: Registry
    /// Where packages come from.
    public nonisolated let catalog: any Catalog
    /// The packages that ship with the host; the catalog has them too.
    public nonisolated let builtIn: (any Catalog)?
    /// Whose bundles are let in.
    public nonisolated let trust: TrustFile

    /// The types that captures can ask for, in every pattern that the host reads.
    public nonisolated var converters: RouteConverters { services.converters }

    let gate: TrustGate
    let seals: SealGate
    let sealedResources: SealedResourceTable
    let lock: WriterLock
    let holds: VersionHolds
    /// Watches over versions that have not proven themselves.
    private(set) var probation: Probation
    let records: LoadRecords
    let installer: Installer
    let services: HostServices
    let lifecycles: Lifecycles
    let turns = Turns()
    /// Whether this manager has changed what is installed, or tried to.
    var hasChanged = false
    /// How often each bundle was asked for by name.
    var wishCounts: [String: Int] = [:]
    let board = LeaseBoard()

    /// The app's own routes, which no registry has.
    let rules = Mutex<[Route]>([])

    private let hostLease = Lease(owner: "host")
    let drainDeadline: Duration
    private let exchange: EventExchange
    private(set) var connection:
        (router: Router, mediator: Mediator, services: ServiceExchange, navigator: any Navigator)?
    var activations: [String: Activation] = [:]
    /// What the activations were compared with.
    nonisolated let compared = Mutex(Comparison.needless)
    /// Wakes this manager when another process may have changed what is installed; while bundles run.
    var watch: RegistryWatch?
    /// Hears what other processes have done to bundles in use.
    var changeObserver: OutsideChangeObserver?
    /// Versions that were replaced, as long as they have pages.
    var replaced: [ReplacedVersion] = [] {
        didSet { hasReplaced.store(!replaced.isEmpty, ordering: .releasing) }
    }
    nonisolated let hasReplaced = Atomic<Bool>(false)
    /// The bundles that come to their end on another process's account.
    var endings: [Int: (identifier: String, task: Task<Void, Never>)] = [:]
    var endingCount = 0
    /// What was handed out of versions without their code.
    var lent = LentResources()
    /// Called when this process has no use for a version any more, not even a page.
    var versionEnded: @Sendable (PluginBundle) -> Void
    /// The bundles that are being taken out of the registry, and who waits for what comes of it.
    private var withdrawals: [String: [CheckedContinuation<Void, Never>]] = [:]

    /// A manager of a sandbox; nothing is read or written yet.
    ///
    /// - Parameters:
    ///   - sandbox: what it manages.
    ///   - catalog: where packages come from.
    ///   - builtIn: the packages that ship with the host; they are there when the catalog can not be reached, and one that is
    ///     newer than what is installed takes its place when the host starts (``settle()``).
    ///   - trust: the file that ships with the host and names the teams that it trusts, to which the sandbox's own file adds;
    ///     `nil` for none.
    ///   - services: what bundles get from the host.
    ///   - drainDeadline: how long a bundle that goes may take to end the calls that are in flight.
    ///   - probation: how long code that runs for the first time may hold its thread.
    ///   - onHang: is told, on a thread of its own, when it holds it for longer; what to do then is the host's to say.
    ///   - observer: hears of every step of every bundle.
    public init(
        sandbox: Sandbox, catalog: any Catalog, builtIn: (any Catalog)? = nil, trust: FilePath? = nil,
        services: HostServices, drainDeadline: Duration = .seconds(5), probation: ProbationLimits = ProbationLimits(),
        onHang: @escaping @Sendable (ProbationVerdict) -> Void = { _ in },
        observer: @escaping LifecycleObserver = { _ in }
    ) {
        self.sandbox = sandbox
        self.builtIn = builtIn?.reading(services.converters)
        self.catalog = (builtIn.map { LayeredCatalog([$0, catalog]) } ?? catalog).reading(services.converters)
        self.trust = TrustFile(shipped: trust, sandbox: sandbox)
        self.services = services
        self.drainDeadline = drainDeadline
        lifecycles = Lifecycles(observer)
        exchange = EventExchange(board: board) { services.log($0, .error, $1) }
        registry = Registry(sandbox, converters: services.converters)
        lock = WriterLock(sandbox, command: services.command)
        let holds = VersionHolds(sandbox)
        self.holds = holds
        versionEnded = { holds.release($0) }
        let records = LoadRecords(registry)
        self.records = records
        gate = TrustGate(self.trust, remembering: records, in: registry)
        seals = SealGate(sandbox, remembering: records)
        sealedResources = SealedResourceTable(sandbox)
        self.probation = Probation(
            book: ProbationBook(sandbox, limits: probation, onHang: onHang), isProven: { $0.provenAt != nil },
            onProof: { records.add(proven: $0) })
        installer = Installer(sandbox: sandbox, registry: registry, lifecycles: lifecycles)
    }

    /// The main actor's executor: principal objects live there, so loading one needs no hop between threads. The heavy
    /// part of installing runs elsewhere.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { MainActor.sharedUnownedExecutor }

    /// Puts router and mediator on top of this manager; call it once, before any bundle is loaded.
    ///
    /// - Parameters:
    ///   - navigator: shows pages.
    ///   - directory: where routes are looked up; `nil` for the registry alone.
    ///   - supply: where bundles come from that are not installed when an address or a call needs them: this manager,
    ///     or something in front of it; `nil` for nowhere.
    ///   - rules: the app's own routes, which a bundle that would be made active must not have, unless they are the bundle's.
    ///   - notFound: is asked when a call names a target or an action that is not there; `nil` for nobody.
    ///   - limits: how much router and mediator do for one request.
    ///   - clock: what deadlines are measured with.
    /// - Returns: router and mediator, which ask as the host.
    @discardableResult
    public func connect(
        _ navigator: any Navigator, directory: (any RouteDirectory)? = nil, supply: (any BundleSupply)?,
        rules: [Route] = [], notFound: Mediator.NotFound? = nil, limits: RouterLimits = .standard,
        clock: any _Concurrency.Clock<Duration> = ContinuousClock()
    ) -> (router: Router, mediator: Mediator) {
        self.rules.withLock { $0 = rules }
        let mediator = Mediator(
            directory: registry, provider: self, supply: supply, board: board, limits: limits, clock: clock,
            notFound: notFound
        )
        let router = Router(
            directory: directory ?? registry, provider: self, mediator: mediator, supply: supply, navigator: navigator,
            board: board, limits: limits, converters: converters,
            deferred: DeferredFile(sandbox) { [log = self.services.log] in log("host", .error, "\($0)") }, clock: clock
        )
        let services = ServiceExchange(
            directory: registry, provider: self, supply: supply, board: board, deadline: router.handlerDeadline)
        exchange.limit(to: router.handlerDeadline)
        connection = (router, mediator, services, navigator)
        return (router, mediator)
    }

    /// Has somebody else watch from now on.
    func keep(_ probation: Probation) {
        self.probation = probation
    }

    /// What has happened, as the host tells and hears it.
    public nonisolated var events: any EventBus { exchange.leased(to: hostLease) }

    /// Whether a bundle's code runs in this process.
    public func isActive(_ identifier: String) -> Bool {
        activations[identifier] != nil
    }

    /// Runs `body` while no other host changes what is installed. Calls may be nested. Hosts that run plugins go on meanwhile.
    ///
    /// A sandbox that was not there is not there afterwards, unless something was installed.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxBusy`, `sandboxUnwritable`, and what `body` throws.
    @discardableResult
    public nonisolated func whileAlone<R: Sendable>(_ body: @Sendable () async throws -> R) async throws -> R {
        // Folders come and go only under the lock, but for the one that it lies in.
        let place = try FileSystem.makeFolders(sandbox.lock.parent)
        var isChange = false
        defer { if !isChange { FileSystem.removeIfEmpty(place) } }
        try await lock.acquire()
        defer { lock.release() }
        let made = try sandbox.prepare()
        defer { if !isChange { FileSystem.removeIfEmpty(made) } }
        try FileSystem.sync(made: place + made)
        // However it ends: what is reported as failed may be on the disk all the same.
        defer {
            do {
                isChange = try FileStamp(ofFile: sandbox.registry) != nil
            } catch {
                // Who can not look has no reason to take anything away.
                isChange = true
            }
        }
        return try await body()
    }
}

extension BundleManager: LoadedBundleProvider {
    /// A bundle in use; the first call loads it, and calls meanwhile wait for that load.
    public func loaded(_ identifier: String) async throws -> LoadedBundle {
        while true {
            do {
                let active = try await active(identifier)
                return LoadedBundle(principal: active.principal, lease: active.lease)
            } catch is BundleStart.CutOff {
                // What is active by now serves in its place.
            }
        }
    }

    /// The principal object of a bundle, loaded on first use.
    public func principal(of identifier: String) async throws -> any BundleDelegate {
        try await loaded(identifier).principal
    }

    private func active(_ identifier: String) async throws -> ActiveBundle {
        await withdrawal(of: identifier)
        if let activation = activations[identifier] { return try await activation.active() }
        watchRegistry()
        guard let bundle = try registry.active(identifier) else {
            throw AtriumError(
                .bundleNotInstalled, identifier, nearest: Nearest.words(to: identifier, in: try registry.identifiers())
            )
        }
        return try await start(bundle)
    }

    /// The principal object of a version that the caller has looked up in the registry.
    ///
    /// - Throws: ``AtriumError`` with code `bundleUnavailable` when another version of it runs already, or takes its place.
    public func principal(of bundle: PluginBundle) async throws -> any BundleDelegate {
        do {
            await withdrawal(of: bundle.identity.identifier)
            guard let activation = activations[bundle.identity.identifier] else {
                watchRegistry()
                // Others may have changed it since the caller looked: that is found out by the next comparison.
                compared.withLock { $0 = .missing }
                guard try !hasChanged || registry.active(bundle.identity.identifier) == bundle else {
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
        let start = BundleStart(of: bundle, watching: probation.watch(of: bundle))
        activations[bundle.identity.identifier] = .starting(start)
        // A task of its own: who asked first may be cancelled, and that is no reason for those who wait to get nothing.
        Task { await self.run(start) }
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
            if !lent.isUsed(bundle) { holds.release(bundle) }
        }
        if case .starting(let current) = activations[identifier], current === start {
            // Before anybody hears of a failure, so that whoever does can try again.
            activations[identifier] = (try? outcome.get()).map(Activation.active)
        } else if case .failure = outcome {
            // It could register nothing, and that is no fault of its own.
            outcome = .failure(BundleStart.CutOff(bundle: bundle))
        }
        start.finish(outcome)
    }

    /// Whether a bundle was looked up before a change, and what it requires after it: it goes together with what there was.
    private func isOutOfDate(_ bundle: PluginBundle, _ error: any Error) -> Bool {
        guard (error as? AtriumError)?.code == .dependencyUnmet else { return false }
        // A registry that can not be read is told by whoever reads it next.
        guard let active = try? registry.active(bundle.identity.identifier) else { return true }
        return active != bundle
    }

    private func activate(_ bundle: PluginBundle, under lease: Lease) async throws -> ActiveBundle {
        guard let connection else {
            throw AtriumError(.bundleUnavailable, bundle.identity.identifier, detail: "the manager has no router yet")
        }
        try hold(bundle)
        try requireTrust(in: bundle)
        var lifecycle = lifecycles.resume(bundle.identity, in: .installed(.new))
        let files = BundleFiles(of: bundle, in: sandbox)
        let libraries = try LibraryResolver(sandbox: sandbox, registry: registry).libraries(of: bundle)
        for library in libraries.libraries {
            try hold(library.source)
            try requireTrust(in: library.source)
        }
        var marks: [ProbationMark] = []
        defer { for mark in marks.reversed() { mark.end() } }
        var stamps: [(PluginBundle, String)] = []
        let principal = try await files.load(after: libraries) { version in
            let mark = probation.load(version)
            if let mark { marks.append(mark) }
            return mark
        } restamp: {
            stamps.append(($0, $1))
        }
        lifecycle.load()
        let (log, identifier) = (services.log, bundle.identity.identifier)
        let lastUse = LastUse { [weak self] in Task { [weak self] in await self?.retireReplaced() } }
        let context = BundleContext(
            identity: bundle.identity, resources: resources(of: bundle),
            container: try files.container(),
            logger: BundleLogger { level, message in
                withExtendedLifetime(lastUse) { log(identifier, level, message) }
            },
            mediator: connection.mediator.leased(to: lease), router: connection.router.leased(to: lease),
            services: connection.services.leased(to: lease), events: exchange.leased(to: lease)
        )
        do {
            try await connection.router.handlerDeadline.runOnMain(identifier, of: "its bundleDidLoad") {
                try await principal.bundleDidLoad(context)
            }
        } catch {
            board.revoke(lease)
            lease.close()
            lifecycle.retire(.refused("\(error)"))
            throw AtriumError(.bundleRefused, bundle.identity.description, detail: "\(error)")
        }
        lifecycle.activate()
        for (bundle, stamp) in stamps { records.add(.library, stamp, of: bundle) }
        gate.keep()
        seals.keep()
        for library in libraries.libraries where library.source.provenAt == nil { records.add(proven: library.source) }
        return ActiveBundle(bundle: bundle, principal: principal, lease: lease, lifecycle: lifecycle)
    }

    /// Whether a bundle's code runs in this process, once the load that is under way is over.
    func isRunning(_ identifier: String) async -> Bool {
        // A load that failed is not in the table any more.
        while let activation = activations[identifier] {
            if activation.isWaitingForItself { return true }
            if (try? await activation.active()) != nil { return true }
        }
        return false
    }

    /// Cuts off every bundle whose code runs, as at the end of a session: each is told that it goes, so that it can close
    /// what it has open.
    public func deactivateAll() async {
        stopWatching()
        for identifier in activations.keys.sorted() { await deactivate(identifier) }
        for identifier in Set(endings.values.map(\.identifier)) { await ended(identifier) }
        for version in replaced { end(version) }
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

    /// Cuts bundles off, and only then has them taken out of the registry: so that nobody reaches their code who knows that
    /// they have gone. Who asks for one meanwhile waits; when the registry can not be changed, they load it anew.
    ///
    /// - Throws: what `change` throws.
    func withdraw<R: Sendable>(
        _ identifiers: [String], _ change: @escaping @Sendable () throws -> R
    ) async throws -> R {
        let cutOff = identifiers.compactMap { self.cutOff($0) }
        for identifier in identifiers { withdrawals[identifier] = [] }
        let result = await Self.result(of: change)
        for identifier in identifiers {
            for waiting in withdrawals.removeValue(forKey: identifier) ?? [] { waiting.resume() }
        }
        let isGone = (try? result.get()) != nil
        for activation in cutOff { await windDown(activation, isGone ? .withdrawn : .replaced) }
        for identifier in identifiers {
            await ended(identifier)
            if isGone { endReplaced(identifier) }
        }
        return try result.get()
    }

    /// Returns when nobody takes the bundle out of the registry.
    private func withdrawal(of identifier: String) async {
        while withdrawals[identifier] != nil {
            await withCheckedContinuation { withdrawals[identifier]?.append($0) }
        }
    }

    /// Writes to the disk, which is not for the main actor to wait for.
    @concurrent
    private static func result<R: Sendable>(of change: @Sendable () throws -> R) async -> Result<R, any Error> {
        Result { try change() }
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
        let (identity, principal) = (active.bundle.identity, active.principal)
        let deadline = connection?.router.handlerDeadline ?? Deadline(RouterLimits.standard.handlerDeadline)
        do {
            // Where the principal lives: when this returns nobody but its bundle holds it any more, so that what it has open
            // is closed before the process ends.
            try await deadline.runOnMain(identity.identifier, of: "its bundleWillUnload") {
                await principal.bundleWillUnload()
            }
        } catch {
            services.log(identity.identifier, .error, "\(identity.version) goes before it is done: \(error)")
        }
    }
}
