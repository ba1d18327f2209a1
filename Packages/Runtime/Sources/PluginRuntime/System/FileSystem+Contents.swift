#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore

extension FileSystem {
    /// What can be read at a path.
    enum Contents {
        /// All of a file, and its stamp from before the first byte was read.
        case file([UInt8], FileStamp)
        /// Something that is no file, or too large a one.
        case other
        case nothing
    }

    /// All that a file of at most `limit` bytes holds. The last component may be no link; never waits.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when it can not be read.
    static func contents(of path: FilePath, limit: Int) throws(AtriumError) -> Contents {
        let descriptor = open(path.string, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT, ENOTDIR: return .nothing
            case ELOOP, ENXIO: return .other
            default: throw failure("opening it", path)
            }
        }
        defer { close(descriptor) }
        guard let size = fileSize(descriptor), size <= limit, let stamp = FileStamp(descriptor) else { return .other }
        return .file(try bytes(descriptor, atMost: size, of: path), stamp)
    }

    /// The size of an open file; `nil` for what is none.
    static func fileSize(_ descriptor: Int32) -> Int? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// The first bytes of an open file, fewer when there are not as many.
    static func bytes(_ descriptor: Int32, atMost limit: Int, of path: FilePath) throws(AtriumError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        var offset = 0
        while offset < limit {
            let count = bytes.withUnsafeMutableBytes {
                pread(
                    descriptor, UnsafeMutableRawBufferPointer(rebasing: $0[offset...]).baseAddress, limit - offset,
                    off_t(offset))
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("reading it", path) }
            if count == 0 { break }
            offset += count
        }
        bytes.removeLast(limit - offset)
        return bytes
    }
}
