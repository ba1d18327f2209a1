/// The history of a schema. Version 0 is the empty database, and each step increases the version by one.
///
/// The version is stored in the file's `user_version`. New steps may only be added at the end.
///
/// ```swift
/// let schema = Migrations([
///     Migration("plugins", sql: "CREATE TABLE plugin (name TEXT PRIMARY KEY) STRICT"),
///     Migration("versions", sql: "ALTER TABLE plugin ADD COLUMN version INTEGER NOT NULL DEFAULT 1"),
/// ])
/// try schema.apply(to: database)
/// ```
public struct Migrations: Sendable {
    private let steps: [Migration]

    /// Creates a history from its steps in order.
    public init(_ steps: [Migration]) {
        self.steps = steps
    }

    /// The version of a database after all steps.
    public var latestVersion: Int { steps.count }

    /// Migrates a database to the latest version, each step in its own transaction.
    ///
    /// A failed step leaves the previous version. If there is nothing to do, this costs one read. Several processes may migrate at the same
    /// time: each step is done by one of them.
    public func apply(to database: Database) throws(MigrationError) {
        while let version = try pendingVersion(of: database) { try advance(database, from: version) }
    }

    /// Returns the version of a database, or nil for the latest one.
    private func pendingVersion(of database: Database) throws(MigrationError) -> Int? {
        let version: Int
        do {
            version = try currentVersion(of: database)
        } catch {
            throw .unreadable(error)
        }
        guard (0...latestVersion).contains(version) else { throw .unknownVersion(version, known: latestVersion) }
        return version == latestVersion ? nil : version
    }

    /// Applies the step after a version, unless another process has already done so.
    private func advance(_ database: Database, from version: Int) throws(MigrationError) {
        let step = steps[version]
        do {
            try database.transaction {
                guard try currentVersion(of: database) == version else { return }
                try step.body(database)
                try database.execute("PRAGMA user_version = \(version + 1)")
            }
        } catch {
            throw .failed(name: step.name, version: version + 1, cause: error)
        }
    }

    private func currentVersion(of database: Database) throws(SQLiteError) -> Int {
        try database.value("PRAGMA user_version", as: Int.self) ?? 0
    }
}

/// A step of a schema's history. It must not change after it was released, because existing databases keep its effect.
public struct Migration: Sendable {
    /// The description for people and error messages. A step is identified by its position in the list.
    public let name: String

    let body: @Sendable (Database) throws -> Void

    /// Creates a step from a script of SQL statements without begin and commit.
    public init(_ name: String, sql: String) {
        self.init(name) { database in try database.execute(script: sql) }
    }

    /// Creates a step from a closure. It runs inside the step's transaction and must not end it.
    public init(_ name: String, _ body: @escaping @Sendable (Database) throws -> Void) {
        self.name = name
        self.body = body
    }
}

/// The reason why a database could not be migrated. The database is consistent, at the version that it reached.
public enum MigrationError: Error {
    /// The database has a version that this program doesn't know, because a newer program has written it.
    ///
    /// A negative version was written by a program without these migrations. The remedy is to update the program.
    case unknownVersion(Int, known: Int)
    /// The step to a version failed and was rolled back.
    case failed(name: String, version: Int, cause: any Error)
    /// The version could not be read.
    case unreadable(SQLiteError)

    /// The underlying database error, if there is one.
    public var sqliteError: SQLiteError? {
        switch self {
        case .unknownVersion: nil
        case .failed(_, _, let cause): cause as? SQLiteError
        case .unreadable(let error): error
        }
    }
}

extension MigrationError: CustomStringConvertible {
    /// A line for logs, with the remedy if there is one.
    public var description: String {
        switch self {
        case .unknownVersion(let version, let known):
            "the database has version \(version), but this program supports only versions up to \(known); "
                + "update the program"
        case .failed(let name, let version, let cause):
            "migration \"\(name)\" to version \(version) failed and was undone: \(cause)"
        case .unreadable(let error): "the database's version cannot be read: \(error)"
        }
    }
}
