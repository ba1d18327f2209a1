import CSQLite

/// The column names of a statement, which are read once in each run and not once for each row.
final class ColumnNames {
    private var names: [String]?

    /// Returns the index of the leftmost column with a name, or nil if there is none.
    func index(of name: String, in handle: OpaquePointer) -> Int? {
        if let names { return names.firstIndex(of: name) }
        let names = Self.names(of: handle)
        self.names = names
        return names.firstIndex(of: name)
    }

    /// Forgets the names before a run, because SQLite recompiles a statement whose tables have changed.
    func invalidate() {
        names = nil
    }

    /// Returns the names of the columns from left to right.
    static func names(of handle: OpaquePointer) -> [String] {
        (0..<sqlite3_column_count(handle)).map { index in
            sqlite3_column_name(handle, index).map { String(cString: $0) } ?? ""
        }
    }
}
