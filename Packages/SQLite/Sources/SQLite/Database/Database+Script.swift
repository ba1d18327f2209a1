import CSQLite

extension Database {
    /// Runs the statements of a script one after the other, up to the first that fails.
    ///
    /// Rows are discarded and parameters refused. The script is no transaction by itself: put it into one to have all
    /// of it or nothing.
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
