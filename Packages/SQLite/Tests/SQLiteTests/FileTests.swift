import FoundationEssentials
import SQLite
import Testing

@Suite("Database files", .tags(.medium))
struct FileTests {
    private let temporary: TestFolder
    private var folder: String { temporary.path }

    init() throws { temporary = try TestFolder() }

    @Test("Committed changes persist, in WAL mode with full sync")
    func persistence() throws {
        let path = folder + "/a.sqlite"
        try Database(path: path).execute(script: "CREATE TABLE t (x); INSERT INTO t VALUES (1)")
        let database = try Database(path: path)
        #expect(try database.count() == 1)
        #expect(try database.value("PRAGMA journal_mode", as: String.self) == "wal")
        #expect(try database.value("PRAGMA synchronous", as: Int.self) == 2)
        #expect(try database.value("PRAGMA busy_timeout", as: Int.self) == 5000)
    }

    @Test("A file is opened with the given options")
    func options() throws {
        var options = DatabaseOptions()
        options.journal = .unchanged
        options.synchronous = .normal
        options.busyTimeout = .seconds(Int64.max)
        let database = try Database(path: folder + "/a.sqlite", options: options)
        #expect(try database.value("PRAGMA journal_mode", as: String.self) == "delete")
        #expect(try database.value("PRAGMA synchronous", as: Int.self) == 1)
        #expect(try database.value("PRAGMA busy_timeout", as: Int.self) == Int(Int32.max))
    }

    @Test("A missing file is created only if requested", arguments: [DatabaseOptions.Access.readOnly, .readWrite])
    func missing(access: DatabaseOptions.Access) throws {
        var options = DatabaseOptions()
        options.access = access
        let path = folder + "/none.sqlite"
        let error = try failure { try Database(path: path, options: options) }
        #expect(error.isCannotOpen)
        #expect(error.path == path)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("A read-only connection rejects writes, and sees the writes of others")
    func readOnly() throws {
        let path = folder + "/a.sqlite"
        let writer = try Database(path: path)
        try writer.execute(script: "CREATE TABLE t (x); INSERT INTO t VALUES (1)")
        let reader = try Database(path: path, options: .readOnly)
        for sql in ["INSERT INTO t VALUES (2)", "CREATE TABLE u (x)", "DELETE FROM t", "PRAGMA user_version = 3"] {
            #expect(try failure { try reader.execute(sql) }.isReadOnly)
        }
        try writer.execute("INSERT INTO t VALUES (2)")
        #expect(try reader.transaction(.deferred) { try reader.count() } == 2)
    }

    @Test("A path never has a special meaning", arguments: [":memory:", "file:x?mode=memory", "a b%20?#", "ä"])
    func paths(name: String) throws {
        try Database(path: folder + "/" + name).execute("CREATE TABLE t (x)")
        #expect(FileManager.default.fileExists(atPath: folder + "/" + name))
    }

    @Test(
        "A special name does not open a database in memory",
        arguments: [":memory:", "file::memory:", "file:x?mode=memory"])
    func relativePaths(name: String) throws {
        // The working folder contains no file with that name, and `readWrite` does not create one.
        var options = DatabaseOptions()
        options.access = .readWrite
        let error = try failure { try Database(path: name, options: options) }
        #expect(error.isCannotOpen)
        #expect(error.reason == nil, "the file was looked for, and no memory was opened")
    }

    @Test("An invalid path is rejected", arguments: [("", SQLiteError.Reason.emptyPath), ("/tmp/a\0b", .embeddedNUL)])
    func badPaths(path: String, reason: SQLiteError.Reason) throws {
        #expect(try failure { try Database(path: path) }.reason == reason)
    }

    @Test("A file that is not a database is rejected when it is opened")
    func notADatabase() throws {
        let path = folder + "/a.sqlite"
        try Data(repeating: 0x41, count: 8192).write(to: URL(filePath: path))
        let error = try failure { try Database(path: path) }
        #expect(error.isCorrupt)
        #expect(error.code == .notADatabase && error.operation == .open)
        #expect(error.path == path)
        let reader = try Database(path: path, options: .readOnly)
        #expect(try failure { try reader.value("SELECT count(*) FROM t", as: Int.self) }.isCorrupt)
    }

    @Test("A damaged or truncated file is reported", arguments: [false, true])
    func damaged(isTruncated: Bool) throws {
        let path = folder + "/a.sqlite"
        try fill(path)
        var bytes = try Data(contentsOf: URL(filePath: path))
        let body = (isTruncated ? bytes.count / 2 : 4096)..<bytes.count
        bytes.replaceSubrange(body, with: Data(repeating: 0x5A, count: isTruncated ? 0 : body.count))
        try bytes.write(to: URL(filePath: path))
        let error = try failure {
            let database = try Database(path: path)
            _ = try database.query("SELECT * FROM t") { row in try row[0, as: Int.self] }
        }
        #expect(error.isCorrupt)
    }

    private func fill(_ path: String) throws {
        let database = try Database(path: path)
        try database.execute("CREATE TABLE t (x INTEGER PRIMARY KEY, y)")
        try database.transaction {
            for number in 0..<500 { try database.execute("INSERT INTO t VALUES (?, zeroblob(200))", number) }
        }
    }
}
