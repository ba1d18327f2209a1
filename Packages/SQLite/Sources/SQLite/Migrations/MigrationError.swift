/// Why a database could not be brought to the program's version. It is whole, at the version it reached.
@frozen public enum MigrationError: Error {
    /// The database has a version that this program does not know: a newer program wrote it (or, if negative, no
    /// program with these migrations). The remedy is to update the program.
    case unknownVersion(Int, known: Int)
    /// The step that leads to `version` failed and was undone.
    case failed(name: String, version: Int, cause: any Error)
    /// The version could not be read.
    case unreadable(SQLiteError)
}

extension MigrationError {
    /// The database's error behind this one, if there is one: ask it for ``SQLiteError/isBusy`` and the like.
    public var sqliteError: SQLiteError? {
        switch self {
        case .unknownVersion: nil
        case .failed(_, _, let cause): cause as? SQLiteError
        case .unreadable(let error): error
        }
    }
}

extension MigrationError: CustomStringConvertible {
    /// One line for a log, with the remedy where there is one.
    public var description: String {
        switch self {
        case .unknownVersion(let version, let known):
            "the database has version \(version), this program knows up to \(known); update the program"
        case .failed(let name, let version, let cause):
            "migration \"\(name)\" to version \(version) failed and was undone: \(cause)"
        case .unreadable(let error): "the database's version cannot be read: \(error)"
        }
    }
}
