import Glibc
package import PluginCore

extension FileSystem {
    /// The result of reading a file of limited size.
    package enum Contents {
        /// The whole content, and the file's stamp from before the first byte was read.
        case file([UInt8], FileStamp)
        /// The item isn't a regular file, or it is too large.
        case other
        case nothing
    }

    /// Reads a file of at most a given size, without ever blocking.
    ///
    /// - Parameter path: the path of the file, whose last component may not be a link.
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when the file can't be read.
    package static func contents(of path: FilePath, limit: Int) throws(AtriumError) -> Contents {
        try contents(
            open(path.string, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW), of: path, limit: limit)
    }

    /// Reads a file that was just opened, and closes it. A negative descriptor stands for the failure in `errno`.
    static func contents(_ descriptor: Int32, of path: FilePath, limit: Int) throws(AtriumError) -> Contents {
        guard descriptor >= 0 else {
            switch errno {
            case let number where isAbsence(number): return .nothing
            case ELOOP, ENXIO: return .other
            case let number: throw failure(reason: "openingFailed", path, number)
            }
        }
        defer { close(descriptor) }
        guard let size = try fileSize(descriptor, at: path), size <= limit else { return .other }
        let stamp = try FileStamp(descriptor, at: path)
        return .file(try bytes(descriptor, atMost: size, of: path), stamp)
    }

    /// Returns the size of an open file.
    ///
    /// - Returns: `nil` when it isn't a regular file.
    /// - Throws: as ``status(of:at:)``.
    static func fileSize(_ descriptor: Int32, at path: FilePath) throws(AtriumError) -> Int? {
        guard case .file(let size, _) = Item(try status(of: descriptor, at: path)) else { return nil }
        return Int(size)
    }

    /// Reads the first bytes of an open file, fewer when the file is shorter.
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
            guard count >= 0 else { throw failure(reason: "readingFailed", path) }
            if count == 0 { break }
            offset += count
        }
        bytes.removeLast(limit - offset)
        return bytes
    }
}
