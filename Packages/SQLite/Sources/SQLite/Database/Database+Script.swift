import CSQLite

extension Database {
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
}
