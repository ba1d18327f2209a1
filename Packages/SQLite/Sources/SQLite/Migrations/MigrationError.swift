/// The reason why a database could not be migrated. The database is consistent, at the version that it reached.
@frozen public enum MigrationError: Error {
    /// The database has a version that this program doesn't know, because a newer program has written it.
    ///
    /// A negative version was written by a program without these migrations. The remedy is to update the program.
    case unknownVersion(Int, known: Int)
    /// The step to a version failed and was rolled back.
    case failed(name: String, version: Int, cause: any Error)
    /// The version could not be read.
    case unreadable(SQLiteError)
}

extension MigrationError {
    /// The underlying database error, if there is one.
    public var sqliteError: SQLiteError? {
        switch self {
        case .unknownVersion: nil
        case .failed(_, _, let cause): cause as? SQLiteError
        case .unreadable(let error): error
        }
    }
}

extension MigrationError: CustomStringConvertible {
    /// A line for logs, with the remedy if there is one.
    public var description: String {
        switch self {
        case .unknownVersion(let version, let known):
            "the database has version \(version), but this program supports only versions up to \(known); "
                + "update the program"
        case .failed(let name, let version, let cause):
            "migration \"\(name)\" to version \(version) failed and was undone: \(cause)"
        case .unreadable(let error): "the database's version cannot be read: \(error)"
        }
    }
}
