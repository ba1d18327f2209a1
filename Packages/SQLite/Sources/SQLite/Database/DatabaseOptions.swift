/// The options for opening a database. The defaults are safe: a missing file is created, with a write-ahead log and full sync.
public struct DatabaseOptions: Hashable, Sendable {
    /// The permitted access to the file.
    public enum Access: Sendable {
        /// Read an existing file. A file in WAL mode still needs a writable folder for its shared-memory file.
        case readOnly
        /// Read and write an existing file. Opening a write-protected file fails.
        case readWrite
        /// Read and write, and create a missing file. Its folder must exist.
        case create
    }

    /// The times at which SQLite waits for the disk.
    ///
    /// See <https://www.sqlite.org/pragma.html#pragma_synchronous>.
    public enum Synchronous: String, Sendable {
        /// Never. A power cut may damage the file.
        case off
        /// At checkpoints. In WAL mode, a power cut may lose the last commits but damages nothing.
        case normal
        /// At every commit. Committed changes survive a power cut.
        case full
        /// At every commit, and also for the folder of the journal, which matters only outside WAL mode.
        case extra
    }

    /// The journal mode, which makes transactions atomic.
    public enum Journal: Sendable {
        /// A write-ahead log: readers and one writer do not wait for each other. The mode is stored in the file.
        case writeAheadLog
        /// The mode of the file. A new file gets SQLite's rollback journal.
        case unchanged
    }

    /// The permitted access. The default is to read, write and create the file.
    public var access: Access = .create
    /// The maximum time to wait for a locked database before a call fails as busy. The default is 5 seconds.
    ///
    /// The time is counted in whole milliseconds. Zero or less does not wait.
    public var busyTimeout: Duration = .seconds(5)
    /// The times at which SQLite waits for the disk. The default is every commit.
    public var synchronous: Synchronous = .full
    /// The journal of a database that is opened for writing. The default is a write-ahead log.
    public var journal: Journal = .writeAheadLog
    /// The maximum number of idle prepared statements in the cache. The default is 32.
    public var statementCacheCapacity: Int = 32

    /// Creates the default options.
    public init() {}

    /// The default options for a connection that only reads.
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
