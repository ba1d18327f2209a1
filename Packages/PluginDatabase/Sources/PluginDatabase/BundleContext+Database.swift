public import PluginCore
public import SQLite

extension BundleContext {
    /// Opens a database of the plugin in its container, and migrates it to the latest version.
    ///
    /// ```swift
    /// let database = try context.database(
    ///     "orders", Migrations([Migration("orders", sql: "CREATE TABLE orders (number INTEGER PRIMARY KEY) STRICT")]))
    /// ```
    ///
    /// The file is `<name>.sqlite` among the documents. A version of the plugin with more migrations than the one before has a higher
    /// `dataVersion` in its manifest, so that it starts on a copy of the data, and the earlier version finds its own after a rollback. Otherwise the
    /// method throws and doesn't change the file. The database's `application_id` is overwritten.
    ///
    /// - Throws: ``AtriumError`` with code `manifestInvalid` for a `dataVersion` that is too low, `MigrationError`, or `SQLiteError`.
    public func database(_ name: String, _ migrations: Migrations) throws -> Database {
        try container.database(name, migrations, of: identity)
    }
}

extension BundleContainer {
    /// Opens a database of the plugin with an identity, and migrates it.
    func database(_ name: String, _ migrations: Migrations, of identity: BundleIdentity) throws -> Database {
        let database = try Database(path: documents.appending("\(name).sqlite").string)
        let stamp = DataVersionStamp(self)
        let written = try DataVersionStamp(in: database)
        let format = try database.value("PRAGMA user_version", as: Int.self) ?? 0
        if written == stamp, format > 0, format < migrations.latestVersion {
            throw AtriumError(
                .init("manifestInvalid"), identity, reason: "dataVersionTooLow",
                [
                    "number": .integer(stamp.number), "name": .text(name), "format": .integer(format),
                    "needed": .integer(migrations.latestVersion),
                ])
        }
        try migrations.apply(to: database)
        if written != stamp { try stamp.write(to: database) }
        return database
    }
}

/// The data version for which a database was migrated last, in SQLite's `application_id`.
private struct DataVersionStamp: Equatable {
    /// The application ID for data version 0: "A" and half of "t" in ASCII.
    private static let type = 0x417 << 20

    let number: Int

    /// The data version of a container, by which its folder is named; a host for tests has none.
    init(_ container: BundleContainer) { number = Int(container.root.lastComponent) ?? 0 }

    /// Reads the stamp of a database; returns `nil` for one without.
    init?(in database: Database) throws {
        let value = try database.value("PRAGMA application_id", as: Int.self) ?? 0
        guard value >> 20 == Self.type >> 20 else { return nil }
        number = value - Self.type
    }

    func write(to database: Database) throws {
        try database.execute("PRAGMA application_id = \(Self.type + number)")
    }
}
