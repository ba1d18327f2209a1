#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore

/// What tells a file that has not been touched from one that has, without reading it: device, inode, size, and the times of
/// the last change of content and of anything.
///
/// No program can set the time of the last change of anything (`st_ctim`, POSIX 4.9); every write moves it. It moves in
/// steps, though, so a stamp is worth something only once the step in which the file was last changed is over: the problem
/// that git calls racy. How long a step is depends on the file system, and so is told by the times that it has.
struct FileStamp: Sendable {
    /// The same for two paths of one file, and another for a file that took its place.
    struct File: Hashable {
        let device: UInt64
        let inode: UInt64
    }

    private struct Fields: Hashable {
        let file: File
        let size: Int64
        /// When the content, and when anything was changed last, in nanoseconds since 1970.
        let modified: Int64
        let changed: Int64
    }

    private let fields: Fields
    /// A Boolean value that indicates whether a change since the stamp was taken shows: the step in which the file was last changed is over.
    let isSettled: Bool

    /// As it is written down.
    var text: String { "\(file.device):\(file.inode):\(fields.size):\(fields.modified):\(fields.changed)" }

    /// Which file it is of, whatever becomes of that.
    var file: File { fields.file }

    /// The stamp of an open file.
    ///
    /// - Throws: as ``FileSystem/status(of:at:)``.
    init(_ descriptor: Int32, at path: FilePath) throws(AtriumError) {
        let now = Self.now
        self.init(try FileSystem.status(of: descriptor, at: path), at: now)
    }

    /// What is stamped decides what is installed and trusted: with a file in its folder's place a sandbox is broken, and not empty.
    private static let absence = [ENOENT]

    /// The stamp of what lies at a path, without following a link; `nil` when nothing does.
    ///
    /// - Throws: as ``FileSystem/status(of:)``.
    init?(of path: FilePath) throws(AtriumError) {
        let now = Self.now
        guard let status = try FileSystem.status(of: path, absence: Self.absence) else { return nil }
        self.init(status, at: now)
    }

    /// The stamp of a file, and of nothing else; `nil` when nothing is there.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` for what is no file, and when it cannot be known what lies there.
    init?(ofFile path: FilePath) throws(AtriumError) {
        let now = Self.now
        guard let status = try FileSystem.status(of: path, absence: Self.absence) else { return nil }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw AtriumError(.inputOutput, path.string, detail: "it is no file")
        }
        self.init(status, at: now)
    }

    /// The stamp of a folder, which changes with what is in it; `nil` when there is none.
    init?(ofFolder path: FilePath) {
        let now = Self.now
        var status = stat()
        guard stat(path.string, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
        self.init(status, at: now)
    }

    /// - Parameters:
    ///   - status: what the system has said.
    ///   - now: the time before it was asked.
    init(_ status: stat, at now: Int64) {
        #if canImport(Darwin)
            let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
        #else
            let (modified, changed) = (status.st_mtim, status.st_ctim)
        #endif
        fields = Fields(
            file: File(device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino)),
            size: Int64(status.st_size), modified: Self.nanoseconds(modified), changed: Self.nanoseconds(changed))
        let isWhole = modified.tv_nsec == 0 && changed.tv_nsec == 0
        isSettled = now - fields.changed > (isWhole ? Self.coarseStep + Self.tick : Self.tick)
    }

    /// The time by the clock that files are stamped with, or one that is ahead of it by a step, in nanoseconds since 1970.
    static var now: Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return nanoseconds(now)
    }

    /// The longest step of that clock, twice, in nanoseconds: it ticks at least every ten milliseconds.
    private static let tick: Int64 = 20_000_000

    /// The longest step of a file system that keeps whole seconds alone, in nanoseconds: ext4 with small inodes has one, FAT
    /// has two. Both times are whole there, and elsewhere hardly ever.
    private static let coarseStep: Int64 = 2_000_000_000

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}

extension FileStamp: Hashable {
    static func == (one: FileStamp, other: FileStamp) -> Bool { one.fields == other.fields }

    func hash(into hasher: inout Hasher) { hasher.combine(fields) }
}
