import CSQLite

/// A connection to a database, which any thread may use.
///
/// Each call locks the connection while it runs, and ``transaction(_:_:)`` during its whole closure, so calls from several threads never
/// interleave. Calls block: they wait for the disk, for each other, and up to ``DatabaseOptions/busyTimeout`` for other connections. The
/// file is closed when the last reference to the database and to its statements is released.
///
/// ```swift
/// let database = try Database(path: "registry.sqlite")
/// try database.execute("CREATE TABLE IF NOT EXISTS plugin (name TEXT PRIMARY KEY, version INTEGER NOT NULL)")
/// try database.execute("INSERT OR REPLACE INTO plugin VALUES (?, ?)", "shop", 3)
/// let names: [String] = try database.query("SELECT name FROM plugin WHERE version > ?", 2) { row in try row["name"] }
/// ```
public final class Database: @unchecked Sendable {  // because SQLite is serialized, and `lock` guards all that varies
    let handle: OpaquePointer
    /// The connection's mutex. It is recursive, so the closure of a transaction can use the database on its thread.
    private let mutex: OpaquePointer?

    var transactionDepth = 0

    /// Opens a database file.
    ///
    /// `:memory:` and `file:` URIs have no special meaning. Foreign keys are enforced, and a misspelled `"column"` in double quotes is an
    /// error instead of a string.
    public convenience init(path: String, options: DatabaseOptions = DatabaseOptions()) throws(SQLiteError) {
        if path.isEmpty { throw SQLiteError(.emptyPath, operation: .open, path: path) }
        if path.utf8.contains(0) { throw SQLiteError(.embeddedNUL, operation: .open, path: path) }
        let name = path.utf8.first == UInt8(ascii: "/") ? path : "./" + path
        try self.init(name: name, path: path, options: options)
        try recoverJournal(path: path, options: options)
    }

    /// Creates a private database in memory, which is deleted with this object.
    public static func inMemory() throws(SQLiteError) -> Database {
        try Database(name: ":memory:", path: nil, options: DatabaseOptions())
    }

    private init(name: String, path: String?, options: DatabaseOptions) throws(SQLiteError) {
        handle = try Database.open(name: name, path: path, options: options)
        mutex = sqlite3_db_mutex(handle)
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    func lock() { sqlite3_mutex_enter(mutex) }

    func unlock() { sqlite3_mutex_leave(mutex) }

    /// Returns the last failure of the connection as an error. Call it with the lock held, before any other call.
    func failure(_ code: Int32, _ operation: SQLiteError.Operation, sql: String?) -> SQLiteError {
        let message = sqlite3_errmsg(handle).map { String(cString: $0) }
        return SQLiteError(code: ResultCode(rawValue: code), operation: operation, message: message, sql: sql)
    }
}

extension Database {
    /// Opens the connection and sets options that require no access to the file.
    static func open(name: String, path: String?, options: DatabaseOptions) throws(SQLiteError) -> OpaquePointer {
        var flags = SQLITE_OPEN_FULLMUTEX | SQLITE_OPEN_EXRESCODE
        switch options.access {
        case .readOnly: flags |= SQLITE_OPEN_READONLY
        case .readWrite: flags |= SQLITE_OPEN_READWRITE
        case .create: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        }
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(name, &opened, flags, nil)
        guard let handle = opened else {
            throw SQLiteError(code: ResultCode(rawValue: code), operation: .open, path: path)
        }
        guard code == SQLITE_OK else {
            let message = sqlite3_errmsg(handle).map { String(cString: $0) }
            sqlite3_close_v2(handle)
            throw SQLiteError(code: ResultCode(rawValue: code), operation: .open, message: message, path: path)
        }
        sqlite3_busy_timeout(handle, options.busyMilliseconds)
        _ = csqlite_configure(handle, SQLITE_DBCONFIG_ENABLE_FKEY, 1)
        _ = csqlite_configure(handle, SQLITE_DBCONFIG_DQS_DML, 0)
        _ = csqlite_configure(handle, SQLITE_DBCONFIG_DQS_DDL, 0)
        return handle
    }

    /// Changes how long calls wait for other connections.
    ///
    /// See ``DatabaseOptions/busyTimeout``.
    public func setBusyTimeout(_ timeout: Duration) {
        var options = DatabaseOptions()
        options.busyTimeout = timeout
        sqlite3_busy_timeout(handle, options.busyMilliseconds)
    }

    /// Sets the journal mode and the synchronous mode of a writable file. This is the first access to the file.
    func recoverJournal(path: String, options: DatabaseOptions) throws(SQLiteError) {
        guard options.access != .readOnly else { return }
        guard sqlite3_db_readonly(handle, "main") == 0 else {
            // SQLite silently opens a write-protected file for reading.
            throw SQLiteError(code: .readOnly, operation: .open, path: path)
        }
        do {
            if options.journal == .writeAheadLog { try writeAhead(path: path, options: options) }
            // Some systems build SQLite with a weaker default for WAL mode.
            try execute("PRAGMA synchronous = \(options.synchronous.rawValue)")
        } catch {
            guard error.reason == nil else { throw error }
            throw SQLiteError(code: error.code, operation: .open, message: error.message, sql: error.sql, path: path)
        }
    }

    /// Switches to the write-ahead log, waiting for other connections.
    ///
    /// Two connections that switch a new file at the same time would deadlock, so SQLite reports busy to one of them without waiting.
    private func writeAhead(path: String, options: DatabaseOptions) throws(SQLiteError) {
        let start = ContinuousClock.now
        while true {
            do throws(SQLiteError) {
                let mode = try value("PRAGMA journal_mode = WAL", as: String.self)
                if mode == "wal" { return }
                throw SQLiteError(.journalMode(found: mode ?? ""), operation: .open, path: path)
            } catch {
                guard error.isBusy, ContinuousClock.now - start < options.busyTimeout else { throw error }
                sqlite3_sleep(1)
            }
        }
    }
}

/// The options for opening a database. The defaults are safe: a missing file is created, with a write-ahead log and full sync.
public struct DatabaseOptions: Hashable, Sendable {
    /// The permitted access to the file.
    public enum Access: Sendable {
        /// Read an existing file. A file in WAL mode still needs a writable folder for its shared-memory file.
        case readOnly
        /// Read and write an existing file. Opening a write-protected file fails.
        case readWrite
        /// Read and write, and create a missing file. Its folder must exist.
        case create
    }

    /// The times at which SQLite waits for the disk.
    ///
    /// See <https://www.sqlite.org/pragma.html#pragma_synchronous>.
    public enum Synchronous: String, Sendable {
        /// Never. A power cut may damage the file.
        case off
        /// At checkpoints. In WAL mode, a power cut may lose the last commits but damages nothing.
        case normal
        /// At every commit. Committed changes survive a power cut.
        case full
        /// At every commit, and also for the folder of the journal, which matters only outside WAL mode.
        case extra
    }

    /// The journal mode, which makes transactions atomic.
    public enum Journal: Sendable {
        /// A write-ahead log: readers and one writer do not wait for each other. The mode is stored in the file.
        case writeAheadLog
        /// The mode of the file. A new file gets SQLite's rollback journal.
        case unchanged
    }

    /// The permitted access. The default is to read, write and create the file.
    public var access: Access = .create
    /// The maximum time to wait for a locked database before a call fails as busy. The default is 5 seconds.
    ///
    /// The time is counted in whole milliseconds. Zero or less does not wait.
    public var busyTimeout: Duration = .seconds(5)
    /// The times at which SQLite waits for the disk. The default is every commit.
    public var synchronous: Synchronous = .full
    /// The journal of a database that is opened for writing. The default is a write-ahead log.
    public var journal: Journal = .writeAheadLog

    /// Creates the default options.
    public init() {}

    /// The default options for a connection that only reads.
    public static var readOnly: DatabaseOptions {
        var options = Self()
        options.access = .readOnly
        return options
    }

    var busyMilliseconds: Int32 {
        let milliseconds = busyTimeout / .milliseconds(1)
        return milliseconds >= Double(Int32.max) ? .max : Int32(max(0, milliseconds))
    }
}
