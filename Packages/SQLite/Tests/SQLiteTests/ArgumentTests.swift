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
        ] as [(String, [Int], Int)])
    func arity(sql: String, values: [Int], expected: Int) throws {
        let error = try failure { try database.execute(sql, arguments: values) }
        #expect(error.reason == .argumentCount(expected: expected, given: values.count) && error.sql == sql)
    }
}
