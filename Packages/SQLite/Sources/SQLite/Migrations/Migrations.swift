/// A schema's whole history: version 0 is the empty database, version n the one after the nth step.
///
/// The version is kept in the file's `user_version`. New steps are only ever added at the end.
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

    /// The steps from the first to the newest.
    public init(_ steps: [Migration]) {
        self.steps = steps
    }

    /// The version that a database has after all steps.
    public var latestVersion: Int { steps.count }

    /// Brings a database to ``latestVersion``, each step in a transaction of its own, so a failed step leaves the
    /// version before it. Costs one read when there is nothing to do. Several processes may do it at once: each step
    /// is done by one of them.
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

    /// Does the step after `version`, or nothing when another process was faster. Returns the version then.
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
