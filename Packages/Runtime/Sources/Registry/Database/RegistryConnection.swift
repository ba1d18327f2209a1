import HostSystem
package import PluginCore
package import SQLite

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

    /// Runs several changes in one transaction: the surrounding one, or a new one.
    @discardableResult
    package func write<T>(_ body: (RegistryConnection) throws -> T) throws(AtriumError) -> T {
        if database == nil { try registry.write(body) } else { try registry.translating { try body(self) } }
    }

    /// Returns the rows of a statement; none when the registry doesn't exist yet.
    package func query<Value>(
        _ sql: String, _ arguments: (any SQLValueConvertible)?..., row: (borrowing Row) throws -> Value
    ) throws(AtriumError) -> [Value] {
        try withDatabase { try $0.query(sql, arguments: arguments, row: row) } ?? []
    }

    /// Returns the records in the column `json` of a statement's rows.
    func records<Value: Decodable>(
        _ sql: String, _ arguments: (any SQLValueConvertible)?...
    ) throws(AtriumError) -> [Value] {
        try withDatabase { try $0.query(sql, arguments: arguments) { try $0.record() } } ?? []
    }

    /// Returns the only column of the first row of a statement, if any.
    func value<Value: SQLValueConvertible>(
        _ sql: String, _ arguments: (any SQLValueConvertible)?..., as type: Value.Type = Value.self
    ) throws(AtriumError) -> Value? {
        try withDatabase { try $0.value(sql, arguments: arguments, as: type) } ?? nil
    }

    /// Runs a statement that changes rows, in the surrounding transaction or a new one.
    package func execute(_ sql: String, _ arguments: (any SQLValueConvertible)?...) throws(AtriumError) {
        try execute(sql, arguments: arguments)
    }

    /// Runs a statement with arguments from an array.
    func execute(_ sql: String, arguments: [(any SQLValueConvertible)?]) throws(AtriumError) {
        try write { connection in _ = try connection.withDatabase { try $0.execute(sql, arguments: arguments) } }
    }

    func withDatabase<T>(_ body: (Database) throws -> T) throws(AtriumError) -> T? {
        guard let database else { return try registry.read(body) }
        return try registry.translating { try body(database) }
    }
}

extension Row {
    /// Decodes the JSON in a column.
    package func record<Value: Decodable>(_ column: String = "json") throws -> Value {
        try record(column, of: self["identifier", as: BundleIdentifier.self])
    }

    /// Decodes the JSON in a column of a row about a subject.
    func record<Value: Decodable>(_ column: String = "json", of subject: some CustomStringConvertible) throws -> Value {
        try parse(column, of: subject) { try? StrictJSON.decode(Value.self, from: Array($0.utf8)) }
    }

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
}

/// The creation and removal of a registry, and the detection of a lost one.
extension Registry {
    /// A Boolean value that indicates whether the registry contains anything; SQLite treats an emptied file as an empty database.
    package var hasBegun: Bool {
        get throws(AtriumError) {
            try read(Self.hasBegun) ?? false
        }
    }

    static func hasBegun(in database: Database) throws -> Bool {
        try database.value(
            """
            SELECT EXISTS (SELECT 1 FROM state WHERE fact = 'begun-at') OR EXISTS (SELECT 1 FROM history)
                OR EXISTS (SELECT 1 FROM bundle)
            """, as: Bool.self) ?? false
    }

    /// Checks again that the registry isn't lost, because its file may have been emptied since the connection was opened.
    ///
    /// - Throws: ``AtriumError`` with code `registryDamaged` when it is lost.
    package func requireKept() throws(AtriumError) {
        _ = try read { database in try requireKept { try Self.hasBegun(in: database) } }
    }

    /// Checks that the registry isn't lost while versions are installed.
    ///
    /// A lost registry would list nothing as installed, and the versions on the disk would be deleted as leftovers.
    ///
    /// - Parameter hasBegun: returns whether the registry contains anything. It is called again after a version was found,
    ///   because a registry is begun before its first version is put in place.
    /// - Throws: ``AtriumError`` with code `registryDamaged` when it is lost.
    func requireKept(_ hasBegun: () throws -> Bool) throws {
        // A registry that is being rebuilt has another path, and doesn't list the versions yet.
        guard path == sandbox.registry, try !hasBegun(), let version = try sandbox.versionFolders().first,
            try !hasBegun()
        else { return }
        throw AtriumError(
            .registryDamaged, path,
            reason: "registryMissing", ["version": "\(version)"])
    }

    /// Begins a registry, with the minimum versions of an earlier one.
    ///
    /// It is called before the first version is put in place, so that versions without a registry always mean a lost registry,
    /// not an interrupted install.
    ///
    /// - Returns: whether the registry was new.
    package func begin() throws(AtriumError) -> Bool {
        if try hasBegun { return false }
        let minimumVersions = try MinimumVersionFiles(sandbox).read()
        try write { tables in
            try tables.state.begin()
            for (identifier, version) in minimumVersions {
                try tables.notes.change(identifier) { $0.raise(to: version) }
            }
        }
        return true
    }

    /// Removes a registry that contains nothing, unless versions are on the disk, which would then look like those of a lost one.
    package func removeIfUnused() {
        guard (try? isEmpty()) == true, (try? sandbox.versionFolders().isEmpty) == true else { return }
        removeFile()
    }

    /// Returns whether the registry contains nothing that a new one wouldn't.
    private func isEmpty() throws(AtriumError) -> Bool {
        guard try versions.all().isEmpty, try history.all().isEmpty, try quarantine.all().isEmpty else { return false }
        return try notes.all().values.allSatisfy { $0.minimumVersion == nil }
    }
}

/// Opening a database together with the identity of its file.
extension Registry {
    /// Opens the item at a path, and returns which file was opened.
    ///
    /// It tries again when the file was replaced meanwhile, because then it is unknown which of the two was opened.
    ///
    /// - Parameters:
    ///   - open: opens the item.
    ///   - file: returns the identity of the file at the path; `nil` when there is none.
    /// - Throws: the errors of both, and ``AtriumError`` with code `sandboxBusy` when the file is replaced again and again.
    static func open<T>(
        _ open: () throws -> T, seeing file: () throws -> FileStamp.File?
    ) throws -> (T, FileStamp.File?) {
        var before = try file()
        for _ in 1...10 {
            let opened = try open()
            let after = try file()
            if after == before { return (opened, after) }
            before = after
        }
        throw AtriumError(.sandboxBusy, "", reason: "registryReplaced")
    }
}
