import CSQLite

extension Database {
    /// Compiles a text that must contain exactly one statement. Call it with the lock held.
    func compile(_ sql: String) throws(SQLiteError) -> OpaquePointer {
        var rest = Substring(sql)
        guard let (handle, _) = try compileFirst(&rest) else {
            throw SQLiteError(.noStatement, operation: .prepare, sql: sql)
        }
        // A second statement counts even if it doesn't compile, because it may depend on the first one.
        let more: Bool
        do {
            let next = try compileFirst(&rest)
            if let next { sqlite3_finalize(next.handle) }
            more = next != nil
        } catch {
            more = true
        }
        if more {
            sqlite3_finalize(handle)
            throw SQLiteError(.severalStatements, operation: .prepare, sql: sql)
        }
        return handle
    }

    /// Compiles and removes the first statement of a text. Returns nil if only whitespace and comments remain.
    ///
    /// Call it with the lock held.
    func compileFirst(_ rest: inout Substring) throws(SQLiteError) -> (handle: OpaquePointer, sql: String)? {
        while !rest.isEmpty {
            let sql = String(rest)
            if sql.utf8.contains(0) { throw SQLiteError(.embeddedNUL, operation: .prepare, sql: sql) }
            guard let length = Int32(exactly: sql.utf8.count) else {
                throw SQLiteError(code: .tooBig, operation: .prepare)
            }
            var handle: OpaquePointer?
            var used = 0
            let code = sql.withCString { text in
                var tail: UnsafePointer<CChar>?
                let code = sqlite3_prepare_v2(self.handle, text, length, &handle, &tail)
                used = tail.map { $0 - text } ?? 0
                return code
            }
            guard code == SQLITE_OK else { throw failure(code, .prepare, sql: sql) }
            let end = rest.utf8.index(rest.startIndex, offsetBy: used, limitedBy: rest.endIndex) ?? rest.endIndex
            let text = String(rest[..<end])
            rest = rest[end...]
            if let handle { return (handle, text) }
            if used == 0 { return nil }
        }
        return nil
    }
}
