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
    private let mutex: OpaquePointer

    var cache: StatementCache
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
    ///
    /// The only applicable option is ``DatabaseOptions/statementCacheCapacity``.
    public static func inMemory(options: DatabaseOptions = DatabaseOptions()) throws(SQLiteError) -> Database {
        var options = options
        options.access = .create
        return try Database(name: ":memory:", path: nil, options: options)
    }

    private init(name: String, path: String?, options: DatabaseOptions) throws(SQLiteError) {
        handle = try Database.open(name: name, path: path, options: options)
        guard let mutex = sqlite3_db_mutex(handle) else {
            sqlite3_close_v2(handle)
            throw SQLiteError(.notThreadSafe, operation: .open, path: path)
        }
        self.mutex = mutex
        cache = StatementCache(capacity: options.statementCacheCapacity)
    }

    deinit {
        cache.removeAll()
        sqlite3_close_v2(handle)
    }

    func lock() { sqlite3_mutex_enter(mutex) }

    func unlock() { sqlite3_mutex_leave(mutex) }

    /// Returns the last failure of the connection as an error. Call it with the lock held, before any other call.
    func failure(_ code: Int32, _ operation: SQLiteError.Operation, sql: String?, path: String? = nil) -> SQLiteError {
        let message = sqlite3_errmsg(handle).map { String(cString: $0) }
        return SQLiteError(
            code: ResultCode(rawValue: code), operation: operation, message: message, sql: sql, path: path)
    }
}
