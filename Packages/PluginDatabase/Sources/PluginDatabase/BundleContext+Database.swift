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
    /// `dataVersion` in its manifest, so that it starts on a copy of the data, and the earlier version finds its own after a rollback. If it
    /// has not, the file is left as it is.
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
        let mark = DataMark(self)
        let written = try DataMark(in: database)
        let format = try database.value("PRAGMA user_version", as: Int.self) ?? 0
        if written == mark, format > 0, format < migrations.latestVersion {
            throw AtriumError(
                .init("manifestInvalid"), identity, reason: "dataVersionTooLow",
                [
                    "number": .integer(mark.number), "name": .text(name), "format": .integer(format),
                    "needed": .integer(migrations.latestVersion),
                ])
        }
        try migrations.apply(to: database)
        if written != mark { try mark.write(to: database) }
        return database
    }
}

/// The data version for which a database was migrated last, in the number that tells applications their own files.
private struct DataMark: Equatable {
    /// The number without a data version: "A" and half of "t" in ASCII.
    private static let type = 0x417 << 20

    let number: Int

    /// The data version of a container, by which its folder is named; a host for tests has none.
    init(_ container: BundleContainer) { number = Int(container.root.lastComponent) ?? 0 }

    /// Reads the mark of a database; returns `nil` for one without.
    init?(in database: Database) throws {
        let value = try database.value("PRAGMA application_id", as: Int.self) ?? 0
        guard value >> 20 == Self.type >> 20 else { return nil }
        number = value - Self.type
    }

    func write(to database: Database) throws {
        try database.execute("PRAGMA application_id = \(Self.type + number)")
    }
}
