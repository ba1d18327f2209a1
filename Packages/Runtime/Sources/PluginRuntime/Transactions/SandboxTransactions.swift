import HostSystem
public import Registry

/// The transactions on one sandbox, each of which is made completely or not at all.
///
/// ```swift
/// try await manager.transactions.rollback.run(["com.example.app.shop", "com.example.lib.money"])
/// try await manager.transactions.pins.unpin("com.example.app.shop")
/// ```
public struct SandboxTransactions: Sendable {
    package let policy: LoadPolicy
    package let installer: Installer
    /// The exclusive access to the sandbox.
    public let writer: SandboxWriter
    package let running: RunningBundles
    package let source: any PackageSource
    /// The packages that ship with the host.
    let builtIn: (any PackageSource)?
    let services: HostServices
    /// The record that staged versions may wait for the end of a use.
    let waiting = WaitingUpdates()

    /// Installs, updates and repairs.
    public var install: InstallTransaction { InstallTransaction(transactions: self) }
    /// The return to previous versions.
    public var rollback: RollbackTransaction { RollbackTransaction(transactions: self) }
    /// The removal of bundles.
    public var uninstall: UninstallTransaction { UninstallTransaction(transactions: self) }
    /// The limits of updates.
    public var pins: PinTransaction { PinTransaction(transactions: self) }
    /// The versions that become active when a host starts next.
    public var staged: StagedUpdates { StagedUpdates(transactions: self) }
    /// The versions that have crashed or hung a host.
    public var quarantine: CrashQuarantine { CrashQuarantine(transactions: self) }
    /// The preparations of a launch.
    public var launch: LaunchTasks { LaunchTasks(transactions: self) }
    /// Verification and garbage collection.
    public var maintenance: SandboxMaintenance { SandboxMaintenance(transactions: self) }
}

/// A part of a manager that works with what the transactions of its sandbox share, such as one of them, or the loader.
package protocol SandboxPart: Sendable {
    /// The transactions, with the means that they share.
    var transactions: SandboxTransactions { get }
}

extension SandboxPart {
    package var sandbox: Sandbox { policy.sandbox }
    package var registry: Registry { policy.registry }
    package var planner: ChangePlanner { policy.planner }
    package var policy: LoadPolicy { transactions.policy }
    package var installer: Installer { transactions.installer }
    package var writer: SandboxWriter { transactions.writer }
    package var running: RunningBundles { transactions.running }
    package var source: any PackageSource { transactions.source }
    package var quarantine: CrashQuarantine { transactions.quarantine }
    package var log: HostServices.Log { transactions.services.log }
}

/// The maintenance of the installed bundles.
public struct SandboxMaintenance: SandboxPart {
    package let transactions: SandboxTransactions

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
            return try installer.collector.collect(withKeptData: includesKeptData)
        }
    }
}
