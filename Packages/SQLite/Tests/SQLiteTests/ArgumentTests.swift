import SQLite
import Testing

@Suite("Arguments", .tags(.small))
struct ArgumentTests {
    @Test(
        "There must be as many arguments as parameters",
        arguments: [
            ("SELECT 1", [1], 0), ("SELECT ?", [], 1), ("SELECT ?, ?", [1], 2), ("SELECT ?", [1, 2], 1),
            ("SELECT ?3", [1], 3), ("SELECT :a", [], 1),
        ] as [(String, [SQLValue], Int)])
    func arity(sql: String, values: [SQLValue], expected: Int) throws {
        let database = try Database.inMemory()
        let error = try failure { try database.execute(sql, arguments: SQLArguments(values)) }
        #expect(error.reason == .argumentCount(expected: expected, given: values.count))
        #expect(error.sql == sql)
    }

    @Test("Arguments are bound by name, with any prefix of SQL and in any order")
    func named() throws {
        let database = try Database.inMemory()
        let sum = try database.value("SELECT :a - @b * $c + :a", arguments: ["c": 2, "a": 10, "b": 3], as: Int.self)
        #expect(sum == 14)
    }

    @Test("Named arguments must match the parameters exactly")
    func namedMisfits() throws {
        let database = try Database.inMemory()
        let sql = "SELECT :a, :b"
        #expect(
            try failure { try database.execute(sql, arguments: ["a": 1]) }.reason
                == .unboundParameter(index: 2, name: "b"))
        #expect(
            try failure { try database.execute(sql, arguments: ["a": 1, "b": 2, "c": 3]) }.reason
                == .unknownParameter("c"))
        #expect(
            try failure { try database.execute(sql, arguments: ["a": 1, "a": 2]) }.reason == .repeatedArgument("a"))
        #expect(
            try failure { try database.execute("SELECT ?", arguments: ["1": 1]) }.reason == .unknownParameter("1"))
    }

    @Test("A statement with a missing argument does not run")
    func unbound() throws {
        let database = try sample()
        let insert = try database.prepare("INSERT INTO t VALUES (?, :name)")
        try insert.bind(1, at: 1)
        let error = #expect(throws: SQLiteError.self) { try insert.run() }
        #expect(error?.reason == .unboundParameter(index: 2, name: "name"))
        try insert.bind("x", to: "name")
        #expect(try insert.run() == 1)
        #expect(try database.count() == 1)
    }

    @Test("An argument for a parameter that doesn't exist is rejected", arguments: [0, -1, 2, .max, .min])
    func outOfRange(index: Int) throws {
        let database = try Database.inMemory()
        let statement = try database.prepare("SELECT ?")
        let error = #expect(throws: SQLiteError.self) { try statement.bind(1, at: index) }
        #expect(error?.reason == .unknownParameter("?\(index)"))
        #expect(error?.code == .range)
    }

    @Test("A cached statement does not keep arguments of an earlier use")
    func forgotten() throws {
        let database = try Database.inMemory()
        #expect(try database.value("SELECT ?", 1, as: Int.self) == 1)
        let again = try database.prepare("SELECT ?")
        #expect(again.parameterCount == 1)
        let error = #expect(throws: SQLiteError.self) { try again.step() }
        #expect(error?.reason == .unboundParameter(index: 1, name: nil))
    }
}
