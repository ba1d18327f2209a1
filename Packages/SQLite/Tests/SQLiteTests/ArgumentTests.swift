import SQLite
import Testing

@Suite("Arguments", .tags(.small))
struct ArgumentTests {
    private let database: Database

    init() throws { database = try Database.inMemory() }

    @Test(
        "There must be as many arguments as parameters",
        arguments: [
            ("SELECT 1", [1], 0), ("SELECT ?", [], 1), ("SELECT ?, ?", [1], 2), ("SELECT ?", [1, 2], 1),
            ("SELECT ?3", [1], 3), ("SELECT :a", [], 1),
        ] as [(String, [SQLValue], Int)])
    func arity(sql: String, values: [SQLValue], expected: Int) throws {
        let error = try failure { try database.execute(sql, arguments: SQLArguments(values)) }
        #expect(error.reason == .argumentCount(expected: expected, given: values.count) && error.sql == sql)
    }

    @Test("Arguments are bound by name, with any prefix of SQL and in any order")
    func named() throws {
        let sum = try database.value("SELECT :a - @b * $c + :a", arguments: ["c": 2, "a": 10, "b": 3], as: Int.self)
        #expect(sum == 14)
    }

    @Test("Named arguments must match the parameters exactly")
    func namedMisfits() throws {
        let sql = "SELECT :a, :b"
        #expect(
            try failure { try database.execute(sql, arguments: ["a": 1]) }.reason
                == .unboundParameter(index: 2, name: "b"))
        #expect(
            try failure { try database.execute(sql, arguments: ["a": 1, "b": 2, "c": 3]) }.reason
                == .unknownParameter("c"))
        #expect(
            try failure { try database.execute(sql, arguments: ["a": 1, "a": 2]) }.reason == .repeatedArgument("a"))
        #expect(try failure { try database.execute("SELECT ?", arguments: ["1": 1]) }.reason == .unknownParameter("1"))
    }
}
