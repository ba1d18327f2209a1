import CSQLite

/// The current row of a statement, which cannot be stored and is accessible only while it is valid.
///
/// ```swift
/// let plugins = try database.query("SELECT name, version FROM plugin") { row in
///     (name: try row["name", as: String.self], version: try row["version", as: Int?.self])
/// }
/// ```
public struct Row: ~Copyable {
    let database: Database
    let handle: OpaquePointer
    let sql: String

    /// The number of columns.
    public var columnCount: Int { Int(sqlite3_column_count(handle)) }

    /// The names of the columns from left to right. Use an alias to name a computed column.
    public var columnNames: [String] { (0..<columnCount).map { columnName($0) } }

    /// Returns the value of a column by index, starting with 0, converted to a type.
    ///
    /// - Throws: ``SQLiteError`` with a reason if there is no such column, or if the value cannot be converted.
    public subscript<Value: SQLValueConvertible>(index: Int, as type: Value.Type = Value.self) -> Value {
        get throws(SQLiteError) {
            let value = try value(at: index)
            guard let converted = Value(sqlValue: value) else {
                throw error(
                    .columnType(
                        column: index, name: columnName(index), expected: "\(type)", found: value.storageClass))
            }
            return converted
        }
    }

    /// Returns the value of the leftmost column with a name, converted to a type.
    ///
    /// - Throws: ``SQLiteError`` with a reason if there is no such column, or if the value cannot be converted.
    public subscript<Value: SQLValueConvertible>(name: String, as type: Value.Type = Value.self) -> Value {
        get throws(SQLiteError) {
            guard let index = (0..<columnCount).first(where: { columnName($0) == name }) else {
                throw error(.unknownColumn(name, available: columnNames))
            }
            return try self[index, as: type]
        }
    }

    /// Returns the unconverted value of a column by index, starting with 0.
    ///
    /// - Throws: ``SQLiteError`` if there is no such column, or if its text is not UTF-8.
    public func value(at index: Int) throws(SQLiteError) -> SQLValue {
        database.lock()
        defer { database.unlock() }
        let count = Int(sqlite3_data_count(handle))
        guard (0..<count).contains(index) else { throw error(.columnOutOfRange(index: index, count: count)) }
        let column = Int32(truncatingIfNeeded: index)
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, column))
        case SQLITE_TEXT:
            // The pointer must be requested first, because this determines the encoding that the byte count refers to.
            guard let start = sqlite3_column_text(handle, column) else { throw outOfMemory }
            let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw error(.invalidText(column: index, name: columnName(index)))
            }
            return .text(text)
        case SQLITE_BLOB:
            // The pointer is null for an empty blob.
            let start = sqlite3_column_blob(handle, column)
            let count = Int(sqlite3_column_bytes(handle, column))
            if start == nil && count > 0 { throw outOfMemory }
            return .blob(Array(UnsafeRawBufferPointer(start: start, count: count)))
        default: return .null
        }
    }

    private func columnName(_ index: Int) -> String {
        sqlite3_column_name(handle, Int32(truncatingIfNeeded: index)).map { String(cString: $0) } ?? ""
    }

    private func error(_ reason: SQLiteError.Reason) -> SQLiteError {
        SQLiteError(reason, operation: .read, sql: sql)
    }

    private var outOfMemory: SQLiteError {
        SQLiteError(code: .noMemory, operation: .read, sql: sql)
    }
}
