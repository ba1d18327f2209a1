/// A failure reported by SQLite, or by this layer in its place (then ``refusal`` says which).
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
/// Write the `guard`, or an exhaustive list of `catch` clauses: in a function that throws any error, Swift 6.3.1 may
/// crash when it compiles a lone `catch where` after calls with typed throws.
public struct SQLiteError: Error, Hashable, Sendable {
    /// What was being done when the failure came.
    public enum Operation: String, Sendable {
        /// Opening the file and settling its journal.
        case open
        /// Compiling SQL text.
        case prepare
        /// Giving a parameter its value.
        case bind
        /// Running a statement, or fetching its next row.
        case step
        /// Reading a column.
        case read
        /// Beginning, committing or rolling back.
        case transaction
    }

    /// SQLite's code, extended where there is one; for a ``refusal`` the nearest code of SQLite's own.
    public let code: ResultCode
    /// What was being done.
    public let operation: Operation
    /// SQLite's sentence about the cause, or the refusal's.
    public let message: String
    /// The SQL text, or nil where none was involved.
    public let sql: String?
    /// The path given to `Database(path:)`, for failures of ``Operation/open``.
    public let path: String?
    /// Set when this layer refused, and SQLite was not asked or had not complained.
    public let refusal: Refusal?

    init(code: ResultCode, operation: Operation, message: String? = nil, sql: String? = nil, path: String? = nil) {
        self.code = code
        self.operation = operation
        self.message = message ?? code.phrase
        self.sql = sql
        self.path = path
        self.refusal = nil
    }

    init(_ refusal: Refusal, operation: Operation, sql: String? = nil, path: String? = nil) {
        self.code = refusal.code
        self.operation = operation
        self.message = refusal.sentence
        self.sql = sql
        self.path = path
        self.refusal = refusal
    }
}

extension SQLiteError {
    /// Another connection held the lock longer than the busy timeout; the same call may succeed later.
    public var isBusy: Bool { code.primary == .busy }
    /// The file is damaged, or no database at all.
    public var isCorrupt: Bool { code.primary == .corrupt || code.primary == .notADatabase }
    /// The disk is full.
    public var isFull: Bool { code.primary == .full }
    /// Something was to be written through a connection, or into a file, that only reads.
    public var isReadOnly: Bool { code.primary == .readOnly }
    /// The schema forbids the change; ``code`` says by which kind of constraint.
    public var isConstraint: Bool { code.primary == .constraint }
    /// The file does not exist or may not be opened.
    public var isCannotOpen: Bool { code.primary == .cannotOpen }
}

extension SQLiteError: CustomStringConvertible {
    /// One line for a log: operation, message, code, and the path or SQL text.
    public var description: String {
        let subject = path.map { " at \"\($0)\"" } ?? sql.map { " in: \($0)" } ?? ""
        return "\(operation.rawValue): \(message) (code \(code.rawValue))\(subject)"
    }
}
