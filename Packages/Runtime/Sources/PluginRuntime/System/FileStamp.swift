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
/// that git calls racy.
struct FileStamp: Hashable, Sendable {
    let text: String
    /// When anything of the file was changed last, in nanoseconds since 1970.
    let changed: Int64

    /// The stamp of an open file; `nil` when the system does not tell.
    init?(_ descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The stamp of what lies at a path, without following a link; `nil` when nothing does.
    ///
    /// - Throws: when it can not be known whether something does.
    init?(of path: FilePath) throws(AtriumError) {
        var status = stat()
        guard lstat(path.string, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw FileSystem.failure("looking for it", path)
        }
        self.init(status)
    }

    /// The stamp of a folder, which changes with what is in it; `nil` when there is none.
    init?(ofFolder path: FilePath) {
        var status = stat()
        guard stat(path.string, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
        self.init(status)
    }

    init(_ status: stat) {
        #if canImport(Darwin)
            let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
        #else
            let (modified, changed) = (status.st_mtim, status.st_ctim)
        #endif
        self.changed = Self.nanoseconds(changed)
        text = "\(status.st_dev):\(status.st_ino):\(status.st_size):\(Self.nanoseconds(modified)):\(self.changed)"
    }

    /// Whether a change from now on would show: the clock that files are stamped with ticks at least every ten milliseconds.
    var isSettled: Bool {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Self.nanoseconds(now) - changed > Self.tick
    }

    /// The longest step of that clock, twice, in nanoseconds.
    static let tick: Int64 = 20_000_000

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
