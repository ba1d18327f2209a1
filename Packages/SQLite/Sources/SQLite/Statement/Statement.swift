import CSQLite

/// A compiled statement, which is bound and run once.
///
/// When the last reference is released, its locks are released immediately. Several statements of one database may be open at the same time.
final class Statement {
    /// The current row, which is valid after a step has returned true.
    let row: Row

    private let database: Database
    private let handle: OpaquePointer
    private let sql: String
    private let operation: SQLiteError.Operation
    private var hasStarted = false

    init(database: Database, handle: OpaquePointer, sql: String, operation: SQLiteError.Operation = .step) {
        self.database = database
        self.handle = handle
        self.sql = sql
        self.operation = operation
        row = Row(database: database, handle: handle, sql: sql)
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Fetches the next row and returns whether there is one.
    func step() throws(SQLiteError) -> Bool {
        database.lock()
        defer { database.unlock() }
        if !hasStarted {
            try database.requireTransaction(sql: sql)
            hasStarted = true
        }
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw database.failure(code, operation, sql: sql)
        }
    }

    /// Runs a changing statement to its end after a row, because its commit comes last and may fail.
    func finish() throws(SQLiteError) {
        guard sqlite3_stmt_readonly(handle) == 0 else { return }
        while try step() {}
    }

    /// Runs the statement, discards rows, and returns the number of changed rows.
    ///
    /// Only rows that the statement itself inserted, updated or deleted count.
    @discardableResult
    func run() throws(SQLiteError) -> Int {
        database.lock()
        defer { database.unlock() }
        let before = sqlite3_total_changes64(database.handle)
        while try step() {}
        // `changes` is not reset by statements that change nothing.
        let changed = sqlite3_total_changes64(database.handle) != before
        return changed ? Int(clamping: sqlite3_changes64(database.handle)) : 0
    }

    /// Binds all parameters. There must be exactly one argument for each.
    func bind(_ arguments: [(any SQLValueConvertible)?]) throws(SQLiteError) {
        let count = Int(sqlite3_bind_parameter_count(handle))
        guard arguments.count == count else {
            throw problem(.argumentCount(expected: count, given: arguments.count))
        }
        for (index, value) in arguments.enumerated() { try set(value?.sqlValue ?? .null, at: index + 1) }
    }

    private func problem(_ reason: SQLiteError.Reason) -> SQLiteError {
        SQLiteError(reason, operation: .bind, sql: sql)
    }

    private func set(_ value: SQLValue, at index: Int) throws(SQLiteError) {
        database.lock()
        defer { database.unlock() }
        let parameter = Int32(truncatingIfNeeded: index)
        let code: Int32
        switch value {
        case .integer(let value): code = sqlite3_bind_int64(handle, parameter, value)
        case .real(let value):
            if value.isNaN { throw problem(.notANumber(parameter: index)) }
            code = sqlite3_bind_double(handle, parameter, value)
        case .text(var value):
            code = value.withUTF8 { csqlite_bind_text(handle, parameter, $0.baseAddress, UInt64($0.count)) }
        case .blob(let value):
            code = value.withUnsafeBytes { csqlite_bind_blob(handle, parameter, $0.baseAddress, UInt64($0.count)) }
        case .null: code = sqlite3_bind_null(handle, parameter)
        }
        guard code == SQLITE_OK else { throw database.failure(code, .bind, sql: sql) }
    }
}
