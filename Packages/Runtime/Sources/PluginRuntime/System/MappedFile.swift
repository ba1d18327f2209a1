#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore

/// The one door to memory mapping: the bytes of a file, or a copy of some bytes, that stay where they are.
///
/// A file that somebody cuts short while it is mapped ends the process, as it would with the dynamic loader; what is
/// installed is read-only, and nobody's to write but the host's.
final class MappedFile: Sendable {
    enum Failure: Error {
        /// There is nothing.
        case missing
        /// It is a folder, a pipe or a device.
        case noFile
        /// It has more bytes than anybody will read.
        case tooLarge
        /// The system's words.
        case system(String)
    }

    // because: nobody writes there between init and deinit.
    nonisolated(unsafe) let bytes: UnsafeRawBufferPointer
    private let isMapped: Bool

    /// Maps a file. Never waits, not even for a pipe.
    ///
    /// - Parameters:
    ///   - isLinkFollowed: whether a link to a file will do.
    ///   - limit: how many bytes it may have.
    init(_ path: FilePath, isLinkFollowed: Bool = false, limit: Int = .max) throws(Failure) {
        let (descriptor, size) = try Self.descriptor(of: path, isLinkFollowed: isLinkFollowed)
        defer { close(descriptor) }
        guard size <= limit else { throw .tooLarge }
        isMapped = size > 0
        guard isMapped else {
            bytes = UnsafeRawBufferPointer(start: nil, count: 0)
            return
        }
        guard let base = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), base != MAP_FAILED else {
            throw .system(Self.reason)
        }
        bytes = UnsafeRawBufferPointer(start: base, count: size)
    }

    /// A copy of some bytes.
    init(copying source: some Collection<UInt8>) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 16)
        copy.copyBytes(from: source)
        bytes = UnsafeRawBufferPointer(copy)
        isMapped = false
    }

    /// A copy of the first bytes of an open file, at most `limit`; `nil` when it cannot be read.
    static func head(of descriptor: Int32, limit: Int) -> MappedFile? {
        withUnsafeTemporaryAllocation(byteCount: limit, alignment: 16) { buffer in
            var count = pread(descriptor, buffer.baseAddress, limit, 0)
            while count < 0, errno == EINTR { count = pread(descriptor, buffer.baseAddress, limit, 0) }
            return count < 0 ? nil : MappedFile(copying: buffer[..<count])
        }
    }

    /// Opens a file that is one, and tells its size.
    private static func descriptor(
        of path: FilePath, isLinkFollowed: Bool
    ) throws(Failure) -> (descriptor: Int32, size: Int) {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (isLinkFollowed ? 0 : O_NOFOLLOW)
        var descriptor = open(path.string, flags)
        while descriptor < 0, errno == EINTR { descriptor = open(path.string, flags) }
        guard descriptor >= 0 else {
            throw FileSystem.isAbsence(errno) ? .missing : [ELOOP, ENXIO].contains(errno) ? .noFile : .system(reason)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let reason = reason
            close(descriptor)
            throw .system(reason)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .noFile
        }
        return (descriptor, Int(status.st_size))
    }

    deinit {
        if isMapped, let base = bytes.baseAddress {
            munmap(UnsafeMutableRawPointer(mutating: base), bytes.count)
        } else {
            bytes.deallocate()
        }
    }

    private static var reason: String { FileSystem.message(errno) }
}
