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
public struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
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
        reason = nil
    }

    init(_ reason: Reason, operation: Operation, sql: String? = nil, path: String? = nil) {
        code = reason.code
        self.operation = operation
        message = reason.sentence
        self.sql = sql
        self.path = path
        self.reason = reason
    }

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

    /// A line for logs: operation, message, code, and the path or SQL text.
    public var description: String {
        let subject = path.map { " at \"\($0)\"" } ?? sql.map { " in: \($0)" } ?? ""
        return "\(operation.rawValue): \(message) (code \(code.rawValue))\(subject)"
    }
}

extension SQLiteError {
    /// The reason why this layer rejected a call that SQLite would have answered by guessing, truncating or substituting NULL.
    public enum Reason: Hashable, Sendable {
        /// The number of arguments differs from the number of parameters.
        case argumentCount(expected: Int, given: Int)
        /// The argument is not a number, for which SQLite would store NULL.
        case notANumber(parameter: Int)
        /// The column index is out of range.
        case columnOutOfRange(index: Int, count: Int)
        /// The result has no column with that name. The available names are listed.
        case unknownColumn(String, available: [String])
        /// The storage class of the column cannot be converted to the expected type.
        case columnType(column: Int, name: String, expected: String, found: StorageClass)
        /// The column contains text that is not valid UTF-8.
        case invalidText(column: Int, name: String)
        /// The SQL text contains more than the one statement that was expected.
        ///
        /// See ``Database/execute(script:)``.
        case severalStatements
        /// The SQL text contains only whitespace or comments.
        case noStatement
        /// A path or SQL text contains a NUL, at which C would stop reading.
        case embeddedNUL
        /// The path is empty, which SQLite would treat as a temporary database.
        case emptyPath
        /// The transaction ended before its closure: SQLite rolled it back after an error, or it was ended manually.
        case transactionLost
        /// The file system does not support write-ahead logging. The mode that SQLite kept is given.
        case journalMode(found: String)
    }
}

/// The storage classes of SQLite.
///
/// See <https://www.sqlite.org/datatype3.html>.
@frozen public enum StorageClass: String, Hashable, Sendable, CaseIterable {
    /// A signed integer of up to 64 bits.
    case integer
    /// An IEEE 754 double.
    case real
    /// Text in UTF-8.
    case text
    /// Bytes.
    case blob
    /// The absence of a value.
    case null
}

extension SQLiteError.Reason {
    /// The nearest result code of SQLite.
    var code: ResultCode {
        switch self {
        case .argumentCount, .columnOutOfRange, .unknownColumn: .range
        case .notANumber, .columnType, .invalidText: .mismatch
        case .emptyPath, .journalMode: .cannotOpen
        case .transactionLost: .abort
        case .severalStatements, .noStatement, .embeddedNUL: .misuse
        }
    }

    var sentence: String {
        switch self {
        case .argumentCount(let expected, let given): "expected \(expected) arguments, got \(given)"
        case .notANumber(let parameter): "parameter \(parameter) is not a number, which SQLite cannot store"
        case .columnOutOfRange(let index, let count): "column \(index) was read, the row has \(count)"
        case .unknownColumn(let name, let available):
            "there is no column \"\(name)\"; expected one of \(available.joined(separator: ", "))"
        case .columnType(let column, let name, let expected, let found):
            "column \(column) (\(name)) holds \(found.rawValue), not \(expected)"
        case .invalidText(let column, let name): "column \(column) (\(name)) holds text that is not UTF-8"
        case .severalStatements: "the text holds more than one statement; run it as a script"
        case .noStatement: "the text holds no statement"
        case .embeddedNUL: "the text holds a NUL"
        case .emptyPath: "the path is empty"
        case .transactionLost: "the transaction had ended before its closure did"
        case .journalMode(let found): "write-ahead logging is not available here; the journal mode stays \"\(found)\""
        }
    }
}
