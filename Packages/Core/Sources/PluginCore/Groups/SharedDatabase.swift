/// The place of an SQLite database in an app group, and the settings with which several processes can use it at the same time.
///
/// The SQLite package's `Database` has the same settings by default:
///
/// ```swift
/// let database = try Database(path: group.database(named: "stocks").path.string)
/// ```
///
/// With another library, run ``settings`` on each connection.
public struct SharedDatabase: Hashable, Sendable {
    /// The path of the file. SQLite adds files beside it, whose names start with the same text.
    public let path: FilePath

    /// Creates the place of a database. Hosts and tests call this.
    public init(path: FilePath) {
        self.path = path
    }

    /// The statements to run after opening a connection.
    ///
    /// They let a connection wait for others for up to five seconds, let readers and a writer work at the same time, and keep each
    /// transaction that has been committed, even after a power cut.
    public var settings: [String] {
        ["PRAGMA busy_timeout = 5000", "PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL"]
    }
}
