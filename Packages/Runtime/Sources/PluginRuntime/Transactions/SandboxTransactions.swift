import HostSystem
import PluginCore
package import PluginRouter
package import Registry
import Synchronization

/// The transactions on one sandbox, each of which is made completely or not at all, and what they share.
///
/// ```swift
/// try await manager.transactions.rollback.run(["com.example.app.shop", "com.example.lib.money"])
/// ```
public final class SandboxTransactions: Sendable {
    let sandbox: Sandbox
    let registry: Registry
    let source: any PackageSource
    /// The packages that ship with the host.
    let builtIn: (any PackageSource)?
    let chooser: VersionChooser
    let verification: any PackageVerification
    let libraryCheck: any LibraryCheck
    let services: HostServices
    let routing: HostRouting
    let registrations = RegistrationStore()
    let records: LoadRecords
    let crashMonitor: CrashMonitor
    let lifecycles: Lifecycles
    let usedFolders: UsedFolders
    let writerLock: WriterLock
    let mutex = AsyncMutex()
    let running: RunningBundles
    /// Ends idle users of a plugin's data outside of this module, such as processes that wait for requests.
    let endIdleUsers = Mutex<@Sendable (BundleIdentifier) async -> Void>({ _ in })
    /// The record that staged versions may wait for the end of a use.
    let waiting = WaitingUpdates()

    init(
        _ sandbox: Sandbox, from source: any PackageSource, _ builtIn: (any PackageSource)?,
        choosing chooser: VersionChooser, _ verification: any PackageVerification, _ libraryCheck: any LibraryCheck,
        _ services: HostServices, _ routing: HostRouting
    ) {
        self.sandbox = sandbox
        registry = Registry(
            sandbox, at: sandbox.registry, converters: services.converters,
            layers: services.admission.compactMap { $0 as? any DeclaringLayer })
        self.source = source.source(for: services.converters)
        self.builtIn = builtIn?.source(for: services.converters)
        self.chooser = chooser
        self.verification = verification
        self.libraryCheck = libraryCheck
        self.services = services
        self.routing = routing
        records = LoadRecords(registry)
        crashMonitor =
            services.crashMonitor?(sandbox)
            ?? CrashMonitor(
                crashLogs: CrashLogStore(sandbox, limits: services.crashMonitorLimits, onHang: services.onHang),
                onSuccessfulRun: { [records] in records.add(hasRunVersions: $0) })
        lifecycles = Lifecycles(services.observer)
        usedFolders = UsedFolders(sandbox)
        writerLock = WriterLock(sandbox, command: services.command)
        running = RunningBundles(registrations, routing, lifecycles, log: services.log)
    }

    /// Installs, updates and repairs.
    public var install: InstallTransaction { .init(transactions: self) }
    /// The return to previous versions.
    public var rollback: RollbackTransaction { .init(transactions: self) }
    /// The removal of bundles.
    public var uninstall: UninstallTransaction { .init(transactions: self) }
    /// The versions that become active when a host starts next.
    public var staged: StagedUpdates { .init(transactions: self) }
    /// The versions that have crashed or hung a host.
    public var quarantine: CrashQuarantine { .init(transactions: self) }
    /// The preparations of a launch.
    public var launch: LaunchTasks { .init(transactions: self) }
    /// The exclusive access to the sandbox.
    public var writer: SandboxWriter { .init(transactions: self) }
}

/// A part of a manager that works with what the transactions of its sandbox share, such as one of them, or the loader.
package protocol SandboxPart: Sendable {
    /// The transactions, with the means that they share.
    var transactions: SandboxTransactions { get }
}

extension SandboxPart {
    package var sandbox: Sandbox { transactions.sandbox }
    package var registry: Registry { transactions.registry }
    package var source: any PackageSource { transactions.source }
    package var chooser: VersionChooser { transactions.chooser }
    package var verification: any PackageVerification { transactions.verification }
    package var records: LoadRecords { transactions.records }
    package var running: RunningBundles { transactions.running }
    /// The types that captures may have, in all patterns that the host reads.
    package var converters: RouteConverters { services.converters }
    package var planner: ChangePlanner { .init(transactions: transactions) }
    package var policy: LoadPolicy { .init(transactions: transactions) }
    package var installer: Installer { .init(transactions: transactions) }
    package var writer: SandboxWriter { transactions.writer }
    package var quarantine: CrashQuarantine { transactions.quarantine }
    package var services: HostServices { transactions.services }
    package var log: HostServices.Log { services.log }
    var usedFolders: UsedFolders { transactions.usedFolders }
    var data: DataVersions { .init(transactions: transactions) }
    var crashMonitor: CrashMonitor { transactions.crashMonitor }
    var lifecycles: Lifecycles { transactions.lifecycles }

    /// Logs an error about a version.
    func log(_ identity: BundleIdentity, _ name: String, _ values: [String: ErrorReason.Value] = [:]) {
        let values = values.merging(["version": "\(identity.version)"]) { $1 }
        log(identity.identifier.text, .error, ErrorReason(name, values))
    }

    /// Logs the failure of a step that is left for later.
    func log(_ name: String, _ error: any Error) {
        log("host", .error, ErrorReason(name, ["error": .reason(.error(error))]))
    }
}
