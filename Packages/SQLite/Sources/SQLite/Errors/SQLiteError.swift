/// An error that SQLite or this layer reports. In the latter case, the reason says why.
///
/// ```swift
/// do {
///     try database.execute("INSERT INTO plugin (name) VALUES (?)", "shop")
/// } catch {
///     guard error.isBusy else { throw error }
///     print("another process is writing: \(error)")
/// }
/// ```
///
/// Use a `guard`, or an exhaustive list of `catch` clauses: in a function that throws any error, Swift 6.3.1 may crash when it compiles a
/// lone `catch where` after calls with typed throws.
public struct SQLiteError: Error, Hashable, Sendable {
    /// The operation that failed.
    public enum Operation: String, Sendable {
        /// Opening the file and setting its journal mode.
        case open
        /// Compiling SQL text.
        case prepare
        /// Binding a parameter.
        case bind
        /// Running a statement, or fetching its next row.
        case step
        /// Reading a column.
        case read
        /// Beginning, committing or rolling back.
        case transaction
    }

    /// The code of SQLite, extended if there is an extended one, or the nearest one for a rejected call.
    public let code: ResultCode
    /// The operation that failed.
    public let operation: Operation
    /// The message of SQLite, or that of the reason.
    public let message: String
    /// The SQL text, or nil where none was involved.
    public let sql: String?
    /// The path of the database, for errors when opening it.
    public let path: String?
    /// The reason why this layer rejected the call, or nil if SQLite reported the error.
    public let reason: Reason?

    init(code: ResultCode, operation: Operation, message: String? = nil, sql: String? = nil, path: String? = nil) {
        self.code = code
        self.operation = operation
        self.message = message ?? code.phrase
        self.sql = sql
        self.path = path
        self.reason = nil
    }

    init(_ reason: Reason, operation: Operation, sql: String? = nil, path: String? = nil) {
        self.code = reason.code
        self.operation = operation
        self.message = reason.sentence
        self.sql = sql
        self.path = path
        self.reason = reason
    }
}

extension SQLiteError {
    /// A Boolean value that indicates whether another connection held the lock too long. The same call may succeed later.
    public var isBusy: Bool { code.primary == .busy }
    /// A Boolean value that indicates whether the file is damaged or not a database.
    public var isCorrupt: Bool { code.primary == .corrupt || code.primary == .notADatabase }
    /// A Boolean value that indicates whether the disk is full.
    public var isFull: Bool { code.primary == .full }
    /// A Boolean value that indicates whether a read-only connection or file was to be written.
    public var isReadOnly: Bool { code.primary == .readOnly }
    /// A Boolean value that indicates whether a constraint of the schema was violated. The code says which kind.
    public var isConstraint: Bool { code.primary == .constraint }
    /// A Boolean value that indicates whether the file doesn't exist or cannot be opened.
    public var isCannotOpen: Bool { code.primary == .cannotOpen }
}

extension SQLiteError: CustomStringConvertible {
    /// A line for logs: operation, message, code, and the path or SQL text.
    public var description: String {
        let subject = path.map { " at \"\($0)\"" } ?? sql.map { " in: \($0)" } ?? ""
        return "\(operation.rawValue): \(message) (code \(code.rawValue))\(subject)"
    }
}
