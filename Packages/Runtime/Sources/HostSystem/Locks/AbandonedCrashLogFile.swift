#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
package import PluginCore

/// The file of a crash log whose process has ended.
package struct AbandonedCrashLogFile {
    /// The first bytes of the file.
    package let bytes: [UInt8]
    /// The time of the last write, in seconds since 1970.
    package let writtenAt: Int64

    /// Reads a file; fails when its process lives, or it isn't a regular file or doesn't exist any longer.
    ///
    /// - Parameter limit: how many bytes are read.
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when the file cannot be read.
    package init?(_ name: EntryName, in folder: borrowing OpenFolder, limit: Int) throws(AtriumError) {
        let path = folder.path.appending(name.words)
        let file = openat(folder.descriptor, name.bytes, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            // It doesn't exist any longer, or is a link or a socket.
            if [ENOENT, ELOOP, ENXIO].contains(errno) { return nil }
            throw FileSystem.failure("opening it", path)
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw FileSystem.failure("reading its attributes", path) }
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        // A shared lock, so that several processes can read at once.
        while flock(file, LOCK_SH | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return nil }
            guard errno == EINTR else { throw FileSystem.failure("locking it", path) }
        }
        bytes = try FileSystem.bytes(file, atMost: limit, of: path)
        writtenAt = Int64(status.st_mtim.tv_sec)
    }
}
