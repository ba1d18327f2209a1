public import PluginCore
public import SQLite

/// The tables of a registry, each with its statements and the one place that decodes its rows.
///
/// A ``Registry`` has them, where each call stands for itself, and a ``RegistryConnection`` of a transaction.
///
/// ```swift
/// let names = try registry.active.all().map(\.active.name)
/// let pin = try registry.pins.pin(of: "com.example.app.shop")
/// ```
public protocol RegistryTables: Sendable {
    /// The access to the registry.
    var connection: RegistryConnection { get }
}

extension RegistryTables {
    /// The versions in the registry.
    public var versions: VersionTable { VersionTable(connection: connection) }
    /// The active version of each installed bundle, and its rollback target.
    public var active: ActiveTable { ActiveTable(connection: connection) }
    /// The versions that become active when a host starts next.
    public var staged: StagedTable { StagedTable(connection: connection) }
    /// The routes of active versions.
    public var routes: RouteTable { RouteTable(connection: connection) }
    /// The targets of active versions, with their actions.
    public var targets: TargetTable { TargetTable(connection: connection) }
    /// The services of active versions.
    public var services: ServiceTable { ServiceTable(connection: connection) }
    /// The requirements of active versions.
    public var requirements: RequirementTable { RequirementTable(connection: connection) }
    /// The history of installed bundles.
    public var history: HistoryTable { HistoryTable(connection: connection) }
    /// The highest versions that have run here.
    public var minimumVersions: MinimumVersionTable { MinimumVersionTable(connection: connection) }
    /// The versions that crashed or hung a host.
    public var quarantine: QuarantineTable { QuarantineTable(connection: connection) }
    /// The reasons for which bundles are installed.
    public var reasons: InstallReasonTable { InstallReasonTable(connection: connection) }
    /// The limits on updates.
    public var pins: PinTable { PinTable(connection: connection) }
    /// The bundles that a user has uninstalled by name.
    public var uninstalled: UninstalledTable { UninstalledTable(connection: connection) }
    /// The facts about the registry itself.
    package var state: StateTable { StateTable(connection: connection) }
    /// The bundles whose data is still to be deleted.
    package var erasures: ErasureTable { ErasureTable(connection: connection) }
    /// The bundles that an on-demand install has added and may remove again.
    package var onDemandInstalls: OnDemandInstallTable { OnDemandInstallTable(connection: connection) }
}

/// A state of the registry, as seen by one connection, for which caches are valid.
package struct RegistryGeneration: Hashable, Sendable {
    /// The number of the connection.
    package let connection: Int
    /// The number of writes by this process.
    let writes: Int
    /// SQLite's count of writes by others.
    let version: Int

    /// Returns whether another connection or process has written, or may have written, since an earlier generation.
    package func isOthersWork(since before: Self) -> Bool {
        connection != before.connection || version != before.version
    }
}

extension BundleIdentifier: @retroactive SQLValueConvertible {
    /// The identifier as text.
    public var sqlValue: SQLValue { .text(text) }

    /// Creates an identifier from stored text. Returns nil if it is not valid.
    public init?(sqlValue: SQLValue) {
        guard let text = String(sqlValue: sqlValue) else { return nil }
        self.init(text)
    }
}
