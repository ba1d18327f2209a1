import PluginCore
public import PluginRouter
internal import SQLite
internal import Synchronization

/// What is installed, which version is active, which routes and targets that brings, and what was done: one SQLite
/// database, and the only word on it.
///
/// A rollback journal, and not a write-ahead log: every start reads and few ever write, and a folder without `-wal` and
/// `-shm` files can be read from a medium that cannot be written.
public final class Registry: Sendable {
    /// A connection, and what it is connected to.
    private struct Connection {
        let database: Database
        let file: FileStamp.File?
        let isReadOnly: Bool
        /// No other connection of this registry has it.
        let number: Int
        /// What SQLite had counted of others' writes when the file was as the stamp says.
        var counted: (file: FileStamp, version: Int)?
    }

    /// The types that a pattern's captures can ask for.
    public let converters: RouteConverters
    let path: FilePath
    let sandbox: Sandbox
    var floorFiles: FloorFiles { FloorFiles(sandbox) }
    private let opened = Mutex<Connection?>(nil)
    private let connections = Atomic<Int>(0)
    private let writes = Atomic<Int>(0)
    /// The routes that were read.
    let routeCache = RouteCache()
    /// The active versions that were read.
    let activeCache = ActiveCache()

    /// How long a registry that another process has locked is waited for.
    @TaskLocal static var patience = Duration.seconds(5)

    /// The registry of a sandbox; it is opened by the first call that needs it, and made by the first that writes.
    ///
    /// - Parameter converters: the types that a pattern's captures can ask for.
    public convenience init(_ sandbox: Sandbox, converters: RouteConverters = .standard) {
        self.init(sandbox, at: sandbox.registry, converters: converters)
    }

    /// A registry in the making, which lies elsewhere.
    init(_ sandbox: Sandbox, at path: FilePath, converters: RouteConverters) {
        self.converters = converters
        self.path = path
        self.sandbox = sandbox
    }

    /// Reads; `nil` when there is no registry yet.
    func read<T>(_ body: (Database) throws -> T) throws(AtriumError) -> T? {
        try reading { connection, _ in try body(connection.database) }
    }

    /// Reads what may be kept as long as the registry is what it was; `nil` when there is no registry yet.
    func readGeneration<T>(_ body: (Database, RouteCache.Generation) throws -> T) throws(AtriumError) -> T? {
        try reading { connection, file in
            // Before anything is read: what is written meanwhile makes it outdated at once, and never the other way round.
            let generation = RouteCache.Generation(
                connection: connection.number, writes: writes.load(ordering: .acquiring),
                version: try version(of: connection, file)
            )
            return try body(connection.database, generation)
        }
    }

    /// Reads; what is damaged is read again through a new connection. After a disk that failed for a moment SQLite finds damage in a
    /// file that is sound, and no end of it as long as the connection lasts.
    private func reading<T>(_ body: (Connection, FileStamp) throws -> T) throws(AtriumError) -> T? {
        do throws(AtriumError) {
            return try readOnce(body)
        } catch {
            // What a transaction has not committed no other connection sees.
            let isWriting = opened.withLock { $0?.database.isInTransaction } ?? false
            guard error.code == .registryDamaged, !isWriting else { throw error }
        }
        disconnect()
        return try readOnce(body)
    }

    private func readOnce<T>(_ body: (Connection, FileStamp) throws -> T) throws(AtriumError) -> T? {
        do {
            guard let (connection, file) = try reading() else { return nil }
            connection.database.setBusyTimeout(Self.patience)
            return try body(connection, file)
        } catch {
            throw translated(error)
        }
    }

    /// Writes in one transaction: all of it or none, not even an empty registry where there was none.
    func write<T>(_ body: (Database) throws -> T) throws(AtriumError) -> T {
        // Whatever has come of it: SQLite tells a connection of others' writes alone.
        defer { writes.add(1, ordering: .releasing) }
        do {
            let isNew = try file() == nil
            do {
                let database = try writing()
                database.setBusyTimeout(Self.patience)
                return try database.transaction { try body(database) }
            } catch {
                if isNew { removeFile() }
                throw error
            }
        } catch {
            throw translated(error)
        }
    }

    /// Keeps floors where a registry that is made anew finds them. That they cannot be kept is no misfortune as long as this one is
    /// sound.
    func mirror(floorsOf identities: [BundleIdentity]) {
        for identity in identities { try? keep(floorOf: identity) }
    }

    /// Keeps one, or tells why it cannot be kept.
    func keep(floorOf identity: BundleIdentity) throws(AtriumError) {
        do {
            try floorFiles.raise(identity)
        } catch {
            throw translated(error)
        }
    }

    /// How often others have written, as SQLite counts; it is not asked again as long as nobody has touched the file, because
    /// its answer costs eight calls of the system.
    private func version(of connection: Connection, _ file: FileStamp) throws -> Int {
        if let counted = connection.counted, counted.file == file { return counted.version }
        let version = try connection.database.value("PRAGMA data_version", as: Int.self) ?? 0
        if file.isSettled {
            opened.withLock { if $0?.number == connection.number { $0?.counted = (file, version) } }
        }
        return version
    }

    /// The connection to the file that is there now, and the file's stamp; `nil` when none is.
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
                opened = try connect(.readWrite)
            } catch let error as SQLiteError where error.isReadOnly || error.isCannotOpen {
                // A sandbox on a medium that cannot be written can still be read.
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
            let connection = try connect(.create)
            opened = connection
            return connection.database
        }
    }

    private func connect(_ access: DatabaseOptions.Access) throws -> Connection {
        var options = DatabaseOptions()
        options.journal = .unchanged
        options.synchronous = .extra
        options.busyTimeout = Self.patience
        options.access = access
        try requireFiles()
        let (database, file) = try Self.open(
            { try Database(path: path.string, options: options) }, seeing: { try self.file()?.file })
        try RegistrySchema.migrations.apply(to: database)
        // What of it cannot be read is told by whoever reads that.
        try requireKept { (try? Self.hasBegun(in: database)) ?? true }
        return Connection(
            database: database, file: file, isReadOnly: access == .readOnly,
            number: connections.add(1, ordering: .relaxed).newValue
        )
    }

    /// Makes sure that what lies beside the registry is SQLite's: it waits for ever for a pipe in a journal's place.
    private func requireFiles() throws(AtriumError) {
        for ending in Self.companions {
            let companion = FilePath(path.string + ending)
            switch try FileSystem.item(at: companion) {
            case .file, nil: continue
            case .folder, .link, .other:
                throw AtriumError(
                    .registryDamaged, path.string, detail: "\(companion.lastComponent) beside it is not a regular file")
            }
        }
    }

    /// Which file the registry is; another host may have removed it, or put another in its place.
    private func file() throws(AtriumError) -> FileStamp? {
        try sandbox.requireShortPath()
        do {
            return try FileStamp(ofFile: path)
        } catch {
            // A disk that fails harms no registry; what is there and no file is none.
            guard error.code == .inputOutput, let item = try FileSystem.item(at: path) else { throw error }
            if case .file = item { throw error }
            throw AtriumError(.registryDamaged, path.string, detail: error.detail)
        }
    }

    /// Closes what is open.
    func disconnect() {
        opened.withLock { $0 = nil }
    }

    /// Removes the database; only while no other host uses the sandbox.
    func removeFile() {
        opened.withLock { $0 = nil }
        for file in [path, FilePath(path.string + "-journal")] where (try? FileSystem.isFile(file)) == true {
            try? FileSystem.remove(file)
        }
    }

    private func translated(_ error: any Error) -> AtriumError {
        if let error = error as? AtriumError { return error }
        if case MigrationError.unknownVersion(let version, _) = error {
            return AtriumError(
                .registryNewer, path.string, detail: "it has version \(version), and this host knows none so high"
            )
        }
        guard let cause = error as? SQLiteError ?? (error as? MigrationError)?.sqliteError else {
            return AtriumError(.registryDamaged, path.string, detail: "\(error)")
        }
        let code: AtriumError.Code =
            if cause.isBusy { .sandboxBusy } else if cause.isReadOnly || cause.isCannotOpen {
                .sandboxUnwritable
            } else if cause.isFull || cause.code.primary == .ioError { .inputOutput } else { .registryDamaged }
        let why = cause.isBusy ? "another process has locked it: " : ""
        return AtriumError(code, path.string, detail: "\(why)\(cause.message) (SQLite \(cause.code.rawValue))")
    }
}
