import BundleFormat
import HostSystem
import PluginCore
public import Registry

/// The transactions on one sandbox, each of which is made completely or not at all.
///
/// ```swift
/// try await manager.transactions.rollback.run(["com.example.app.shop", "com.example.lib.money"])
/// try await manager.transactions.pins.unpin("com.example.app.shop")
/// ```
public struct SandboxTransactions: Sendable {
    /// The exclusive access to the sandbox.
    public let writer: SandboxWriter
    /// Installs, updates and repairs.
    public let install: InstallTransaction
    /// The return to previous versions.
    public let rollback: RollbackTransaction
    /// The removal of bundles.
    public let uninstall: UninstallTransaction
    /// The limits of updates.
    public let pins: PinTransaction
    /// The versions that become active when a host starts next.
    public let staged: StagedUpdates
    /// The versions that have crashed or hung a host.
    public let quarantine: CrashQuarantine
    /// The preparations of a launch.
    public let launch: LaunchTasks
    /// Verification and garbage collection.
    public let maintenance: SandboxMaintenance

    init(
        policy: LoadPolicy, installer: Installer, writer: SandboxWriter, running: RunningBundles,
        staged: StagedUpdates, source: any PackageSource, builtIn: (any PackageSource)?, services: HostServices
    ) {
        let (sandbox, registry, planner, log) = (policy.sandbox, policy.registry, policy.planner, services.log)
        self.writer = writer
        self.staged = staged
        quarantine = CrashQuarantine(
            registry: registry, policy: policy, installer: installer, writer: writer,
            crashLogs: policy.crashMonitor.crashLogs, log: log)
        let install = InstallTransaction(
            registry: registry, source: source, planner: planner, policy: policy, installer: installer,
            downloader: PackageDownloader(sandbox: sandbox, registry: registry, lifecycles: installer.lifecycles),
            writer: writer, staged: staged, running: running, log: log)
        self.install = install
        rollback = RollbackTransaction(
            registry: registry, policy: policy, installer: installer, writer: writer, running: running)
        uninstall = UninstallTransaction(
            sandbox: sandbox, registry: registry, planner: planner, installer: installer, writer: writer,
            quarantine: quarantine, running: running, log: log)
        pins = PinTransaction(registry: registry, writer: writer, staged: staged)
        launch = LaunchTasks(
            sandbox: sandbox, registry: registry, collector: installer.collector, quarantine: quarantine,
            staged: staged,
            builtIn: builtIn.map { BuiltInUpdates(builtIn: $0, install: install) }, services: services)
        maintenance = SandboxMaintenance(
            sandbox: sandbox, registry: registry, policy: policy, collector: installer.collector, writer: writer)
    }
}

/// The maintenance of the installed bundles.
public struct SandboxMaintenance: Sendable {
    let sandbox: Sandbox
    package let registry: Registry
    package let policy: LoadPolicy
    let collector: Collector
    let writer: SandboxWriter

    /// Makes all checks of a load without loading anything: the signer, the seal, and the library's content.
    ///
    /// - Throws: the errors of loading.
    public func requireVerified(_ bundle: PluginBundle) throws { try policy.require(bundle, for: .verification) }

    /// Removes everything that the registry doesn't list and no process uses, and versions that are no longer valid rollback targets.
    ///
    /// - Parameter includesKeptData: whether newer data that was set aside is removed, too.
    /// - Throws: ``AtriumError`` with code `sandboxBusy`, `sandboxUnwritable`, `registryDamaged`.
    public func collectGarbage(withKeptData includesKeptData: Bool = false) async throws -> CollectionReport {
        guard try FileSystem.item(at: sandbox.plugins) != nil else { return CollectionReport() }
        return try await writer.exclusively {
            try registry.releaseUnreachable()
            return try collector.collect(withKeptData: includesKeptData)
        }
    }
}
