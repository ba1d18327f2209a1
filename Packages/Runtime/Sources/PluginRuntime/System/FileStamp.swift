#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore

/// What the file system says of a file without reading it. Another one means that the file may have changed; the same one
/// means that it has not, unless somebody wrote into it in the very moment when it was taken.
struct FileStamp: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64
    private let size: Int64
    private let modified: [Int]
    private let changed: [Int]

    /// The stamp of what lies at a path, without following a link; `nil` when nothing does.
    ///
    /// - Throws: when it can not be known whether something does.
    init?(of path: FilePath) throws(AtriumError) {
        var status = stat()
        guard lstat(path.string, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw FileSystem.failure("looking for it", path)
        }
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
        size = Int64(status.st_size)
        #if canImport(Glibc)
            modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
            changed = [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
        #else
            modified = [status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec]
            changed = [status.st_ctimespec.tv_sec, status.st_ctimespec.tv_nsec]
        #endif
    }
}
