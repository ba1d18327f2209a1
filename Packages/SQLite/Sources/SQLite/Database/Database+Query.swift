import CSQLite

extension Database {
    /// Compiles a statement and binds its arguments. Call it with the lock held.
    func prepare(
        _ sql: String, _ arguments: [(any SQLValueConvertible)?] = [],
        operation: SQLiteError.Operation = .step
    ) throws(SQLiteError) -> Statement {
        let statement = Statement(database: self, handle: try compile(sql), sql: sql, operation: operation)
        try statement.bind(arguments)
        return statement
    }

    /// Runs a statement and returns the number of rows that it inserted, updated or deleted.
    ///
    /// Changes by triggers and foreign key actions do not count. `nil` binds NULL. There must be as many arguments as parameters.
    @discardableResult
    public func execute(_ sql: String, _ arguments: (any SQLValueConvertible)?...) throws(SQLiteError) -> Int {
        try execute(sql, arguments: arguments)
    }

    /// Runs a statement with arguments from an array, and returns the number of changed rows.
    @discardableResult
    public func execute(_ sql: String, arguments: [(any SQLValueConvertible)?]) throws(SQLiteError) -> Int {
        lock()
        defer { unlock() }
        return try prepare(sql, arguments).run()
    }

    /// Runs a statement and converts each row to a value.
    ///
    /// The closure runs while the statement is open. It should only read from the row; change the database afterward.
    ///
    /// - Throws: ``SQLiteError``, or the errors of the closure.
    public func query<Value>(
        _ sql: String, _ arguments: (any SQLValueConvertible)?..., row: (borrowing Row) throws -> Value
    ) throws -> [Value] {
        try query(sql, arguments: arguments, row: row)
    }

    /// Runs a statement with arguments from an array, and converts each row to a value.
    public func query<Value>(
        _ sql: String, arguments: [(any SQLValueConvertible)?], row: (borrowing Row) throws -> Value
    ) throws -> [Value] {
        try rows(of: sql, arguments, limit: .max, row)
    }

    private func rows<Value>(
        of sql: String, _ arguments: [(any SQLValueConvertible)?], limit: Int, _ row: (borrowing Row) throws -> Value
    ) throws -> [Value] {
        lock()
        defer { unlock() }
        let statement = try prepare(sql, arguments)
        var values: [Value] = []
        while try statement.step() {
            values.append(try row(statement.row))
            guard values.count < limit else {
                try statement.finish()
                break
            }
        }
        return values
    }

    /// Runs a statement and converts its first row to a value. Returns nil if there is no row.
    ///
    /// A query ends after that row. A statement that changes something (`INSERT ... RETURNING`) runs to its end.
    ///
    /// - Throws: ``SQLiteError``, or the errors of the closure.
    public func first<Value>(
        _ sql: String, _ arguments: (any SQLValueConvertible)?..., row: (borrowing Row) throws -> Value
    ) throws -> Value? {
        try first(sql, arguments: arguments, row: row)
    }

    /// Runs a statement with arguments from an array, and converts its first row to a value.
    ///
    /// Returns `nil` if there is no row.
    public func first<Value>(
        _ sql: String, arguments: [(any SQLValueConvertible)?], row: (borrowing Row) throws -> Value
    ) throws -> Value? {
        try rows(of: sql, arguments, limit: 1, row).first
    }

    /// Returns the first column of the first row, or nil if there is no row.
    ///
    /// Use an optional type if the value may be NULL; otherwise NULL is an error.
    public func value<Value: SQLValueConvertible>(
        _ sql: String, _ arguments: (any SQLValueConvertible)?..., as type: Value.Type
    ) throws(SQLiteError) -> Value? {
        try value(sql, arguments: arguments, as: type)
    }

    /// Returns the first column of the first row for arguments from an array, or nil if there is no row.
    public func value<Value: SQLValueConvertible>(
        _ sql: String, arguments: [(any SQLValueConvertible)?], as type: Value.Type
    ) throws(SQLiteError) -> Value? {
        lock()
        defer { unlock() }
        let statement = try prepare(sql, arguments)
        guard try statement.step() else { return nil }
        let value = try statement.row[0, as: type]
        try statement.finish()
        return value
    }

    /// The key of the row that was last inserted through this connection, or 0 if there is none.
    ///
    /// Read it in the same ``transaction(_:_:)`` as the insertion; otherwise another thread may insert a row in between.
    public var lastInsertedRowID: Int64 {
        lock()
        defer { unlock() }
        return sqlite3_last_insert_rowid(handle)
    }

    /// Runs the statements of a script in order until one fails.
    ///
    /// Rows are discarded, and parameters are rejected. The script is not a transaction; run it inside one to get either all of its effects
    /// or none.
    public func execute(script: String) throws(SQLiteError) {
        lock()
        defer { unlock() }
        var rest = Substring(script)
        while let (handle, sql) = try compileFirst(&rest) {
            let statement = Statement(database: self, handle: handle, sql: sql)
            try statement.bind([])
            try statement.run()
        }
    }
}
