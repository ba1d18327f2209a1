import Registry
import HostSystem

/// The transactions on one sandbox, each of which is made completely or not at all.
package struct SandboxTransactions: Sendable {
    package let writer: SandboxWriter
    package let staged: StagedUpdates
    package let quarantine: CrashQuarantine
    let install: InstallTransaction
    let rollback: RollbackTransaction
    let uninstall: UninstallTransaction
    let pin: PinTransaction
    let launch: LaunchTasks
    let maintenance: SandboxMaintenance

    init(
        _ sandbox: Sandbox, policy: LoadPolicy, installer: Installer, writer: SandboxWriter, running: RunningBundles,
        builtIn: (any Catalog)?, services: HostServices
    ) {
        let (registry, planner, log) = (policy.registry, policy.planner, services.log)
        self.writer = writer
        staged = StagedUpdates(
            registry: registry, planner: planner, policy: policy, installer: installer, writer: writer, log: log)
        quarantine = CrashQuarantine(
            registry: registry, policy: policy, installer: installer, writer: writer,
            crashLogs: policy.crashMonitor.crashLogs, log: log)
        let install = InstallTransaction(
            registry: registry, planner: planner, policy: policy, installer: installer, writer: writer, staged: staged,
            running: running, log: log)
        self.install = install
        rollback = RollbackTransaction(
            registry: registry, policy: policy, installer: installer, writer: writer, running: running)
        uninstall = UninstallTransaction(
            sandbox: sandbox, registry: registry, planner: planner, installer: installer, writer: writer,
            quarantine: quarantine, running: running, log: log)
        pin = PinTransaction(registry: registry, writer: writer, staged: staged)
        launch = LaunchTasks(
            sandbox: sandbox, registry: registry, collector: installer.collector, quarantine: quarantine,
            staged: staged,
            builtIn: builtIn.map {
                BuiltInUpdates(
                    builtIn: $0, registry: registry, versionPolicy: planner.versionPolicy, writer: writer,
                    install: install, log: log)
            },
            services: services)
        maintenance = SandboxMaintenance(
            sandbox: sandbox, registry: registry, policy: policy, collector: installer.collector, writer: writer)
    }
}
