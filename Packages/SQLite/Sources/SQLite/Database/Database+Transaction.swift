import CSQLite

/// How a transaction begins: <https://www.sqlite.org/lang_transaction.html>.
public enum TransactionKind: Sendable {
    /// Takes locks as statements need them. For reading only: a write after a read may fail as busy at once.
    case deferred
    /// Takes the write lock at once, waiting for it up to the busy timeout.
    case immediate
    /// As `immediate`, and outside WAL mode keeps readers out too.
    case exclusive

    fileprivate var sql: String {
        switch self {
        case .deferred: "BEGIN DEFERRED"
        case .immediate: "BEGIN IMMEDIATE"
        case .exclusive: "BEGIN EXCLUSIVE"
        }
    }
}

extension Database {
    /// Runs a closure as one transaction: committed when it returns, rolled back when it throws.
    ///
    /// Inside another transaction it is a savepoint: throwing undoes the inner part, and the outer one may go on; `kind`
    /// is then ignored. Other threads that use this database wait until the closure is done; so never wait for another
    /// thread inside it. When SQLite rolled the transaction back itself (a full disk does that), every later call in
    /// the closure fails with ``Refusal/transactionLost``, and nothing is written outside the transaction by mistake.
    ///
    /// ```swift
    /// let count: Int? = try database.transaction {
    ///     try database.execute("DELETE FROM plugin WHERE name = ?", "shop")
    ///     return try database.value("SELECT count(*) FROM plugin", as: Int.self)
    /// }
    /// ```
    ///
    /// - Throws: what the closure throws, or ``SQLiteError`` when the transaction cannot begin (``SQLiteError/isBusy``)
    ///   or commit; it is then rolled back.
    @discardableResult
    public func transaction<Result>(
        _ kind: TransactionKind = .immediate, _ body: () throws -> Result
    ) throws -> Result {
        lock()
        defer { unlock() }
        try requireTransaction()
        let nested = isInTransaction
        try control(nested ? "SAVEPOINT nested" : kind.sql)
        transactionDepth += 1
        defer { transactionDepth -= 1 }
        do {
            let result = try body()
            try requireTransaction()
            try control(nested ? "RELEASE nested" : "COMMIT")
            return result
        } catch {
            rollBack(nested: nested)
            throw error
        }
    }

    /// A Boolean value that indicates whether a transaction is open on this connection.
    public var isInTransaction: Bool {
        lock()
        defer { unlock() }
        return sqlite3_get_autocommit(handle) == 0
    }

    /// Refuses to go on as if inside a transaction that is no longer there. Call it with the lock held.
    func requireTransaction(sql: String? = nil) throws(SQLiteError) {
        guard transactionDepth == 0 || isInTransaction else {
            throw SQLiteError(.transactionLost, operation: .transaction, sql: sql)
        }
    }

    /// Undoes what can be undone. A failure here is not reported: the error that led here says more, and SQLite keeps
    /// the file consistent in any case.
    private func rollBack(nested: Bool) {
        guard isInTransaction else { return }
        if nested {
            try? control("ROLLBACK TO nested")
            try? control("RELEASE nested")
        } else {
            try? control("ROLLBACK")
        }
    }

    private func control(_ sql: String) throws(SQLiteError) {
        let statement = try prepare(sql)
        statement.operation = .transaction
        try statement.run()
    }
}
