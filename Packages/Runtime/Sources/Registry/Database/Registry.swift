import HostSystem
package import PluginCore
public import PluginRouter
package import SQLite
import Synchronization

/// The database of installed bundles: active versions, their routes, targets and services, and the history.
///
/// It is the only source of this information, a SQLite database with a rollback journal instead of a write-ahead log: every
/// start reads and few ever write, and a folder without `-wal` and `-shm` files can be read on a read-only medium.
public final class Registry: RegistryTables {
    /// A connection and the file that it is connected to.
    private struct Connection {
        let database: Database
        let file: FileStamp.File?
        let isReadOnly: Bool
        /// The number of the connection, unique in this registry.
        let number: Int
        /// SQLite's count of writes by other connections, for the state of the file in the stamp.
        var counted: (file: FileStamp, version: Int)?
    }

    /// The types that a pattern's captures may have.
    public let converters: RouteConverters
    /// The layers that read fields of their own in manifests.
    package let layers: [any DeclaringLayer]
    package let path: FilePath
    package let sandbox: Sandbox
    /// A Boolean value that indicates whether the registry is only read, so that nothing in the sandbox is created or changed.
    private let isReadOnly: Bool
    /// The access of the tables, each call by itself.
    public var connection: RegistryConnection { RegistryConnection(self) }
    private let opened = Mutex<Connection?>(nil)
    private let connections = Atomic<Int>(0)
    private let writes = Atomic<Int>(0)
    /// The cache of routes by their first segments.
    let routeCache = GenerationCache<String, RouteList>(room: 32_768)
    /// The cache of active versions.
    let activeCache = GenerationCache<BundleIdentifier, PluginBundle>(room: 1_024)

    /// The maximum time to wait for a registry that another process has locked.
    @TaskLocal package static var patience = Duration.seconds(5)
    /// The maximum time to wait if the registry is only read.
    private static let readerPatience = Duration.milliseconds(100)

    /// Creates the registry of a sandbox, whose file is opened on first use and created on the first write.
    ///
    /// - Parameter converters: the types that a pattern's captures may have.
    public convenience init(_ sandbox: Sandbox, converters: RouteConverters = .standard) {
        self.init(sandbox, at: sandbox.registry, converters: converters)
    }

    /// Creates a registry that is only read, for questions that must not create or change anything.
    ///
    /// It waits only briefly for other processes.
    public convenience init(reading sandbox: Sandbox, converters: RouteConverters = .standard) {
        self.init(sandbox, at: sandbox.registry, converters: converters, isReadOnly: true)
    }

    /// Creates a registry at a path, which is another one for rebuilding.
    package init(
        _ sandbox: Sandbox, at path: FilePath, converters: RouteConverters, layers: [any DeclaringLayer] = [],
        isReadOnly: Bool = false
    ) {
        self.isReadOnly = isReadOnly
        self.converters = converters
        self.layers = layers
        self.path = path
        self.sandbox = sandbox
    }

    /// Reads from the registry.
    ///
    /// - Returns: `nil` when it doesn't exist yet.
    package func read<T>(_ body: (Database) throws -> T) throws(AtriumError) -> T? {
        try reading { connection, _ in try body(connection.database) }
    }

    /// Reads data that may be cached for a generation of the registry.
    ///
    /// - Returns: `nil` when the registry doesn't exist yet.
    func readGeneration<T>(_ body: (Database, RegistryGeneration) throws -> T) throws(AtriumError) -> T? {
        try reading { connection, file in
            // Determined before reading, so that a concurrent write makes the data outdated, never the generation too new.
            let generation = RegistryGeneration(
                connection: connection.number, writes: writes.load(ordering: .acquiring),
                version: try version(of: connection, file)
            )
            return try body(connection.database, generation)
        }
    }

    /// Returns the current generation of the registry.
    ///
    /// - Returns: `nil` when there is no registry.
    package func generation() throws(AtriumError) -> RegistryGeneration? {
        try readGeneration { _, generation in generation }
    }

    /// Reads from the registry, and repeats the read through a new connection if damage is reported.
    ///
    /// After a temporary failure of the disk, SQLite reports damage in a sound file as long as the connection lasts.
    private func reading<T>(_ body: (Connection, FileStamp) throws -> T) throws(AtriumError) -> T? {
        do {
            return try readOnce(body)
        } catch {
            // No other connection sees uncommitted changes, so a read inside a transaction isn't repeated.
            let isWriting = opened.withLock { $0?.database.isInTransaction } ?? false
            guard error.code == .registryDamaged, !isWriting else { throw error }
        }
        disconnect()
        return try readOnce(body)
    }

    private func readOnce<T>(_ body: (Connection, FileStamp) throws -> T) throws(AtriumError) -> T? {
        try translating {
            guard let (connection, file) = try reading() else { return nil }
            connection.database.setBusyTimeout(isReadOnly ? Self.readerPatience : Self.patience)
            return try body(connection, file)
        }
    }

    /// Writes in one transaction; if it fails, a registry that didn't exist isn't created.
    @discardableResult
    package func write<T>(_ body: (RegistryConnection) throws -> T) throws(AtriumError) -> T {
        // SQLite counts only the writes of other connections. After a failure too, because this connection has seen the changes.
        defer { writes.add(1, ordering: .releasing) }
        return try translating {
            let isNew = try file() == nil
            do {
                let database = try writing()
                database.setBusyTimeout(Self.patience)
                return try database.transaction {
                    let result = try body(RegistryConnection(self, database))
                    // Counted before the commit too: whoever sees the new contents must not find outdated caches valid.
                    writes.add(1, ordering: .releasing)
                    return result
                }
            } catch {
                if isNew { removeFile() }
                throw error
            }
        }
    }

    /// Returns SQLite's count of writes by others; cached while the file's stamp is equal, since the query takes eight system calls.
    private func version(of connection: Connection, _ file: FileStamp) throws -> Int {
        if let counted = connection.counted, counted.file == file { return counted.version }
        let version = try connection.database.value("PRAGMA data_version", as: Int.self) ?? 0
        if file.isStable {
            opened.withLock { if $0?.number == connection.number { $0?.counted = (file, version) } }
        }
        return version
    }

    /// Returns a connection to the current file, and the file's stamp.
    ///
    /// - Returns: `nil` when there is no file.
    private func reading() throws -> (Connection, FileStamp)? {
        try opened.withLock { opened in
            guard let file = try file() else {
                opened = nil
                try requireKept { try self.file() != nil }
                return nil
            }
            if let opened, opened.file == file.file { return (opened, file) }
            opened = nil
            do {
                opened = try connect(isReadOnly ? .readOnly : .readWrite)
            } catch let error as SQLiteError where error.isReadOnly || error.isCannotOpen {
                // A sandbox on a read-only medium can still be read.
                opened = try connect(.readOnly)
            }
            return opened.map { ($0, file) }
        }
    }

    private func writing() throws -> Database {
        try opened.withLock { opened -> Database in
            let file = try file()
            if let opened, opened.file == file?.file, !opened.isReadOnly { return opened.database }
            opened = nil
            let connection = try connect(isReadOnly ? .readOnly : .create)
            opened = connection
            return connection.database
        }
    }

    private func connect(_ access: DatabaseOptions.Access) throws -> Connection {
        var options = DatabaseOptions()
        options.journal = .unchanged
        options.synchronous = .extra
        options.busyTimeout = isReadOnly ? Self.readerPatience : Self.patience
        options.access = access
        try requireFiles()
        try sandbox.requirePurpose()
        // SQLite gives its journals the mode of the database.
        if access == .create { FileSystem.makePrivateFile(path) }
        let (database, file) = try Self.open(
            { try Database(path: path.string, options: options) }, seeing: { try self.file()?.file })
        try RegistrySchema.apply(to: database, at: path)
        // Unreadable parts are reported when they are read.
        try requireKept { (try? Self.hasBegun(in: database)) ?? true }
        return Connection(
            database: database, file: file, isReadOnly: access == .readOnly,
            number: connections.add(1, ordering: .relaxed).newValue
        )
    }

    /// Checks that the paths of SQLite's journal files have regular files, because SQLite would wait forever for a pipe.
    private func requireFiles() throws(AtriumError) {
        for ending in Self.companions {
            let companion = FilePath(path.string + ending)
            switch try FileSystem.item(at: companion) {
            case .file, nil: continue
            case .folder, .link, .other:
                throw AtriumError(
                    .registryDamaged, path, reason: "companionNotFile", ["file": .text(companion.lastComponent)])
            }
        }
    }

    /// Returns the stamp of the registry's file, which another host may have removed or replaced.
    private func file() throws(AtriumError) -> FileStamp? {
        try sandbox.requireShortPath()
        do {
            return try FileStamp(ofFile: path)
        } catch {
            // A disk failure doesn't mean damage, but an item that isn't a regular file does.
            guard error.code == .inputOutput, let item = try FileSystem.item(at: path) else { throw error }
            if case .file = item { throw error }
            throw AtriumError(.registryDamaged, path, reason: error.reason)
        }
    }

    /// Closes the connection.
    package func disconnect() {
        opened.withLock { $0 = nil }
    }

    /// Removes the database; only allowed while no other host uses the sandbox.
    package func removeFile() {
        disconnect()
        for file in [path, FilePath(path.string + "-journal")] where (try? FileSystem.isFile(file)) == true {
            try? FileSystem.remove(file)
        }
    }

    /// Does some work, and throws its error with the code that a host shows for it.
    func translating<T>(_ work: () throws -> T) throws(AtriumError) -> T {
        do { return try work() } catch { throw translated(error) }
    }

    private func translated(_ error: any Error) -> AtriumError {
        if let error = error as? AtriumError { return error }
        guard let cause = error as? SQLiteError else {
            return AtriumError(.registryDamaged, path, reason: .verbatim("\(error)"))
        }
        let code: AtriumError.Code =
            if cause.isBusy { .sandboxBusy } else if cause.isReadOnly || cause.isCannotOpen {
                .sandboxUnwritable
            } else if cause.isFull || cause.code.primary == .ioError { .inputOutput } else { .registryDamaged }
        return AtriumError(
            code, path.string, reason: cause.isBusy ? "databaseLocked" : "databaseError",
            ["message": .text(cause.message), "code": .integer(Int(cause.code.rawValue))])
    }
}
