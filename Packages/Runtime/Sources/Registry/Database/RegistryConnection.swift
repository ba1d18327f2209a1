import HostSystem
public import PluginCore
public import SQLite

/// The access of tables to their registry: each call by itself, or all within a transaction.
///
/// ```swift
/// try registry.write { tables in
///     try tables.staged.remove(identifier)
///     try tables.history.add(.uninstalled, identity)
/// }
/// ```
public struct RegistryConnection: RegistryTables {
    let registry: Registry
    /// The database on which all calls run; `nil` to look it up for each call.
    private let database: Database?

    /// This access itself.
    public var connection: RegistryConnection { self }

    init(_ registry: Registry, _ database: Database? = nil) {
        self.registry = registry
        self.database = database
    }

    /// Runs several reads without looking up the database for each of them.
    ///
    /// - Returns: `nil` when the registry doesn't exist yet.
    func read<T>(_ body: (RegistryConnection) throws -> T) throws(AtriumError) -> T? {
        try withDatabase { try body(RegistryConnection(registry, $0)) }
    }

    /// Runs several changes in one transaction: the surrounding one, or a new one.
    @discardableResult
    func write<T>(_ body: (RegistryConnection) throws -> T) throws(AtriumError) -> T {
        guard database != nil else { return try registry.write(body) }
        do {
            return try body(self)
        } catch {
            throw registry.translated(error)
        }
    }

    /// Returns the rows of a statement; none when the registry doesn't exist yet.
    func query<Value>(
        _ sql: String, _ arguments: (any SQLValueConvertible)?..., row: (borrowing Row) throws -> Value
    ) throws(AtriumError) -> [Value] {
        try withDatabase { try $0.query(sql, arguments: SQLArguments(arguments), row: row) } ?? []
    }

    /// Returns the first row of a statement, if any.
    func first<Value>(
        _ sql: String, _ arguments: (any SQLValueConvertible)?..., row: (borrowing Row) throws -> Value
    ) throws(AtriumError) -> Value? {
        try withDatabase { try $0.first(sql, arguments: SQLArguments(arguments), row: row) } ?? nil
    }

    /// Returns the only column of the first row of a statement, if any.
    func value<Value: SQLValueConvertible>(
        _ sql: String, _ arguments: (any SQLValueConvertible)?..., as type: Value.Type = Value.self
    ) throws(AtriumError) -> Value? {
        try withDatabase { try $0.value(sql, arguments: SQLArguments(arguments), as: type) } ?? nil
    }

    /// Runs a statement that changes rows, in the surrounding transaction or a new one.
    func execute(_ sql: String, _ arguments: (any SQLValueConvertible)?...) throws(AtriumError) {
        try execute(sql, arguments: SQLArguments(arguments))
    }

    /// Runs a statement with arguments by name.
    func execute(_ sql: String, arguments: SQLArguments) throws(AtriumError) {
        try write { connection in _ = try connection.withDatabase { try $0.execute(sql, arguments: arguments) } }
    }

    func withDatabase<T>(_ body: (Database) throws -> T) throws(AtriumError) -> T? {
        guard let database else { return try registry.read(body) }
        do {
            return try body(database)
        } catch {
            throw registry.translated(error)
        }
    }
}

extension Row {
    /// Reads a column whose text has a format.
    ///
    /// - Throws: ``AtriumError`` with code `registryDamaged` that names the subject, the column and the text.
    func parse<Value>(_ column: String, of subject: some CustomStringConvertible, _ value: (String) -> Value?) throws
        -> Value
    {
        let text = try self[column, as: String.self]
        guard let value = value(text) else {
            throw AtriumError(
                .registryDamaged, subject, reason: "columnUnreadable", ["column": "\(column)", "text": .text(text)])
        }
        return value
    }

    /// Reads a column whose text has a format, or that is empty.
    func parseIfPresent<Value>(_ column: String, of subject: some CustomStringConvertible, _ value: (String) -> Value?)
        throws -> Value?
    {
        try self[column, as: String?.self] == nil ? nil : try parse(column, of: subject, value)
    }
}

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
    /// The extensions of active versions.
    public var extensions: ExtensionTable { ExtensionTable(connection: connection) }
    /// The extension points of active versions.
    public var extensionPoints: ExtensionPointTable { ExtensionPointTable(connection: connection) }
    /// The user's choices about extensions.
    public var extensionChoices: ExtensionChoiceTable { ExtensionChoiceTable(connection: connection) }
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
    /// The decisions of the trust store about loads.
    package var trustDecisions: TrustDecisionTable { TrustDecisionTable(connection: connection) }
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
