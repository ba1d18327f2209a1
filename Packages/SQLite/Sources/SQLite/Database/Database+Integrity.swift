extension Database {
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
