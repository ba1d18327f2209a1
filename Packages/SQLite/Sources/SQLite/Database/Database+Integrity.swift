extension Database {
    /// What SQLite's own check of the whole file finds wrong: structure, indexes, `NOT NULL` and `CHECK`, and rows
    /// whose foreign keys lead nowhere. Empty for a sound database. Reads every page.
    ///
    /// Damage that stops the check is the last of the problems and not an error.
    ///
    /// - Throws: ``SQLiteError`` when the check could not be made: busy, or an I/O error.
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
