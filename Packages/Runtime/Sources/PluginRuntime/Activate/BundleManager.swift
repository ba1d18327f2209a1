import Preflight
public import Registry
public import Trust
import HostSystem
public import PluginCore
public import PluginRouter
internal import Synchronization

/// The manager of the bundles in one sandbox: it installs, loads, updates and removes them.
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
    /// The registry of installed bundles.
    public nonisolated let registry: Registry
    /// The source of packages.
    public nonisolated let catalog: any Catalog
    /// The packages that ship with the host; the catalog contains them too.
    public nonisolated let builtIn: (any Catalog)?
    /// The trust store of the sandbox.
    public nonisolated let trust: TrustFile

    /// The types that captures may have, in all patterns that the host reads.
    public nonisolated var converters: RouteConverters { services.converters }

    let trustPolicy: TrustPolicy
    let seals: SealVerification
    let sealedResources: SealedResourceTable
    let lock: WriterLock
    let versionLocks: VersionLocks
    /// The owners of pages.
    nonisolated let pageOwners = PageOwners()
    /// The crash detection for versions that haven't run successfully yet.
    private(set) var crashMonitor: CrashMonitor
    let records: LoadRecords
    let installer: Installer
    let services: HostServices
    let lifecycles: Lifecycles
    let sandboxMutex = AsyncMutex()
    /// The error of the last attempt to quarantine crashed versions, if it failed.
    var quarantineObstacle: (any Error)?
    /// A Boolean value that indicates whether this manager has changed the installed bundles, or tried to.
    var hasChanged = false
    let registrationStore = RegistrationStore()

    /// The app's own routes, which aren't in the registry.
    let rules = Mutex<[Route]>([])
    /// The policy for on-demand installs.
    let onDemandPolicy = Mutex(OnDemandPolicy.always)

    private let hostLease = Lease(owner: "host")
    let drainDeadline: Duration
    let exchange: EventExchange
    private(set) var connection:
        (router: Router, mediator: Mediator, services: ServiceExchange, navigator: any Navigator)?
    var activations: [String: Activation] = [:]
    /// The generation of the registry with which the activations were last compared.
    nonisolated let compared = Mutex(Comparison.needless)
    /// Notifies this manager of changes by other processes while bundles run.
    var watch: RegistryWatch?
    /// The observer of changes that other processes make to running bundles.
    var changeObserver: OutsideChangeObserver?
    /// Replaced versions with open pages.
    var replaced: [ReplacedVersion] = [] {
        didSet { hasReplaced.store(!replaced.isEmpty, ordering: .releasing) }
    }
    nonisolated let hasReplaced = Atomic<Bool>(false)
    /// The bundles that are being drained in the background.
    var endings: [Int: (identifier: String, task: Task<Void, Never>)] = [:]
    var endingCount = 0
    /// The resources in use of versions whose code isn't loaded.
    var openResources = OpenResources()
    /// A closure called when this process no longer uses a version, not even one of its pages.
    var versionEnded: @Sendable (PluginBundle) -> Void
    /// The bundles that are being removed from the registry, and the callers that wait for the result.
    var removalWaiters: [String: [CheckedContinuation<Void, Never>]] = [:]

    /// Creates the manager of a sandbox, without reading or writing anything.
    ///
    /// - Parameters:
    ///   - sandbox: the sandbox to manage.
    ///   - catalog: the source of packages.
    ///   - builtIn: the packages that ship with the host, which don't depend on the catalog. Newer ones replace installed
    ///     versions when the host starts; see ``settle()``.
    ///   - trust: the trust store that ships with the host, to which the sandbox's own file adds; `nil` for none.
    ///   - services: the services of the host for bundles.
    ///   - drainDeadline: the time limit for running calls of a bundle that is deactivated.
    ///   - crashMonitor: the time limits for code that runs for the first time.
    ///   - onHang: called on a separate thread when such code, or any page while it is shown (``watched(_:)``), exceeds its
    ///     limit; the host decides what to do.
    ///   - observer: receives every state transition of every bundle.
    public init(
        sandbox: Sandbox, catalog: any Catalog, builtIn: (any Catalog)? = nil, trust: FilePath? = nil,
        services: HostServices, drainDeadline: Duration = .seconds(5),
        crashMonitor: CrashMonitorLimits = CrashMonitorLimits(),
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
        exchange = EventExchange(registrationStore: registrationStore) { services.log($0, .error, $1) }
        registry = Registry(sandbox, converters: services.converters)
        lock = WriterLock(sandbox, command: services.command)
        let versionLocks = VersionLocks(sandbox)
        self.versionLocks = versionLocks
        versionEnded = { versionLocks.release($0) }
        let records = LoadRecords(registry)
        self.records = records
        trustPolicy = TrustPolicy(self.trust, remembering: records, in: registry)
        seals = SealVerification(sandbox, remembering: records)
        sealedResources = SealedResourceTable(sandbox)
        self.crashMonitor = CrashMonitor(
            crashLogs: CrashLogStore(sandbox, limits: crashMonitor, onHang: onHang),
            hasRunBefore: { $0.hasRunSince != nil },
            onSuccessfulRun: { records.add(hasRunVersions: $0) })
        installer = Installer(sandbox: sandbox, registry: registry, lifecycles: lifecycles)
    }

    /// The executor of the main actor, on which principal objects live, so that loading needs no switch of threads.
    ///
    /// The expensive part of installing runs elsewhere.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { MainActor.sharedUnownedExecutor }

    /// Connects a router and a mediator to this manager; called once, before any bundle is loaded.
    ///
    /// - Parameters:
    ///   - navigator: shows pages.
    ///   - directory: the directory of routes; `nil` for the registry.
    ///   - onDemandProvider: the provider of on-demand installs: this manager, or an object that wraps it; `nil` for none.
    ///   - rules: the app's own routes, which no other bundle's active version may declare.
    ///   - notFound: called for a call to an unknown target or action; `nil` for no handler.
    ///   - limits: the limits of router and mediator for one request.
    ///   - clock: the clock for deadlines.
    /// - Returns: the router and the mediator, which act on behalf of the host.
    @discardableResult
    public func connect(
        _ navigator: any Navigator, directory: (any RouteDirectory)? = nil, onDemandProvider: (any OnDemandProvider)?,
        rules: [Route] = [], notFound: Mediator.NotFound? = nil, limits: RouterLimits = .standard,
        clock: any _Concurrency.Clock<Duration> = ContinuousClock()
    ) -> (router: Router, mediator: Mediator) {
        self.rules.withLock { $0 = rules }
        let mediator = Mediator(
            directory: registry.targets, provider: self, onDemandProvider: onDemandProvider,
            registrationStore: registrationStore, limits: limits, clock: clock,
            hostTargets: self.services.targets, hostLease: hostLease, notFound: notFound
        )
        let router = Router(
            directory: directory ?? registry.routes, provider: self, mediator: mediator,
            onDemandProvider: onDemandProvider,
            navigator: navigator,
            registrationStore: registrationStore, limits: limits, converters: converters,
            deferred: DeferredFile(sandbox) { [log = self.services.log] in log("host", .error, "\($0)") }, clock: clock
        )
        let services = ServiceExchange(
            directory: registry.services, provider: self, onDemandProvider: onDemandProvider,
            registrationStore: registrationStore, deadline: router.handlerDeadline)
        for service in self.services.provided {
            services.provide(service.name, policy: service.policy, under: hostLease, make: service.make)
        }
        exchange.limit(to: router.handlerDeadline)
        connection = (router, mediator, services, navigator)
        return (router, mediator)
    }

    /// Replaces the crash detection.
    func setCrashMonitor(_ crashMonitor: CrashMonitor) {
        self.crashMonitor = crashMonitor
    }

    /// The event bus, on which the host posts and receives events.
    public nonisolated var events: any EventBus { exchange.leased(to: hostLease) }

    /// Returns whether a bundle is loaded or being loaded in this process.
    public func isActive(_ identifier: String) -> Bool {
        activations[identifier] != nil
    }

    /// Runs a closure while no other host changes the installed bundles.
    ///
    /// Calls may be nested. Hosts that only run plugins aren't affected. A sandbox that didn't exist before exists afterwards
    /// only if something was installed.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxBusy`, `sandboxUnwritable`, and the errors of `body`.
    @discardableResult
    public nonisolated func whileAlone<R: Sendable>(_ body: @Sendable () async throws -> R) async throws -> R {
        // All folders are created and removed under the lock, except the one that contains it.
        try sandbox.requireOwn([sandbox.lock.parent])
        let place = try FileSystem.makeFolders(sandbox.lock.parent)
        var isChange = false
        defer { if !isChange { FileSystem.removeIfEmpty(place) } }
        try await lock.acquire()
        defer { lock.release() }
        let made = try sandbox.prepare()
        defer { if !isChange { FileSystem.removeIfEmpty(made) } }
        try FileSystem.sync(made: place + made)
        // Also after an error, because a failed commit may be on the disk.
        defer {
            do {
                isChange = try FileStamp(ofFile: sandbox.registry) != nil
            } catch {
                // If that is unknown, nothing is removed.
                isChange = true
            }
        }
        return try await body()
    }
}
