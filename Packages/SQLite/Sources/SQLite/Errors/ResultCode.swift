import CSQLite

/// A result code of SQLite, extended if SQLite has an extended one.
///
/// See <https://www.sqlite.org/rescode.html>. Newer versions of SQLite may add codes. The lower eight bits are the ``primary`` code.
public struct ResultCode: RawRepresentable, Hashable, Sendable {
    /// The number that SQLite reports.
    public let rawValue: Int32

    /// Creates a code from any number of SQLite.
    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The code without its extension.
    public var primary: ResultCode { Self(rawValue: rawValue & 0xFF) }

    /// The statement was aborted, usually by a rollback.
    public static let abort = Self(rawValue: SQLITE_ABORT)
    /// Another connection held the lock longer than the busy timeout.
    public static let busy = Self(rawValue: SQLITE_BUSY)
    /// Memory ran out.
    public static let noMemory = Self(rawValue: SQLITE_NOMEM)
    /// The database, or this connection to it, is read-only.
    public static let readOnly = Self(rawValue: SQLITE_READONLY)
    /// The operating system reported an I/O error.
    public static let ioError = Self(rawValue: SQLITE_IOERR)
    /// The content of the file is damaged.
    public static let corrupt = Self(rawValue: SQLITE_CORRUPT)
    /// The disk is full.
    public static let full = Self(rawValue: SQLITE_FULL)
    /// The file could not be opened.
    public static let cannotOpen = Self(rawValue: SQLITE_CANTOPEN)
    /// A value or the SQL text is larger than SQLite's limit.
    public static let tooBig = Self(rawValue: SQLITE_TOOBIG)
    /// A constraint of the schema was violated.
    public static let constraint = Self(rawValue: SQLITE_CONSTRAINT)
    /// A value has the wrong type.
    public static let mismatch = Self(rawValue: SQLITE_MISMATCH)
    /// The library was used in an unsupported way.
    public static let misuse = Self(rawValue: SQLITE_MISUSE)
    /// A parameter or column doesn't exist.
    public static let range = Self(rawValue: SQLITE_RANGE)
    /// The file is not an SQLite database.
    public static let notADatabase = Self(rawValue: SQLITE_NOTADB)
}

// Extended codes: `primary | (number << 8)`, as sqlite3.h spells them.
extension ResultCode {
    /// A read transaction could not become a write transaction, because another connection has written in the meantime.
    ///
    /// Waiting cannot help, so SQLite reports it immediately. Begin the transaction as `.immediate` instead.
    public static let busySnapshot = Self(rawValue: SQLITE_BUSY | (2 << 8))
    /// A check constraint was violated.
    public static let constraintCheck = Self(rawValue: SQLITE_CONSTRAINT | (1 << 8))
    /// A foreign key constraint was violated.
    public static let constraintForeignKey = Self(rawValue: SQLITE_CONSTRAINT | (3 << 8))
    /// A not-null constraint was violated.
    public static let constraintNotNull = Self(rawValue: SQLITE_CONSTRAINT | (5 << 8))
    /// A primary key constraint was violated.
    public static let constraintPrimaryKey = Self(rawValue: SQLITE_CONSTRAINT | (6 << 8))
    /// A unique constraint was violated.
    public static let constraintUnique = Self(rawValue: SQLITE_CONSTRAINT | (8 << 8))
}

extension ResultCode: CustomStringConvertible {
    /// SQLite's English phrase for the code with its number, such as database is locked, 5.
    public var description: String { "\(phrase) (\(rawValue))" }

    var phrase: String { sqlite3_errstr(rawValue).map { String(cString: $0) } ?? "unknown error" }
}
