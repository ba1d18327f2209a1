import CSQLite

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
