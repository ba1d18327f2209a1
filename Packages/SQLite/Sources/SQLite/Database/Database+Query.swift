import CSQLite

extension Database {
    /// Compiles a statement or takes it from the cache, for running the same statement many times.
    public func prepare(_ sql: String) throws(SQLiteError) -> Statement {
        lock()
        defer { unlock() }
        if let cached = cache.take(sql) {
            return Statement(database: self, handle: cached, sql: sql)
        }
        return Statement(database: self, handle: try compile(sql), sql: sql)
    }

    /// Runs a statement and returns the number of rows that it inserted, updated or deleted.
    ///
    /// Changes by triggers and foreign key actions do not count. `nil` binds NULL. There must be as many arguments as parameters.
    @discardableResult
    public func execute(_ sql: String, _ arguments: (any SQLValueConvertible)?...) throws(SQLiteError) -> Int {
        try execute(sql, arguments: SQLArguments(arguments))
    }

    /// Runs a statement with arguments by name or from an array, and returns the number of changed rows.
    @discardableResult
    public func execute(_ sql: String, arguments: SQLArguments) throws(SQLiteError) -> Int {
        let statement = try prepare(sql)
        return try statement.run(arguments: arguments)
    }

    /// Runs a statement and converts each row to a value.
    ///
    /// The closure runs while the statement is open. It should only read from the row; change the database afterward.
    ///
    /// - Throws: ``SQLiteError``, or the errors of the closure.
    public func query<Value>(
        _ sql: String, _ arguments: (any SQLValueConvertible)?..., row: (borrowing Row) throws -> Value
    ) throws -> [Value] {
        try query(sql, arguments: SQLArguments(arguments), row: row)
    }

    /// Runs a statement with arguments by name or from an array, and converts each row to a value.
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

    /// Runs a statement and converts its first row to a value. Returns nil if there is no row.
    ///
    /// A query ends after that row. A statement that changes something (`INSERT ... RETURNING`) runs to its end.
    ///
    /// - Throws: ``SQLiteError``, or the errors of the closure.
    public func first<Value>(
        _ sql: String, _ arguments: (any SQLValueConvertible)?..., row: (borrowing Row) throws -> Value
    ) throws -> Value? {
        try first(sql, arguments: SQLArguments(arguments), row: row)
    }

    /// Runs a statement with arguments by name or from an array, and converts its first row to a value.
    ///
    /// Returns `nil` if there is no row.
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

    /// Returns the first column of the first row, or nil if there is no row.
    ///
    /// Use an optional type if the value may be NULL; otherwise NULL is an error.
    public func value<Value: SQLValueConvertible>(
        _ sql: String, _ arguments: (any SQLValueConvertible)?..., as type: Value.Type
    ) throws(SQLiteError) -> Value? {
        try value(sql, arguments: SQLArguments(arguments), as: type)
    }

    /// Returns the first column of the first row for arguments by name or from an array, or nil if there is no row.
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
            try statement.run()
        }
    }

    /// Returns the problems that SQLite's integrity check finds in the whole file, or an empty array for a valid database.
    ///
    /// The check covers structure, indexes, `NOT NULL` and `CHECK` constraints, and foreign keys. It reads every page. Damage that stops
    /// the check is returned as the last problem and is not an error.
    ///
    /// - Throws: ``SQLiteError`` if the check could not be made because the database is busy, or because of an I/O error.
    public func integrityCheck() throws(SQLiteError) -> [String] {
        lock()
        defer { unlock() }
        var problems: [String] = []
        do throws(SQLiteError) {
            let structure = try prepare("PRAGMA integrity_check")
            while try structure.step() {
                let problem: String = try structure.row[0]
                if problem != "ok" { problems.append(problem) }
            }
            let keys = try prepare("PRAGMA foreign_key_check")
            while try keys.step() {
                let table: String = try keys.row[0]
                let parent: String = try keys.row[2]
                problems.append("a row of \(table) refers to a row of \(parent) that does not exist")
            }
        } catch {
            guard error.isCorrupt else { throw error }
            problems.append(error.message)
        }
        return problems
    }
}
