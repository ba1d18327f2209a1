import CSQLite

/// A compiled statement, which can be bound, stepped through its rows, and run again.
///
/// Unlike its database, it is not `Sendable` and stays with the task that prepared it. When the last reference is released, its locks are
/// released immediately, and it is finalized or cached for the next call with the same text. Several statements of one database may be open
/// at the same time.
///
/// ```swift
/// let select = try database.prepare("SELECT name, version FROM plugin WHERE version > ?")
/// try select.bind(2, at: 1)
/// while try select.step() {
///     let name: String = try select.row["name"]
///     let version: Int = try select.row["version"]
///     print(name, version)
/// }
/// ```
public final class Statement {
    private enum State {
        case ready
        case running
        case finished
    }

    /// The current row, which is valid after a step has returned true.
    public let row: Row

    let database: Database
    let handle: OpaquePointer
    /// The SQL text that the statement was compiled from.
    public let sql: String

    var operation = SQLiteError.Operation.step
    var bound: [Bool]
    private var state = State.ready

    init(database: Database, handle: OpaquePointer, sql: String) {
        self.database = database
        self.handle = handle
        self.sql = sql
        row = Row(database: database, handle: handle, sql: sql, names: ColumnNames())
        bound = Array(repeating: false, count: Int(sqlite3_bind_parameter_count(handle)))
    }

    deinit {
        database.lock()
        defer { database.unlock() }
        sqlite3_reset(handle)
        if !bound.isEmpty { sqlite3_clear_bindings(handle) }
        database.cache.give(sql, handle)
    }

    /// Fetches the next row and returns whether there is one.
    ///
    /// At the end it returns false, and continues to do so until ``reset()`` or a new binding; the locks are then released. Every parameter
    /// must have a value, possibly NULL. After an error the statement starts again.
    public func step() throws(SQLiteError) -> Bool {
        if state == .finished { return false }
        database.lock()
        defer { database.unlock() }
        if state == .ready {
            try requireBindings()
            try database.requireTransaction(sql: sql)
            row.names.invalidate()
        }
        let code = sqlite3_step(handle)
        switch code {
        case SQLITE_ROW:
            state = .running
            return true
        case SQLITE_DONE:
            sqlite3_reset(handle)
            state = .finished
            return false
        default:
            let failure = database.failure(code, operation, sql: sql)
            sqlite3_reset(handle)
            state = .ready
            throw failure
        }
    }

    /// Returns to the position before the first row and releases locks. Bindings remain.
    public func reset() {
        guard state != .ready else { return }
        // The result repeats the error of the last step, which has already been thrown.
        sqlite3_reset(handle)
        state = .ready
    }

    /// Runs a changing statement to its end, because its commit comes last and may fail.
    func finish() throws(SQLiteError) {
        guard sqlite3_stmt_readonly(handle) == 0 else { return }
        while try step() {}
    }

    /// Runs the statement with the current bindings, discards rows, and returns the number of changed rows.
    ///
    /// Only rows that the statement itself inserted, updated or deleted count.
    @discardableResult
    public func run() throws(SQLiteError) -> Int {
        database.lock()
        defer { database.unlock() }
        reset()
        let before = sqlite3_total_changes64(database.handle)
        while try step() {}
        // `changes` is not reset by statements that change nothing.
        let changed = sqlite3_total_changes64(database.handle) != before
        return changed ? Int(clamping: sqlite3_changes64(database.handle)) : 0
    }

    /// Binds all parameters in order, runs the statement, and returns the number of changed rows.
    @discardableResult
    public func run(_ arguments: (any SQLValueConvertible)?...) throws(SQLiteError) -> Int {
        try run(arguments: SQLArguments(arguments))
    }

    /// Binds all parameters in order or by name, runs the statement, and returns the number of changed rows.
    @discardableResult
    public func run(arguments: SQLArguments) throws(SQLiteError) -> Int {
        try bind(arguments: arguments)
        return try run()
    }
}

@available(*, unavailable)
extension Statement: Sendable {}

// Binding resets the statement, because SQLite does not allow changing the parameters of a running one.
extension Statement {
    /// The number of required values, which is the highest parameter number.
    public var parameterCount: Int { bound.count }

    /// Binds a parameter by its number, starting with 1 as in SQL. A nil value is NULL.
    public func bind(_ value: (any SQLValueConvertible)?, at index: Int) throws(SQLiteError) {
        guard (1...max(1, parameterCount)).contains(index), parameterCount > 0 else {
            throw SQLiteError(.unknownParameter("?\(index)"), operation: .bind, sql: sql)
        }
        reset()
        try set(value?.sqlValue ?? .null, at: index)
    }

    /// Binds a parameter by its name without prefix. A nil value is NULL.
    public func bind(_ value: (any SQLValueConvertible)?, to name: String) throws(SQLiteError) {
        reset()
        let value = value?.sqlValue ?? .null
        var found = false
        for index in 0..<parameterCount where parameterName(index + 1) == name {
            try set(value, at: index + 1)
            found = true
        }
        guard found else { throw SQLiteError(.unknownParameter(name), operation: .bind, sql: sql) }
    }

    /// Binds all parameters. There must be exactly one argument for each.
    public func bind(arguments: SQLArguments) throws(SQLiteError) {
        reset()
        switch arguments.storage {
        case .positional(let values):
            guard values.count == parameterCount else {
                let reason = SQLiteError.Reason.argumentCount(expected: parameterCount, given: values.count)
                throw SQLiteError(reason, operation: .bind, sql: sql)
            }
            for (index, value) in values.enumerated() { try set(value, at: index + 1) }
        case .named(let values):
            bound = Array(repeating: false, count: parameterCount)
            var seen: Set<String> = []
            for (name, value) in values {
                guard seen.insert(name).inserted else {
                    throw SQLiteError(.repeatedArgument(name), operation: .bind, sql: sql)
                }
                try bind(value, to: name)
            }
            try requireBindings()
        }
    }

    func requireBindings() throws(SQLiteError) {
        guard let missing = bound.firstIndex(of: false) else { return }
        let reason = SQLiteError.Reason.unboundParameter(index: missing + 1, name: parameterName(missing + 1))
        throw SQLiteError(reason, operation: .bind, sql: sql)
    }

    /// Returns the name without its prefix, or nil for a parameter without a name.
    private func parameterName(_ index: Int) -> String? {
        guard let name = sqlite3_bind_parameter_name(handle, Int32(truncatingIfNeeded: index)) else { return nil }
        let text = String(cString: name)
        return text.first == "?" ? nil : String(text.dropFirst())
    }

    private func set(_ value: SQLValue, at index: Int) throws(SQLiteError) {
        database.lock()
        defer { database.unlock() }
        let parameter = Int32(truncatingIfNeeded: index)
        let code: Int32
        switch value {
        case .integer(let value): code = sqlite3_bind_int64(handle, parameter, value)
        case .real(let value):
            if value.isNaN { throw SQLiteError(.notANumber(parameter: index), operation: .bind, sql: sql) }
            code = sqlite3_bind_double(handle, parameter, value)
        case .text(var value):
            code = value.withUTF8 { csqlite_bind_text(handle, parameter, $0.baseAddress, UInt64($0.count)) }
        case .blob(let value):
            code = value.withUnsafeBytes { csqlite_bind_blob(handle, parameter, $0.baseAddress, UInt64($0.count)) }
        case .null: code = sqlite3_bind_null(handle, parameter)
        }
        guard code == SQLITE_OK else { throw database.failure(code, .bind, sql: sql) }
        bound[index - 1] = true
    }
}
