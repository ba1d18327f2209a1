/// What this layer refused by itself, where SQLite would have guessed, truncated or substituted NULL.
public enum Refusal: Hashable, Sendable {
    /// The statement has `expected` parameters and was given `given` arguments.
    case argumentCount(expected: Int, given: Int)
    /// The statement was to run while the parameter at `index` (from 1) had no value.
    case unboundParameter(index: Int, name: String?)
    /// An argument's name, or number written out, that no parameter has.
    case unknownParameter(String)
    /// Two arguments with one name.
    case repeatedArgument(String)
    /// Not a number: SQLite would store NULL.
    case notANumber(parameter: Int)
    /// A column was read before the first or after the last row.
    case noRow
    /// A column index outside `0..<count`.
    case columnOutOfRange(index: Int, count: Int)
    /// A column name that the result does not have; `available` lists those it has.
    case unknownColumn(String, available: [String])
    /// The column holds a value of storage class `found`, from which no `expected` can be made.
    case columnType(column: Int, name: String, expected: String, found: StorageClass)
    /// The column holds text that is not valid UTF-8.
    case invalidText(column: Int, name: String)
    /// One statement was asked for, and the SQL text holds more; see ``Database/execute(script:)``.
    case severalStatements
    /// The SQL text holds no statement, only blanks or comments.
    case noStatement
    /// A NUL in a path or in SQL text, where C would stop reading.
    case embeddedNUL
    /// The empty path, which SQLite would take for a temporary database.
    case emptyPath
    /// The transaction ended before its closure did: rolled back by SQLite after an error, or ended by hand.
    case transactionLost
    /// The file system cannot do write-ahead logging; `found` is the mode SQLite kept.
    case journalMode(found: String)
    /// The system's SQLite was built without threads.
    case notThreadSafe
}

/// The five storage classes of SQLite: <https://www.sqlite.org/datatype3.html>.
@frozen public enum StorageClass: String, Hashable, Sendable, CaseIterable {
    /// A signed integer of up to 64 bits.
    case integer
    /// An IEEE 754 double.
    case real
    /// Text, here always UTF-8.
    case text
    /// Bytes.
    case blob
    /// The absence of a value.
    case null
}

extension Refusal {
    /// The nearest code of SQLite's own.
    var code: ResultCode {
        switch self {
        case .argumentCount, .unknownParameter, .columnOutOfRange, .unknownColumn: .range
        case .notANumber, .columnType, .invalidText: .mismatch
        case .emptyPath, .notThreadSafe, .journalMode: .cannotOpen
        case .transactionLost: .abort
        case .unboundParameter, .repeatedArgument, .noRow, .severalStatements, .noStatement, .embeddedNUL: .misuse
        }
    }

    var sentence: String {
        switch self {
        case .argumentCount(let expected, let given): "\(expected) arguments are needed, \(given) were given"
        case .unboundParameter(let index, let name): "parameter \(name ?? "?\(index)") has no value"
        case .unknownParameter(let name): "no parameter is called \"\(name)\""
        case .repeatedArgument(let name): "two arguments are called \"\(name)\""
        case .notANumber(let parameter): "parameter \(parameter) is not a number, which SQLite cannot store"
        case .noRow: "there is no current row"
        case .columnOutOfRange(let index, let count): "column \(index) was read, the row has \(count)"
        case .unknownColumn(let name, let available):
            "no column is called \"\(name)\"; there are \(available.joined(separator: ", "))"
        case .columnType(let column, let name, let expected, let found):
            "column \(column) (\(name)) holds \(found.rawValue), which is no \(expected)"
        case .invalidText(let column, let name): "column \(column) (\(name)) holds text that is not UTF-8"
        case .severalStatements: "the text holds more than one statement; run it as a script"
        case .noStatement: "the text holds no statement"
        case .embeddedNUL: "the text holds a NUL"
        case .emptyPath: "the path is empty"
        case .transactionLost: "the transaction had ended before its closure did"
        case .journalMode(let found): "write-ahead logging is not possible here, the journal stays \"\(found)\""
        case .notThreadSafe: "the system's SQLite was built without threads"
        }
    }
}
