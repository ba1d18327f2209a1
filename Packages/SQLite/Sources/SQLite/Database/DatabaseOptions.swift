/// How a database is opened. The defaults are safe ones: created when missing, write-ahead log, synced at every commit.
public struct DatabaseOptions: Hashable, Sendable {
    /// What the connection may do with the file.
    public enum Access: Sendable {
        /// Read an existing file. A file in WAL mode still needs a place for its `-shm` file beside it.
        case readOnly
        /// Read and write an existing file; refused where only reading is possible.
        case readWrite
        /// Read and write, and create the file when it is missing. Its folder must exist.
        case create
    }

    /// When SQLite waits for the disk: <https://www.sqlite.org/pragma.html#pragma_synchronous>.
    public enum Synchronous: String, Sendable {
        /// Never: a power cut may damage the file.
        case off
        /// At checkpoints: in WAL mode a power cut may lose the last commits, and damages nothing.
        case normal
        /// At every commit: what was committed stays.
        case full
        /// As `full`, and the journal's folder too, which matters outside WAL mode only.
        case extra
    }

    /// How a transaction is made atomic.
    public enum Journal: Sendable {
        /// A write-ahead log: readers and one writer do not wait for each other. Stays on with the file.
        case writeAheadLog
        /// Whatever the file has; a new one gets SQLite's rollback journal.
        case unchanged
    }

    /// What the connection may do; by default ``Access/create``.
    public var access: Access = .create
    /// How long a locked database is waited for before a call fails as busy: 5 s by default, counted in whole
    /// milliseconds; zero or less does not wait.
    public var busyTimeout: Duration = .seconds(5)
    /// When SQLite waits for the disk; by default ``Synchronous/full``.
    public var synchronous: Synchronous = .full
    /// The journal of a database opened for writing; by default ``Journal/writeAheadLog``.
    public var journal: Journal = .writeAheadLog
    /// How many idle prepared statements are kept for the next call with the same SQL text; by default 32.
    public var statementCacheCapacity: Int = 32

    /// The defaults; change what differs.
    public init() {}

    /// The defaults, for a connection that only reads.
    public static var readOnly: DatabaseOptions {
        var options = DatabaseOptions()
        options.access = .readOnly
        return options
    }
}

extension DatabaseOptions {
    var busyMilliseconds: Int32 {
        let milliseconds = busyTimeout / .milliseconds(1)
        return milliseconds >= Double(Int32.max) ? .max : Int32(max(0, milliseconds))
    }
}
