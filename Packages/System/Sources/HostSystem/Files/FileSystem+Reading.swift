internal import CSystem
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

    /// Reads a whole file of at most a given size.
    package static func bytes(of path: FilePath, limit: Int) throws(AtriumError) -> [UInt8] {
        guard case .file(let size, _) = try item(at: path), size <= limit else {
            throw AtriumError(.inputOutput, path.string, reason: "notFileWithinLimit", ["limit": .integer(limit)])
        }
        var bytes: [UInt8] = []
        try read(path) { bytes += $0 }
        return bytes
    }

    /// Reads a file in chunks of at most 64 KiB.
    ///
    /// - Parameter isLinkFollowed: whether the path may be a link to a file.
    package static func read(
        _ path: FilePath, isLinkFollowed: Bool = true, _ use: (UnsafeRawBufferPointer) -> Void
    ) throws(AtriumError) {
        // O_NONBLOCK: opening a pipe that replaced the file must not block.
        let descriptor = open(path.string, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (isLinkFollowed ? 0 : O_NOFOLLOW))
        guard descriptor >= 0 else { throw failure(reason: "openingFailed", path) }
        defer { close(descriptor) }
        try read(descriptor, of: path, use)
    }

    /// Reads an open file from its start, in chunks of at most 64 KiB.
    package static func read(
        _ descriptor: Int32, of path: FilePath, _ use: (UnsafeRawBufferPointer) -> Void
    ) throws(AtriumError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        var offset = 0
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(reason: "readingFailed", path) }
            if count == 0 { return }
            use(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += count
        }
    }
}

extension FileSystem {
    /// The result of reading a file of an expected size below a folder.
    package enum ExpectedContents {
        /// The whole content.
        case file([UInt8])
        case otherSize(Int)
        /// The item isn't a regular file, or a component of the path is a link.
        case other
        case nothing
    }

    /// Reads a whole file below a folder through one descriptor.
    ///
    /// - Parameters:
    ///   - name: a relative path, none of whose components may be a link.
    ///   - isByStep: whether to open one component after the other, which old kernels require.
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when the file can't be read.
    package static func contents(
        below folder: FilePath, _ name: String, size expected: UInt64, isByStep: Bool = false
    ) throws(AtriumError) -> ExpectedContents {
        let path = folder.appending(name)
        let place = open(folder.string, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard place >= 0 else { return try unopened(folder) }
        defer { close(place) }
        let descriptor = isByStep ? csystem_open_below_by_steps(place, name) : csystem_open_below(place, name)
        guard descriptor >= 0 else { return try unopened(path) }
        defer { close(descriptor) }
        guard let size = try fileSize(descriptor, at: path) else { return .other }
        guard size == expected else { return .otherSize(size) }
        return .file(try bytes(descriptor, atMost: size, of: path))
    }

    private static func unopened(_ path: FilePath) throws(AtriumError) -> ExpectedContents {
        switch errno {
        case ENOENT: return .nothing
        case ELOOP, ENOTDIR, ENXIO, EXDEV: return .other
        default: throw failure(reason: "openingFailed", path)
        }
    }
}
