import Preflight
public import Registry
public import Trust
import HostSystem
public import PluginCore
public import PluginRouter

/// The manager of the bundles in one sandbox: it installs, loads, updates and removes them.
///
/// ```swift
/// let manager = BundleManager(
///     sandbox: sandbox, catalog: catalog, services: services, routing: HostRouting(navigator))
/// try await manager.install("com.example.app.shop")
/// try await manager.router.open("app://shop/item/42")
/// ```
///
/// The manager only connects its parts: ``OfferedVersions`` reads, `SandboxTransactions` changes the sandbox, `BundleLoader` loads
/// bundles, and `RunningBundles` has the state of those that run.
public final class BundleManager: Sendable {
    /// The sandbox.
    public let sandbox: Sandbox
    /// The registry of installed bundles.
    public let registry: Registry
    /// The trust store of the sandbox.
    public let trust: TrustFile
    /// The versions in the catalog, which contains the packages that ship with the host too.
    public let offers: OfferedVersions
    /// The installer of bundles that a request needs.
    public let onDemand: OnDemandInstaller
    /// The types that captures may have, in all patterns that the host reads.
    public let converters: RouteConverters

    package let policy: LoadPolicy
    package let transactions: SandboxTransactions
    let records: LoadRecords
    let running: RunningBundles
    let liveUpdates: LiveUpdates
    let loader: BundleLoader
    let processCrashes: ProcessCrashCounter

    /// Creates the manager of a sandbox, without reading or writing anything.
    ///
    /// - Parameters:
    ///   - sandbox: the sandbox to manage.
    ///   - catalog: the source of packages.
    ///   - builtIn: the packages that ship with the host, which don't depend on the catalog. Newer ones replace installed
    ///     versions when the host starts; see ``prepareForLaunch()``.
    ///   - trust: the trust store that ships with the host, to which the sandbox's own file adds; `nil` for none.
    ///   - services: the services of the host for bundles.
    ///   - routing: the handling of requests.
    ///   - drainDeadline: the time limit for running calls of a bundle that is deactivated.
    ///   - crashMonitor: the time limits for code that runs for the first time.
    ///   - onHang: called on a separate thread when such code, or any page while it is shown (``watched(_:)``), exceeds its
    ///     limit; the host decides what to do.
    ///   - observer: receives every state transition of every bundle.
    public convenience init(
        sandbox: Sandbox, catalog: any Catalog, builtIn: (any Catalog)? = nil, trust: FilePath? = nil,
        services: HostServices, routing: HostRouting, drainDeadline: Duration = .seconds(5),
        crashMonitor: CrashMonitorLimits = CrashMonitorLimits(),
        onHang: @escaping @Sendable (HangReport) -> Void = { _ in },
        observer: @escaping LifecycleObserver = { _ in }
    ) {
        self.init(
            sandbox: sandbox, catalog: catalog, builtIn: builtIn, trust: trust, services: services, routing: routing,
            drainDeadline: drainDeadline, observer: observer
        ) { records in
            .standard(in: sandbox, limits: crashMonitor, recording: records, onHang: onHang)
        }
    }

    init(
        sandbox: Sandbox, catalog: any Catalog, builtIn: (any Catalog)? = nil, trust: FilePath? = nil,
        services: HostServices, routing: HostRouting, drainDeadline: Duration = .seconds(5),
        observer: @escaping LifecycleObserver = { _ in }, monitor: (LoadRecords) -> CrashMonitor
    ) {
        HostLibraries.offer(services.libraries)
        self.sandbox = sandbox
        self.trust = TrustFile(shipped: trust, sandbox: sandbox)
        converters = services.converters
        registry = Registry(sandbox, converters: services.converters)
        records = LoadRecords(registry)
        let registrations = RegistrationStore()
        let versionLocks = VersionLocks(sandbox)
        let lifecycles = Lifecycles(observer)
        let builtIn = builtIn?.reading(converters)
        let planner = ChangePlanner(
            registry: registry,
            catalog: (builtIn.map { LayeredCatalog([$0, catalog]) } ?? catalog).reading(converters),
            trustPolicy: TrustPolicy(self.trust, remembering: records, in: registry), converters: converters)
        let names = ReservedNames(registrations: registrations, services: services, rules: routing.rules)
        offers = OfferedVersions(catalog: planner.catalog, registry: registry, planner: planner, names: names)
        policy = LoadPolicy(
            sandbox: sandbox, registry: registry, planner: planner, names: names,
            seals: SealVerification(sandbox, remembering: records), versionLocks: versionLocks,
            crashMonitor: monitor(records))
        running = RunningBundles(
            registrations, versionLocks, routing, drainDeadline: drainDeadline, log: services.log)
        liveUpdates = LiveUpdates(sandbox, registry, running, log: services.log)
        let writer = SandboxWriter(
            sandbox, registry, command: services.command, recording: records, policy.crashMonitor.trials)
        transactions = SandboxTransactions(
            sandbox, policy: policy,
            installer: Installer(sandbox: sandbox, registry: registry, lifecycles: lifecycles), writer: writer,
            running: running, builtIn: builtIn, services: services)
        onDemand = OnDemandInstaller(
            sandbox, offers: offers, install: transactions.install, running: running, versionLocks: versionLocks)
        let processCrashes = ProcessCrashCounter(
            sandbox, transactions.quarantine, liveUpdates, log: services.log)
        self.processCrashes = processCrashes
        loader = BundleLoader(
            sandbox, registry, routing, services, policy: policy, running: running, liveUpdates: liveUpdates,
            writer: writer, records: records, lifecycles: lifecycles,
            onDemandProvider: routing.onDemandProvider(onDemand)
        ) { bundle, error in
            try await processCrashes.count(
                error, in: bundle, of: bundle.identity.identifier, as: "pluginCrashedOften")
        }
    }

    /// The router, which acts on behalf of the host.
    public var router: Router { loader.communication.router }

    /// The mediator, which acts on behalf of the host.
    public var mediator: Mediator { loader.communication.mediator }

    /// The event bus, on which the host posts and receives events.
    public var events: any EventBus { loader.communication.hostEvents }

    /// The source of packages.
    public var catalog: any Catalog { offers.catalog }
}
