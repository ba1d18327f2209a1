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
            var statement = Statement(database: self, handle: handle, sql: sql)
            try statement.run()
        }
    }

    /// What SQLite's own check of the whole file finds wrong: structure, indexes, `NOT NULL` and `CHECK`, and rows
    /// whose foreign keys lead nowhere. Empty for a sound database. Reads every page.
    ///
    /// - Throws: ``SQLiteError`` with ``SQLiteError/isCorrupt`` when the file cannot even be read as a database.
    public func integrityCheck() throws(SQLiteError) -> [String] {
        lock()
        defer { unlock() }
        var problems: [String] = []
        var structure = try prepare("PRAGMA integrity_check")
        while try structure.step() {
            let problem: String = try structure.row[0]
            if problem != "ok" { problems.append(problem) }
        }
        var keys = try prepare("PRAGMA foreign_key_check")
        while try keys.step() {
            let table: String = try keys.row[0]
            let parent: String = try keys.row[2]
            problems.append("a row of \(table) refers to a row of \(parent) that does not exist")
        }
        return problems
    }
}
