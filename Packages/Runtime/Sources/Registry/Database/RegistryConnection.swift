import HostSystem
import PluginCore
import SQLite

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
