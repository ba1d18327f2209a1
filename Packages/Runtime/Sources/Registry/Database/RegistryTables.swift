public import PluginCore
public import SQLite

/// The tables of a registry, each with its statements and the one place that decodes its rows.
///
/// A ``Registry`` has them, where each call stands for itself, and a ``RegistryConnection`` of a transaction.
///
/// ```swift
/// let names = try registry.active.all().map(\.active.name)
/// let pin = try registry.notes.notes(about: "com.example.app.shop").pin
/// ```
public protocol RegistryTables: Sendable {
    /// The access to the registry.
    var connection: RegistryConnection { get }
}

extension RegistryTables {
    /// The versions in the registry.
    public var versions: VersionTable { .init(connection: connection) }
    /// The active version of each installed bundle, and its rollback target.
    public var active: ActiveTable { .init(connection: connection) }
    /// The versions that become active when a host starts next.
    public var staged: StagedTable { .init(connection: connection) }
    /// The routes of active versions.
    public var routes: RouteTable { .init(connection: connection) }
    /// The history of installed bundles.
    public var history: HistoryTable { .init(connection: connection) }
    /// The versions that crashed or hung a host.
    public var quarantine: QuarantineTable { .init(connection: connection) }
    /// The notes about bundles: reasons, limits on updates, minimum versions.
    public var notes: NoteTable { .init(connection: connection) }
    /// The facts about the registry itself.
    package var state: StateTable { .init(connection: connection) }
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
