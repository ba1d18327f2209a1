import FoundationEssentials
import SQLite
import Testing

extension Tag {
    @Tag static var small: Self
    @Tag static var medium: Self
}

/// Gives the body a folder of its own, and removes it afterwards.
func withFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "sqlite-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder.path)
}

/// Runs the body, which must fail with an error of SQLite's, and returns it.
@discardableResult
func failure<Result>(
    _ location: SourceLocation = #_sourceLocation, of body: () throws -> Result
) throws -> SQLiteError {
    try #require(throws: SQLiteError.self, sourceLocation: location) { _ = try body() }
}

/// A database in memory with one table `t (id INTEGER PRIMARY KEY, name TEXT UNIQUE)`.
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
