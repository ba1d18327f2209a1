import Glibc
package import PluginCore

/// A fingerprint that shows whether a file has changed, without reading it.
///
/// It consists of device, inode, size, and the times of the last change of the content (`st_mtim`) and of the status
/// (`st_ctim`, POSIX 4.9). Every write updates the status time, and no program can set it. Its resolution is limited, however:
/// two writes within one clock step have the same time (Git calls such a file racily clean). ``isStable`` says whether that
/// step is over.
package struct FileStamp: Sendable, Hashable {
    /// The identity of a file: equal for two paths of one file, different for a file that replaced it.
    package struct File: Hashable {
        let device: UInt64
        let inode: UInt64

        init(_ status: stat) {
            device = UInt64(truncatingIfNeeded: status.st_dev)
            inode = UInt64(status.st_ino)
        }
    }

    private struct Fields: Hashable {
        let file: File
        let size: Int64
        /// The times of the last change of the content and of the status, in nanoseconds since 1970.
        let modified: Int64
        let changed: Int64
    }

    private let fields: Fields
    /// A Boolean value that indicates whether any later change of the file alters the stamp.
    ///
    /// It is `false` while the clock step in which the file was last changed isn't over.
    package let isStable: Bool

    /// The stamp's text in the registry.
    package var text: String { "\(file.device):\(file.inode):\(fields.size):\(fields.modified):\(fields.changed)" }

    /// The identity of the stamped file.
    package var file: File { fields.file }

    /// The stamp of an open file.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable`.
    init(_ descriptor: Int32, at path: FilePath) throws(AtriumError) {
        let now = Self.now
        var status = stat()
        try OpenFile.call("readingAttributesFailed", path) { fstat(descriptor, &status) }
        self.init(status, at: now)
    }

    /// Creates the stamp of the item at a path, without following a link.
    ///
    /// - Parameter mustBeFile: whether an item that isn't a regular file is an error.
    /// - Returns: `nil` when nothing is there.
    /// - Throws: as ``FileSystem/status(of:)``.
    package init?(of path: FilePath, mustBeFile: Bool = false) throws(AtriumError) {
        let now = Self.now
        // Only ENOENT means absence, because a file in the place of a folder on the path is a broken sandbox, not an empty one.
        guard let status = try FileSystem.status(of: path, absence: [ENOENT]) else { return nil }
        guard !mustBeFile || status.kind == S_IFREG else {
            throw AtriumError(.inputOutput, path, reason: "notRegularFile")
        }
        self.init(status, at: now)
    }

    /// Creates the stamp of a regular file; as ``init(of:mustBeFile:)``.
    package init?(ofFile path: FilePath) throws(AtriumError) { try self.init(of: path, mustBeFile: true) }

    /// Creates the stamp of a folder, which changes with the folder's entries.
    ///
    /// - Returns: `nil` when there is no such folder.
    package init?(ofFolder path: FilePath) {
        let now = Self.now
        var status = stat()
        guard stat(path.string, &status) == 0, status.kind == S_IFDIR else { return nil }
        self.init(status, at: now)
    }

    /// Creates a stamp from a file's status.
    ///
    /// - Parameters:
    ///   - status: the status of the file.
    ///   - now: the time before the status was read.
    init(_ status: stat, at now: Int64) {
        let (modified, changed) = (status.st_mtim, status.st_ctim)
        fields = Fields(
            file: File(status), size: Int64(status.st_size), modified: Self.nanoseconds(modified),
            changed: Self.nanoseconds(changed))
        let isWhole = modified.tv_nsec == 0 && changed.tv_nsec == 0
        isStable = now - fields.changed > (isWhole ? Self.coarseStep + Self.tick : Self.tick)
    }

    /// The current time of the clock that stamps files, or at most one step ahead of it, in nanoseconds since 1970.
    static var now: Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return nanoseconds(now)
    }

    /// Twice the longest step of that clock, in nanoseconds: it ticks at least every ten milliseconds.
    private static let tick: Int64 = 20_000_000

    /// The longest step of a file system that stores whole seconds only, in nanoseconds.
    ///
    /// Ext4 with small inodes has a step of one second, FAT of two. On such a file system both times are whole seconds;
    /// elsewhere hardly ever.
    private static let coarseStep: Int64 = 2_000_000_000

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    package static func == (one: Self, other: Self) -> Bool { one.fields == other.fields }

    package func hash(into hasher: inout Hasher) { hasher.combine(fields) }
}
