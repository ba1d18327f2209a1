import SQLite
import Testing

@Suite("Many writers", .tags(.medium))
struct ConcurrencyTests {
    @Test("get busy when another connection keeps the lock longer than the timeout")
    func busy() throws {
        try withFolder { folder in
            var options = DatabaseOptions()
            options.busyTimeout = .milliseconds(20)
            let one = try Database(path: folder + "/a.sqlite", options: options)
            let two = try Database(path: folder + "/a.sqlite", options: options)
            try one.execute("CREATE TABLE t (x)")
            try one.transaction {
                try one.execute("INSERT INTO t VALUES (1)")
                let start = ContinuousClock.now
                let error = try failure { try two.execute("INSERT INTO t VALUES (2)") }
                #expect(error.isBusy)
                #expect(error.code == .busy)
                #expect(ContinuousClock.now - start >= .milliseconds(15))
                #expect(try failure { try two.transaction {} }.isBusy)
                #expect(try two.count() == 0, "readers do not wait")
            }
            #expect(!two.isInTransaction)
            try two.execute("INSERT INTO t VALUES (2)")
            #expect(try one.count() == 2)
        }
    }

    @Test("that read before they write are told at once that their view is stale")
    func snapshot() throws {
        try withFolder { folder in
            let one = try Database(path: folder + "/a.sqlite")
            let two = try Database(path: folder + "/a.sqlite")
            try one.execute("CREATE TABLE t (x)")
            let error = try failure {
                try two.transaction(.deferred) {
                    _ = try two.count()
                    try one.execute("INSERT INTO t VALUES (1)")
                    try two.execute("INSERT INTO t VALUES (2)")
                }
            }
            #expect(error.code == .busySnapshot)
            #expect(error.isBusy)
        }
    }

    @Test("lose nothing, through one connection or two", arguments: [1, 2])
    func nothingLost(connections: Int) async throws {
        try await withFolder { folder in
            var options = DatabaseOptions()
            options.synchronous = .off
            options.busyTimeout = .seconds(60)
            let path = folder + "/a.sqlite"
            let databases = try (0..<connections).map { _ in try Database(path: path, options: options) }
            try databases[0].execute(
                script: "CREATE TABLE t (task, n); CREATE TABLE total (n); INSERT INTO total VALUES (0)")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<16 {
                    let database = databases[task % connections]
                    group.addTask { try write(task, into: database) }
                }
                try await group.waitForAll()
            }
            #expect(try databases[0].count() == 16 * 25)
            #expect(try databases[0].value("SELECT n FROM total", as: Int.self) == 16 * 25)
            #expect(try databases[0].value("SELECT count(DISTINCT task * 1000 + n) FROM t", as: Int.self) == 16 * 25)
            #expect(try databases[0].integrityCheck() == [])
        }
    }

    /// Reads, adds and writes back, which loses counts unless transactions keep apart.
    private func write(_ task: Int, into database: Database) throws {
        for number in 0..<25 {
            try database.transaction {
                let total = try #require(try database.value("SELECT n FROM total", as: Int.self))
                try database.execute("INSERT INTO t VALUES (?, ?)", task, number)
                try database.execute("UPDATE total SET n = ?", total + 1)
            }
        }
    }

    @Test("keep out of each other's transactions on one connection")
    func isolation() async throws {
        let database = try sample()
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<50 {
                        if task.isMultiple(of: 2) {
                            try? database.transaction {
                                try database.execute("INSERT INTO t (name) VALUES (?)", "undone \(task) \(number)")
                                throw CancellationError()
                            }
                        } else {
                            _ = try? database.execute("INSERT INTO t (name) VALUES (?)", "kept \(task) \(number)")
                        }
                    }
                }
            }
        }
        #expect(try database.count() == 200)
        #expect(try database.value("SELECT count(*) FROM t WHERE name LIKE 'kept%'", as: Int.self) == 200)
    }

    @Test("can all be the first to open a file, and to migrate it")
    func openTogether() async throws {
        try await withFolder { folder in
            let schema = Migrations([
                Migration("table", sql: "CREATE TABLE t (x)"),
                Migration("row", sql: "INSERT INTO t VALUES (1)"),
            ])
            for round in 0..<10 {
                let path = folder + "/\(round).sqlite"
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<8 {
                        group.addTask {
                            let database = try Database(path: path)
                            try schema.apply(to: database)
                            return try database.count()
                        }
                    }
                    for try await count in group { #expect(count == 1) }
                }
            }
        }
    }
}
