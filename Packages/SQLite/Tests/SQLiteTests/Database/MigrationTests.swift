import SQLite
import Testing

@Suite("Migrations of a schema", .tags(.small))
struct MigrationTests {
    private let temporary: TestFolder
    private var folder: String { temporary.path }

    init() throws { temporary = try TestFolder() }

    private let first = Migration("plugins", sql: "CREATE TABLE plugin (name TEXT); CREATE TABLE other (x);")
    private let second = Migration("fill") { database in
        for name in ["shop", "cart"] { try database.execute("INSERT INTO plugin VALUES (?)", name) }
    }

    private func version(_ database: Database) throws -> Int? {
        try database.value("PRAGMA user_version", as: Int.self)
    }

    @Test("Each step runs once, and later only new steps run")
    func upgrade() throws {
        let database = try Database.inMemory()
        try Migrations([first]).apply(to: database)
        #expect(try version(database) == 1)
        for _ in 0..<2 {
            try Migrations([first, second]).apply(to: database)
            #expect(try version(database) == 2)
            #expect(try database.count("plugin") == 2)
        }
    }

    @Test("A failing step leaves the previous version unchanged")
    func failed() throws {
        let database = try Database.inMemory()
        let broken = Migration("broken", sql: "DROP TABLE plugin; CREATE TABLE new (x); INSERT INTO missing VALUES (1)")
        let error = #expect(throws: MigrationError.self) {
            try Migrations([first, second, broken]).apply(to: database)
        }
        guard case .failed("broken", 3, _) = error else {
            Issue.record("not the failure of the third step: \(String(describing: error))")
            return
        }
        #expect(error?.sqliteError?.message == "no such table: missing")
        #expect(try version(database) == 2)
        #expect(try database.count("plugin") == 2)
        #expect(try database.value("SELECT count(*) FROM sqlite_schema WHERE name = 'new'", as: Int.self) == 0)
        let repaired = Migration("repaired", sql: "DROP TABLE other")
        try Migrations([first, second, repaired]).apply(to: database)
        #expect(try version(database) == 3)
    }

    @Test("A database of an unknown version is rejected", arguments: [2, 7, -1, Int(Int32.max)])
    func future(version: Int) throws {
        let database = try Database.inMemory()
        try database.execute("PRAGMA user_version = \(version)")
        let error = #expect(throws: MigrationError.self) { try Migrations([first]).apply(to: database) }
        #expect(
            error?.description
                == "the database has version \(version), but this program supports only versions up to 1; update "
                + "the program"
        )
        #expect(try self.version(database) == version)
    }

    @Test("A step that ends its transaction itself fails")
    func handmadeCommit() throws {
        let database = try Database.inMemory()
        let error = #expect(throws: MigrationError.self) {
            try Migrations([Migration("commits", sql: "CREATE TABLE a (x); COMMIT; CREATE TABLE b (x)")])
                .apply(to: database)
        }
        #expect(error?.sqliteError?.reason == .transactionLost)
        #expect(try version(database) == 0)
    }

    @Test("A migration fails as busy if another connection holds the lock")
    func busy() throws {
        var options = DatabaseOptions()
        options.busyTimeout = .zero
        let one = try Database(path: folder + "/a.sqlite", options: options)
        let two = try Database(path: folder + "/a.sqlite", options: options)
        try one.transaction {
            let error = #expect(throws: MigrationError.self) { try Migrations([first]).apply(to: two) }
            #expect(error?.sqliteError?.isBusy == true)
        }
    }
}
