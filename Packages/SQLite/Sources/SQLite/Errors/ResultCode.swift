import CSQLite

/// A result code of SQLite, extended where SQLite has one: <https://www.sqlite.org/rescode.html>.
///
/// The set is open, since newer versions of SQLite add codes. The lower eight bits are the ``primary`` code.
public struct ResultCode: RawRepresentable, Hashable, Sendable {
    /// The number as `sqlite3_extended_errcode` reports it.
    public let rawValue: Int32

    /// Wraps a number as it came from SQLite; any number is accepted.
    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The code without its extension: `busySnapshot.primary == busy`.
    public var primary: ResultCode { ResultCode(rawValue: rawValue & 0xFF) }
}

extension ResultCode {
    /// Any failure without a code of its own, syntax errors among them.
    public static let error = ResultCode(rawValue: SQLITE_ERROR)
    /// SQLite contradicted itself, or the file is damaged.
    public static let `internal` = ResultCode(rawValue: SQLITE_INTERNAL)
    /// The operating system refused access to the file.
    public static let permission = ResultCode(rawValue: SQLITE_PERM)
    /// The statement was aborted, usually by a rollback.
    public static let abort = ResultCode(rawValue: SQLITE_ABORT)
    /// Another connection holds the lock, and still held it after the busy timeout.
    public static let busy = ResultCode(rawValue: SQLITE_BUSY)
    /// A statement of this very connection holds the lock.
    public static let locked = ResultCode(rawValue: SQLITE_LOCKED)
    /// Memory ran out.
    public static let noMemory = ResultCode(rawValue: SQLITE_NOMEM)
    /// The database, or this connection to it, only reads.
    public static let readOnly = ResultCode(rawValue: SQLITE_READONLY)
    /// The statement was interrupted.
    public static let interrupted = ResultCode(rawValue: SQLITE_INTERRUPT)
    /// The operating system reported an I/O error.
    public static let ioError = ResultCode(rawValue: SQLITE_IOERR)
    /// The content of the file is damaged.
    public static let corrupt = ResultCode(rawValue: SQLITE_CORRUPT)
    /// No room is left on the disk.
    public static let full = ResultCode(rawValue: SQLITE_FULL)
    /// The file could not be opened.
    public static let cannotOpen = ResultCode(rawValue: SQLITE_CANTOPEN)
    /// The schema changed under a statement more often than SQLite retries.
    public static let schema = ResultCode(rawValue: SQLITE_SCHEMA)
    /// A value or the SQL text is larger than SQLite's limit.
    public static let tooBig = ResultCode(rawValue: SQLITE_TOOBIG)
    /// A constraint of the schema was violated.
    public static let constraint = ResultCode(rawValue: SQLITE_CONSTRAINT)
    /// A value has the wrong type.
    public static let mismatch = ResultCode(rawValue: SQLITE_MISMATCH)
    /// The library was used in a way it does not support.
    public static let misuse = ResultCode(rawValue: SQLITE_MISUSE)
    /// A parameter or column that does not exist.
    public static let range = ResultCode(rawValue: SQLITE_RANGE)
    /// The file is no SQLite database.
    public static let notADatabase = ResultCode(rawValue: SQLITE_NOTADB)
}

// Extended codes: `primary | (number << 8)`, as sqlite3.h spells them.
extension ResultCode {
    /// A read transaction could not become a write transaction, because another connection wrote meanwhile.
    ///
    /// Waiting cannot help, so SQLite reports it at once; begin the transaction as `.immediate` instead.
    public static let busySnapshot = ResultCode(rawValue: SQLITE_BUSY | (2 << 8))
    /// A `CHECK` constraint.
    public static let constraintCheck = ResultCode(rawValue: SQLITE_CONSTRAINT | (1 << 8))
    /// A foreign key constraint.
    public static let constraintForeignKey = ResultCode(rawValue: SQLITE_CONSTRAINT | (3 << 8))
    /// A `NOT NULL` constraint.
    public static let constraintNotNull = ResultCode(rawValue: SQLITE_CONSTRAINT | (5 << 8))
    /// A `PRIMARY KEY` constraint.
    public static let constraintPrimaryKey = ResultCode(rawValue: SQLITE_CONSTRAINT | (6 << 8))
    /// A `UNIQUE` constraint.
    public static let constraintUnique = ResultCode(rawValue: SQLITE_CONSTRAINT | (8 << 8))
}

extension ResultCode: CustomStringConvertible {
    /// SQLite's English phrase for the code, with the number: `database is locked (5)`.
    public var description: String { "\(phrase) (\(rawValue))" }

    var phrase: String {
        guard let phrase = sqlite3_errstr(rawValue) else { return "unknown error" }
        return String(cString: phrase)
    }
}
