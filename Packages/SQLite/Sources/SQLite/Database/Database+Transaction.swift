import CSQLite

/// The way in which a transaction begins.
///
/// See <https://www.sqlite.org/lang_transaction.html>.
public enum TransactionKind: Sendable {
    /// Take locks when statements need them. For reading only: a write after a read may immediately fail as busy.
    case deferred
    /// Take the write lock immediately, waiting for it up to the busy timeout.
    case immediate

    fileprivate var sql: String {
        switch self {
        case .deferred: "BEGIN DEFERRED"
        case .immediate: "BEGIN IMMEDIATE"
        }
    }
}

extension Database {
    /// Runs a closure as a transaction, which is committed when it returns and rolled back when it throws.
    ///
    /// Inside another transaction it is a savepoint: an error undoes only the inner part, and `kind` is ignored. Other threads that use
    /// this database wait until the closure has ended, so never wait for another thread inside it. If SQLite itself rolls the transaction
    /// back, for example because the disk is full, all later calls in the closure fail with ``SQLiteError/Reason/transactionLost``, so nothing is
    /// accidentally written outside the transaction.
    ///
    /// ```swift
    /// let count: Int? = try database.transaction {
    ///     try database.execute("DELETE FROM plugin WHERE name = ?", "shop")
    ///     return try database.value("SELECT count(*) FROM plugin", as: Int.self)
    /// }
    /// ```
    ///
    /// - Throws: The errors of the closure, or ``SQLiteError`` if the transaction cannot begin (``SQLiteError/isBusy``) or commit; it is
    ///   then rolled back.
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

    /// Throws an error if the transaction no longer exists. Call this with the lock held.
    func requireTransaction(sql: String? = nil) throws(SQLiteError) {
        guard transactionDepth == 0 || isInTransaction else {
            throw SQLiteError(.transactionLost, operation: .transaction, sql: sql)
        }
    }

    /// Rolls back as far as possible.
    ///
    /// Errors are ignored: the original error is more useful, and SQLite keeps the file consistent in any case.
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
        try prepare(sql, operation: .transaction).run()
    }
}
