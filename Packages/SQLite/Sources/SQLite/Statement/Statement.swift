import CSQLite

/// A compiled statement, which is bound and run once.
///
/// When the last reference is released, its locks are released immediately, and the compiled form is cached for the next call with the same
/// text. Several statements of one database may be open at the same time.
final class Statement {
    /// The current row, which is valid after a step has returned true.
    let row: Row

    private let database: Database
    private let handle: OpaquePointer
    private let sql: String
    private let operation: SQLiteError.Operation
    private var bound: [Bool]
    private var hasStarted = false

    init(database: Database, handle: OpaquePointer, sql: String, operation: SQLiteError.Operation = .step) {
        self.database = database
        self.handle = handle
        self.sql = sql
        self.operation = operation
        row = Row(database: database, handle: handle, sql: sql)
        bound = Array(repeating: false, count: Int(sqlite3_bind_parameter_count(handle)))
    }

    deinit {
        database.lock()
        defer { database.unlock() }
        sqlite3_reset(handle)
        if !bound.isEmpty { sqlite3_clear_bindings(handle) }
        database.cache.give(sql, handle)
    }

    /// Fetches the next row and returns whether there is one. Every parameter must have a value, possibly NULL.
    func step() throws(SQLiteError) -> Bool {
        database.lock()
        defer { database.unlock() }
        if !hasStarted {
            try requireBindings()
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
    func bind(_ arguments: SQLArguments) throws(SQLiteError) {
        switch arguments.storage {
        case .positional(let values):
            guard values.count == bound.count else {
                throw problem(.argumentCount(expected: bound.count, given: values.count))
            }
            for (index, value) in values.enumerated() { try set(value, at: index + 1) }
        case .named(let values):
            var seen: Set<String> = []
            for (name, value) in values {
                guard seen.insert(name).inserted else { throw problem(.repeatedArgument(name)) }
                // A name without its prefix may be that of several parameters.
                let indices = (1...max(1, bound.count)).filter { parameterName($0) == name }
                guard !indices.isEmpty else { throw problem(.unknownParameter(name)) }
                for index in indices { try set(value, at: index) }
            }
            try requireBindings()
        }
    }

    private func requireBindings() throws(SQLiteError) {
        guard let missing = bound.firstIndex(of: false) else { return }
        throw problem(.unboundParameter(index: missing + 1, name: parameterName(missing + 1)))
    }

    private func problem(_ reason: SQLiteError.Reason) -> SQLiteError {
        SQLiteError(reason, operation: .bind, sql: sql)
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
            if value.isNaN { throw problem(.notANumber(parameter: index)) }
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
