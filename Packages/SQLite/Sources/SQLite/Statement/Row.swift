import CSQLite

/// The current row of a statement, seen only where it is valid: it cannot be kept.
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

    /// How many columns the row has.
    public var columnCount: Int { Int(sqlite3_column_count(handle)) }

    /// The columns' names, from left to right; give computed ones a name with `AS`.
    public var columnNames: [String] { (0..<columnCount).map { columnName($0) } }

    /// The value in a column, counted from 0, converted to the type asked for.
    ///
    /// - Throws: ``SQLiteError`` with the ``Refusal``: no row, no such column, or a value that is none of the type.
    public subscript<Value: SQLValueConvertible>(index: Int, as type: Value.Type = Value.self) -> Value {
        get throws(SQLiteError) {
            let value = try value(at: index)
            guard let converted = Value(sqlValue: value) else {
                throw refuse(
                    .columnType(
                        column: index, name: columnName(index), expected: "\(type)", found: value.storageClass))
            }
            return converted
        }
    }

    /// The value in the column with this name, converted to the type asked for; of several, the leftmost.
    ///
    /// - Throws: ``SQLiteError`` with the ``Refusal``: no row, no such column, or a value that is none of the type.
    public subscript<Value: SQLValueConvertible>(name: String, as type: Value.Type = Value.self) -> Value {
        get throws(SQLiteError) {
            guard let index = (0..<columnCount).first(where: { columnName($0) == name }) else {
                throw refuse(.unknownColumn(name, available: columnNames))
            }
            return try self[index, as: type]
        }
    }

    /// The value in a column, counted from 0, as it is stored.
    ///
    /// - Throws: ``SQLiteError`` when there is no row or no such column, or the text in it is not UTF-8.
    public func value(at index: Int) throws(SQLiteError) -> SQLValue {
        database.lock()
        defer { database.unlock() }
        let count = Int(sqlite3_data_count(handle))
        guard count > 0 else { throw refuse(.noRow) }
        guard (0..<count).contains(index) else { throw refuse(.columnOutOfRange(index: index, count: count)) }
        let column = Int32(truncatingIfNeeded: index)
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, column))
        case SQLITE_TEXT:
            // The pointer first: asking for it settles the encoding that the byte count is in.
            guard let start = sqlite3_column_text(handle, column) else { throw outOfMemory }
            let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw refuse(.invalidText(column: index, name: columnName(index)))
            }
            return .text(text)
        case SQLITE_BLOB:
            // Null for the empty blob.
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

    private func refuse(_ refusal: Refusal) -> SQLiteError {
        SQLiteError(refusal, operation: .read, sql: sql)
    }

    private var outOfMemory: SQLiteError {
        SQLiteError(code: .noMemory, operation: .read, sql: sql)
    }
}
