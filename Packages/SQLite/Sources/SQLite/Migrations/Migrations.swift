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
        var version: Int
        do {
            version = try currentVersion(of: database)
        } catch {
            throw .unreadable(error)
        }
        while true {
            guard (0...latestVersion).contains(version) else {
                throw .unknownVersion(version, known: latestVersion)
            }
            if version == latestVersion { return }
            version = try advance(database, from: version)
        }
    }

    /// Applies the step after a version, unless another process has already done so, and returns the new version.
    private func advance(_ database: Database, from version: Int) throws(MigrationError) -> Int {
        let step = steps[version]
        do {
            return try database.transaction {
                let current = try currentVersion(of: database)
                guard current == version else { return current }
                try step.body(database)
                try database.execute("PRAGMA user_version = \(version + 1)")
                return version + 1
            }
        } catch {
            throw .failed(name: step.name, version: version + 1, cause: error)
        }
    }

    private func currentVersion(of database: Database) throws(SQLiteError) -> Int {
        let version = try database.value("PRAGMA user_version", as: Int.self)
        return version ?? 0
    }
}
