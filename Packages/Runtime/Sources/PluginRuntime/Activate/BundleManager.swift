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
    /// Whose pages are whose.
    nonisolated let pageOwners = PageOwners()
    /// Watches over versions that have not proven themselves.
    private(set) var probation: Probation
    let records: LoadRecords
    let installer: Installer
    let services: HostServices
    let lifecycles: Lifecycles
    let turns = Turns()
    /// Why versions that brought a host down could not be put away when that was tried last, if so.
    var quarantineObstacle: (any Error)?
    /// A Boolean value that indicates whether this manager has changed what is installed, or tried to.
    var hasChanged = false
    let board = LeaseBoard()

    /// The app's own routes, which no registry has.
    let rules = Mutex<[Route]>([])
    /// Which bundles may be installed on demand.
    let onDemandPolicy = Mutex(OnDemandPolicy.always)

    private let hostLease = Lease(owner: "host")
    let drainDeadline: Duration
    let exchange: EventExchange
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
    var withdrawals: [String: [CheckedContinuation<Void, Never>]] = [:]

    /// A manager of a sandbox; nothing is read or written yet.
    ///
    /// - Parameters:
    ///   - sandbox: what it manages.
    ///   - catalog: where packages come from.
    ///   - builtIn: the packages that ship with the host; they are there when the catalog cannot be reached, and one that is
    ///     newer than what is installed takes its place when the host starts (``settle()``).
    ///   - trust: the file that ships with the host and names the teams that it trusts, to which the sandbox's own file adds;
    ///     `nil` for none.
    ///   - services: what bundles get from the host.
    ///   - drainDeadline: how long a bundle that goes may take to end the calls that are in flight.
    ///   - probation: how long code that runs for the first time may hold its thread.
    ///   - onHang: is told, on a thread of its own, when it holds it for longer, and of any page that does while it is shown
    ///     (``watched(_:)``); what to do then is the host's to say.
    ///   - observer: hears of every step of every bundle.
    public init(
        sandbox: Sandbox, catalog: any Catalog, builtIn: (any Catalog)? = nil, trust: FilePath? = nil,
        services: HostServices, drainDeadline: Duration = .seconds(5), probation: ProbationLimits = ProbationLimits(),
        onHang: @escaping @Sendable (HangReport) -> Void = { _ in },
        observer: @escaping LifecycleObserver = { _ in }
    ) {
        self.sandbox = sandbox
        self.builtIn = builtIn?.reading(services.converters)
        self.catalog = (builtIn.map { LayeredCatalog([$0, catalog]) } ?? catalog).reading(services.converters)
        self.trust = TrustFile(shipped: trust, sandbox: sandbox)
        self.services = services
        HostLibraries.offer(services.libraries)
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
            hostTargets: self.services.targets, hostLease: hostLease, notFound: notFound
        )
        let router = Router(
            directory: directory ?? registry, provider: self, mediator: mediator, supply: supply, navigator: navigator,
            board: board, limits: limits, converters: converters,
            deferred: DeferredFile(sandbox) { [log = self.services.log] in log("host", .error, "\($0)") }, clock: clock
        )
        let services = ServiceExchange(
            directory: registry, provider: self, supply: supply, board: board, deadline: router.handlerDeadline)
        for service in self.services.provided {
            services.provide(service.name, policy: service.policy, under: hostLease, make: service.make)
        }
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

    /// Returns whether a bundle's code runs in this process.
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
        try sandbox.requireOwn([sandbox.lock.parent])
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
                // Who cannot look has no reason to take anything away.
                isChange = true
            }
        }
        return try await body()
    }
}
