import SQLite
import Testing

@Suite("Statements", .tags(.small))
struct StatementTests {
    private let database: Database

    init() throws { database = try sample() }

    @Test("A column that doesn't exist differs from one that contains NULL")
    func columns() throws {
        let database = try Database.inMemory()
        let name: String? = try database.first("SELECT NULL AS a, 2 AS b") { row in
            #expect(row.columnCount == 2)
            #expect(row.columnNames == ["a", "b"])
            #expect(try row["b"] == 2)
            let unknown = #expect(throws: SQLiteError.self) { try row["c", as: Int.self] }
            #expect(unknown?.reason == .unknownColumn("c", available: ["a", "b"]))
            for index in [-1, 2, .max, .min] {
                let error = #expect(throws: SQLiteError.self) { try row[index, as: Int.self] }
                #expect(error?.reason == .columnOutOfRange(index: index, count: 2))
            }
            let optional: String? = try row["a"]
            return optional ?? "null"
        }
        #expect(name == "null")
    }

    @Test("A statement reports how many rows it changed itself")
    func changes() throws {
        #expect(try database.execute("INSERT INTO t (name) VALUES ('a'), ('b'), ('c')") == 3)
        #expect(database.lastInsertedRowID == 3)
        #expect(try database.execute("CREATE TABLE u (x)") == 0)
        #expect(try database.execute("UPDATE t SET name = name || '!' WHERE id > ?", 1) == 2)
        #expect(try database.execute("DELETE FROM t WHERE id = 99") == 0)
        #expect(try database.execute("SELECT * FROM t") == 0)
    }

    @Test("A statement that returns its changes runs to its end")
    func returning() throws {
        let sql = "INSERT INTO t (name) VALUES ('a'), ('b') RETURNING id"
        #expect(try database.first(sql) { row in try row[0, as: Int.self] } == 1)
        #expect(try database.count() == 2)
        #expect(try database.value("DELETE FROM t RETURNING name", as: String.self) != nil)
        #expect(try database.count() == 0)
    }

    @Test("A statement that fails after returning a row throws an error")
    func returningFailure() throws {
        try database.execute("CREATE TABLE u (t INTEGER REFERENCES t DEFERRABLE INITIALLY DEFERRED)")
        let sql = "INSERT INTO u VALUES (9) RETURNING t"
        #expect(try failure { try database.value(sql, as: Int.self) }.code == .constraintForeignKey)
        #expect(try failure { try database.first(sql) { row in row.columnCount } }.code == .constraintForeignKey)
        #expect(try database.count("u") == 0)
    }

    @Test(
        "A text with several statements is rejected",
        arguments: [
            ("SELECT 1; SELECT 2", SQLiteError.Reason.severalStatements), ("SELECT 1; nonsense", .severalStatements),
            ("", .noStatement), (" -- nothing\n", .noStatement), (";;", .noStatement), ("SELECT 1\0 + 1", .embeddedNUL),
        ])
    func one(sql: String, reason: SQLiteError.Reason) throws {
        let database = try Database.inMemory()
        let error = try failure { try database.execute(sql) }
        #expect(error.reason == reason && error.operation == .prepare)
    }

    @Test(
        "A statement may end with semicolons, whitespace and comments",
        arguments: ["SELECT 1;", "SELECT 1 ; \n", "SELECT 1; /* x */ --"])
    func trailing(sql: String) throws {
        #expect(try Database.inMemory().value(sql, as: Int.self) == 1)
    }

    @Test("The error for an invalid statement contains the mistake and the text")
    func syntax() throws {
        let error = try failure { try database.execute("SELEC 1") }
        #expect(error.description == "prepare: near \"SELEC\": syntax error (code 1) in: SELEC 1")
        #expect(try failure { try database.execute("SELECT \"nme\" FROM t") }.message == "no such column: nme")
    }

    @Test("Several statements with the same text can be open at the same time")
    func nestedUse() throws {
        let sql = "SELECT value FROM json_each('[1,2]')"
        let pairs = try database.query(sql) { outer in
            let left = try outer[0, as: Int.self]
            return try database.query(sql) { inner in left * 10 + (try inner[0, as: Int.self]) }
        }
        #expect(pairs == [[11, 12], [21, 22]])
    }

    @Test("A statement sees a changed schema")
    func schemaChange() throws {
        try database.execute("INSERT INTO t VALUES (1, 'a')")
        let columns = { try database.first("SELECT * FROM t") { row in row.columnNames } }
        #expect(try columns() == ["id", "name"])
        try database.execute("ALTER TABLE t ADD COLUMN more")
        #expect(try columns() == ["id", "name", "more"])
    }

    @Test("The statements of a script run in order until one fails")
    func script() throws {
        let database = try Database.inMemory()
        try database.execute(
            script: "CREATE TABLE a (x); -- first\n INSERT INTO a VALUES (';π');; CREATE TABLE b (y);\n")
        #expect(try database.value("SELECT x FROM a", as: String.self) == ";π")
        let error = try failure {
            try database.execute(script: "INSERT INTO b VALUES (1); INSERT INTO c VALUES (2); INSERT INTO b VALUES (3)")
        }
        #expect(error.message == "no such table: c")
        #expect(try database.count("b") == 1)
        let unbound = try failure { try database.execute(script: "INSERT INTO b VALUES (?)") }
        #expect(unbound.reason == .argumentCount(expected: 1, given: 0))
    }

    @Test("The error for a violated constraint contains its kind")
    func constraints() throws {
        try database.execute("CREATE TABLE u (t INTEGER NOT NULL REFERENCES t, n INTEGER CHECK (n > 0))")
        try database.execute("INSERT INTO t VALUES (1, 'a')")
        let rows: [(String, ResultCode)] = [
            ("INSERT INTO t VALUES (1, 'b')", .constraintPrimaryKey),
            ("INSERT INTO t VALUES (2, 'a')", .constraintUnique),
            ("INSERT INTO u VALUES (2, 1)", .constraintForeignKey),
            ("INSERT INTO u VALUES (NULL, 1)", .constraintNotNull),
            ("INSERT INTO u VALUES (1, 0)", .constraintCheck),
        ]
        for (sql, code) in rows {
            let error = try failure { try database.execute(sql) }
            #expect(error.code == code)
            #expect(error.isConstraint)
        }
    }
}
