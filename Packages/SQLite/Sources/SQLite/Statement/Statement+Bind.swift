import CSQLite

// Binding resets the statement, because SQLite does not allow changing the parameters of a running one.
extension Statement {
    /// The number of required values, which is the highest parameter number.
    public var parameterCount: Int { bound.count }

    /// Binds a parameter by its number, starting with 1 as in SQL. A nil value is NULL.
    public func bind(_ value: (any SQLValueConvertible)?, at index: Int) throws(SQLiteError) {
        guard (1...max(1, parameterCount)).contains(index), parameterCount > 0 else {
            throw SQLiteError(.unknownParameter("?\(index)"), operation: .bind, sql: sql)
        }
        reset()
        try set(value?.sqlValue ?? .null, at: index)
    }

    /// Binds a parameter by its name without prefix. A nil value is NULL.
    public func bind(_ value: (any SQLValueConvertible)?, to name: String) throws(SQLiteError) {
        reset()
        let value = value?.sqlValue ?? .null
        var found = false
        for index in 0..<parameterCount where parameterName(index + 1) == name {
            try set(value, at: index + 1)
            found = true
        }
        guard found else { throw SQLiteError(.unknownParameter(name), operation: .bind, sql: sql) }
    }

    /// Binds all parameters. There must be exactly one argument for each.
    public func bind(arguments: SQLArguments) throws(SQLiteError) {
        reset()
        switch arguments.storage {
        case .positional(let values):
            guard values.count == parameterCount else {
                let reason = SQLiteError.Reason.argumentCount(expected: parameterCount, given: values.count)
                throw SQLiteError(reason, operation: .bind, sql: sql)
            }
            for (index, value) in values.enumerated() { try set(value, at: index + 1) }
        case .named(let values):
            bound = Array(repeating: false, count: parameterCount)
            var seen: Set<String> = []
            for (name, value) in values {
                guard seen.insert(name).inserted else {
                    throw SQLiteError(.repeatedArgument(name), operation: .bind, sql: sql)
                }
                try bind(value, to: name)
            }
            try requireBindings()
        }
    }

    func requireBindings() throws(SQLiteError) {
        guard let missing = bound.firstIndex(of: false) else { return }
        let reason = SQLiteError.Reason.unboundParameter(index: missing + 1, name: parameterName(missing + 1))
        throw SQLiteError(reason, operation: .bind, sql: sql)
    }

    /// Returns the name without its prefix, or nil for a parameter without a name.
    private func parameterName(_ index: Int) -> String? {
        guard let name = sqlite3_bind_parameter_name(handle, Int32(truncatingIfNeeded: index)) else { return nil }
        let text = String(cString: name)
        return text.first == "?" ? nil : String(text.dropFirst())
    }

    private func set(_ value: SQLValue, at index: Int) throws(SQLiteError) {
        database.lock()
        defer { database.unlock() }
        let parameter = Int32(truncatingIfNeeded: index)
        let code: Int32
        switch value {
        case .integer(let value): code = sqlite3_bind_int64(handle, parameter, value)
        case .real(let value):
            if value.isNaN { throw SQLiteError(.notANumber(parameter: index), operation: .bind, sql: sql) }
            code = sqlite3_bind_double(handle, parameter, value)
        case .text(var value):
            code = value.withUTF8 { csqlite_bind_text(handle, parameter, $0.baseAddress, UInt64($0.count)) }
        case .blob(let value):
            code = value.withUnsafeBytes { csqlite_bind_blob(handle, parameter, $0.baseAddress, UInt64($0.count)) }
        case .null: code = sqlite3_bind_null(handle, parameter)
        }
        guard code == SQLITE_OK else { throw database.failure(code, .bind, sql: sql) }
        bound[index - 1] = true
    }
}
