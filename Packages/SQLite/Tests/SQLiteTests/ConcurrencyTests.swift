import Foundation
import SQLite
import Synchronization
import Testing

import Glibc

private final class Progress: Sendable {
    let step = Atomic<Int>(0)
}

@Suite("Concurrent writers", .tags(.medium))
struct ConcurrencyTests {
    private let temporary: TestFolder
    private var folder: String { temporary.path }

    init() throws { temporary = try TestFolder() }

    @Test("A writer fails as busy if another connection holds the lock longer than the timeout")
    func busy() throws {
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

    @Test("A writer that has read stale data fails immediately")
    func snapshot() throws {
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

    @Test("No changes are lost, through one connection or two", arguments: [1, 2])
    func nothingLost(connections: Int) throws {
        var options = DatabaseOptions()
        options.synchronous = .off
        options.busyTimeout = .seconds(60)
        let path = folder + "/a.sqlite"
        let databases = try (0..<connections).map { _ in try Database(path: path, options: options) }
        try databases[0].execute(
            script: "CREATE TABLE t (writer, n); CREATE TABLE total (n); INSERT INTO total VALUES (0)")
        inParallel(4) { writer in
            for number in 0..<200 { _ = try? add(writer, number, to: databases[writer % connections]) }
        }
        #expect(try databases[0].count() == 800)
        #expect(try databases[0].value("SELECT n FROM total", as: Int.self) == 800)
        #expect(try databases[0].value("SELECT count(DISTINCT writer * 1000 + n) FROM t", as: Int.self) == 800)
        #expect(try databases[0].value("PRAGMA integrity_check", as: String.self) == "ok")
    }

    /// Reads, adds and writes a value, which loses counts unless transactions are isolated.
    private func add(_ writer: Int, _ number: Int, to database: Database) throws {
        try database.transaction {
            let total = try #require(try database.value("SELECT n FROM total", as: Int.self))
            try database.execute("INSERT INTO t VALUES (?, ?)", writer, number)
            try database.execute("UPDATE total SET n = ?", total + 1)
        }
    }

    @Test("A writer waits for the transaction of another thread on the same connection")
    func isolation() throws {
        let database = try sample()
        let progress = Progress()
        let ended = DispatchSemaphore(value: 0)
        #expect(throws: CancellationError.self) {
            try database.transaction {
                Thread.detachNewThread {
                    progress.step.store(1, ordering: .releasing)
                    _ = try? database.execute("INSERT INTO t (name) VALUES ('from the other thread')")
                    progress.step.store(2, ordering: .releasing)
                    ended.signal()
                }
                while progress.step.load(ordering: .acquiring) == 0 { sched_yield() }
                // The other thread waits for the connection, and must not get it now.
                for _ in 0..<2000 {
                    #expect(try database.count() == 0)
                    sched_yield()
                }
                #expect(progress.step.load(ordering: .acquiring) == 1)
                throw CancellationError()
            }
        }
        ended.wait()
        #expect(try database.count() == 1, "what the other thread wrote is not undone with the transaction")
    }

    @Test("Threads share a connection")
    func shared() throws {
        let database = try sample()
        let wrong = Progress()
        inParallel(4) { thread in
            for number in 0..<1000 {
                let value = thread * 1000 + number
                let read = try? database.value("SELECT ?", value, as: Int.self)
                _ = try? database.execute("SELECT ?, ?", value, number)
                if read != value { wrong.step.add(1, ordering: .relaxed) }
            }
        }
        #expect(wrong.step.load(ordering: .relaxed) == 0)
    }

    @Test("Several connections can open and migrate a new file at the same time")
    func openTogether() throws {
        let schema = Migrations([
            Migration("table", sql: "CREATE TABLE t (x)"),
            Migration("row", sql: "INSERT INTO t VALUES (1)"),
        ])
        for round in 0..<40 {
            let path = folder + "/\(round).sqlite"
            let right = Progress()
            inParallel(8) { _ in
                guard let database = try? Database(path: path), (try? schema.apply(to: database)) != nil else {
                    return
                }
                if (try? database.count()) == 1 { right.step.add(1, ordering: .relaxed) }
            }
            #expect(right.step.load(ordering: .relaxed) == 8)
        }
    }
}
