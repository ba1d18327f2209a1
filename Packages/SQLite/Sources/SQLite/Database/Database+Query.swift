import CSQLite

extension Database {
    /// Compiles one statement, or takes it from the cache. Use it to run the same statement many times in a row.
    public func prepare(_ sql: String) throws(SQLiteError) -> Statement {
        lock()
        defer { unlock() }
        if let cached = cache.take(sql) {
            return Statement(database: self, handle: cached, sql: sql)
        }
        return Statement(database: self, handle: try compile(sql), sql: sql)
    }

    /// Runs one statement to its end, and returns how many rows it inserted, updated or deleted itself (not counting
    /// triggers and foreign key actions).
    ///
    /// `nil` binds NULL. The arguments must be as many as the parameters.
    @discardableResult
    public func execute(_ sql: String, _ arguments: (any SQLValueConvertible)?...) throws(SQLiteError) -> Int {
        try execute(sql, arguments: SQLArguments(arguments))
    }

    /// Runs one statement to its end, with arguments by name or from an array; returns the number of changed rows.
    @discardableResult
    public func execute(_ sql: String, arguments: SQLArguments) throws(SQLiteError) -> Int {
        let statement = try prepare(sql)
        return try statement.run(arguments: arguments)
    }

    /// Runs one statement, and makes a value of each row.
    ///
    /// The closure runs while the statement is open: read from the row, and change the database later.
    ///
    /// - Throws: ``SQLiteError``, or what the closure throws.
    public func query<Value>(
        _ sql: String, _ arguments: (any SQLValueConvertible)?..., row: (borrowing Row) throws -> Value
    ) throws -> [Value] {
        try query(sql, arguments: SQLArguments(arguments), row: row)
    }

    /// Runs one statement with arguments by name or from an array, and makes a value of each row.
    public func query<Value>(
        _ sql: String, arguments: SQLArguments, row: (borrowing Row) throws -> Value
    ) throws -> [Value] {
        lock()
        defer { unlock() }
        let statement = try prepare(sql)
        try statement.bind(arguments: arguments)
        var values: [Value] = []
        while try statement.step() {
            values.append(try row(statement.row))
        }
        return values
    }

    /// Runs one statement, and makes a value of its first row; nil when there is no row.
    ///
    /// A query is left after that row; a statement that changes something (`INSERT ... RETURNING`) runs to its end.
    ///
    /// - Throws: ``SQLiteError``, or what the closure throws.
    public func first<Value>(
        _ sql: String, _ arguments: (any SQLValueConvertible)?..., row: (borrowing Row) throws -> Value
    ) throws -> Value? {
        try first(sql, arguments: SQLArguments(arguments), row: row)
    }

    /// Runs one statement with arguments by name or from an array, and makes a value of its first row; nil when there
    /// is no row.
    public func first<Value>(
        _ sql: String, arguments: SQLArguments, row: (borrowing Row) throws -> Value
    ) throws -> Value? {
        lock()
        defer { unlock() }
        let statement = try prepare(sql)
        try statement.bind(arguments: arguments)
        guard try statement.step() else { return nil }
        let value = try row(statement.row)
        try statement.finish()
        return value
    }

    /// The first column of the first row; nil when there is no row. For NULL ask for an optional type, or it is an
    /// error.
    public func value<Value: SQLValueConvertible>(
        _ sql: String, _ arguments: (any SQLValueConvertible)?..., as type: Value.Type
    ) throws(SQLiteError) -> Value? {
        try value(sql, arguments: SQLArguments(arguments), as: type)
    }

    /// The first column of the first row, for arguments by name or from an array; nil when there is no row.
    public func value<Value: SQLValueConvertible>(
        _ sql: String, arguments: SQLArguments, as type: Value.Type
    ) throws(SQLiteError) -> Value? {
        lock()
        defer { unlock() }
        let statement = try prepare(sql)
        try statement.bind(arguments: arguments)
        guard try statement.step() else { return nil }
        let value = try statement.row[0, as: type]
        try statement.finish()
        return value
    }

    /// The key of the row inserted last through this connection, 0 before the first.
    ///
    /// Read it in the same ``transaction(_:_:)`` as the insertion, or another thread's may come between.
    public var lastInsertedRowID: Int64 {
        lock()
        defer { unlock() }
        return sqlite3_last_insert_rowid(handle)
    }
}
