import SQLite
import Testing

/// Runs a closure, which must fail with an SQLite error, and returns the error.
@discardableResult
func failure<Result>(
    _ location: SourceLocation = #_sourceLocation, of body: () throws -> Result
) throws -> SQLiteError {
    try #require(throws: SQLiteError.self, sourceLocation: location) { _ = try body() }
}

/// Creates a database in memory with one table that has an integer key and a unique name.
func sample() throws -> Database {
    let database = try Database.inMemory()
    try database.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT UNIQUE)")
    return database
}

extension Database {
    func count(_ table: String = "t") throws -> Int {
        try #require(try value("SELECT count(*) FROM \(table)", as: Int.self))
    }
}
