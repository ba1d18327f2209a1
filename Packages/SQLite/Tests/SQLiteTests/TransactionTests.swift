import SQLite
import Testing

private struct Stop: Error {}

@Suite("Transactions", .tags(.small))
struct TransactionTests {
    private let database: Database

    init() throws { database = try sample() }

    @Test(
        "A transaction commits the changes of its closure and returns its value",
        arguments: [TransactionKind.deferred, .immediate])
    func commit(kind: TransactionKind) throws {
        let value = try database.transaction(kind) {
            #expect(database.isInTransaction)
            try database.execute("INSERT INTO t (name) VALUES ('a')")
            return 7
        }
        #expect(value == 7)
        #expect(!database.isInTransaction)
        #expect(try database.count() == 1)
    }

    @Test("An error of the closure undoes all changes and is passed on")
    func rollback() throws {
        #expect(throws: Stop.self) {
            try database.transaction {
                try database.execute("INSERT INTO t (name) VALUES ('a')")
                throw Stop()
            }
        }
        #expect(!database.isInTransaction)
        #expect(try database.count() == 0)
    }

    @Test("An error in a nested transaction undoes only the inner changes")
    func nested() throws {
        try database.transaction {
            try database.execute("INSERT INTO t VALUES (1, 'outer')")
            _ = try? database.transaction {
                try database.execute("INSERT INTO t VALUES (2, 'undone')")
                try database.transaction { try database.execute("INSERT INTO t VALUES (3, 'undone too')") }
                throw Stop()
            }
            try database.transaction { try database.execute("INSERT INTO t VALUES (4, 'inner')") }
        }
        #expect(try database.query("SELECT id FROM t ORDER BY id") { row in try row[0, as: Int.self] } == [1, 4])
    }

    @Test(
        "After a transaction has ended early, its closure cannot write anymore",
        arguments: ["INSERT OR ROLLBACK INTO t VALUES (1, 'again')", "ROLLBACK"])
    func lost(ending: String) throws {
        let error = try failure {
            try database.transaction {
                try database.execute("INSERT INTO t VALUES (1, 'a')")
                _ = try? database.execute(ending)
                let refused = #expect(throws: SQLiteError.self) {
                    try database.execute("INSERT INTO t VALUES (2, 'outside')")
                }
                #expect(refused?.reason == .transactionLost)
            }
        }
        #expect(error.reason == .transactionLost)
        #expect(try database.count() == 0)
        try database.transaction { try database.execute("INSERT INTO t VALUES (3, 'usable again')") }
        #expect(try database.count() == 1)
    }

    @Test("A transaction that cannot be committed is rolled back")
    func failedCommit() throws {
        try database.execute("CREATE TABLE u (t INTEGER REFERENCES t DEFERRABLE INITIALLY DEFERRED)")
        let error = try failure { try database.transaction { try database.execute("INSERT INTO u VALUES (9)") } }
        #expect(error.code == .constraintForeignKey && error.operation == .transaction)
        #expect(!database.isInTransaction)
        #expect(try database.count("u") == 0)
    }

    @Test("A transaction that does not fit on the disk fails and changes nothing")
    func full() throws {
        try database.execute("INSERT INTO t VALUES (1, 'kept')")
        _ = try database.value("PRAGMA max_page_count = 8", as: Int.self)
        let error = try failure {
            try database.transaction { try database.execute("INSERT INTO t VALUES (2, hex(zeroblob(100000)))") }
        }
        #expect(error.isFull)
        #expect(try database.count() == 1)
    }
}
