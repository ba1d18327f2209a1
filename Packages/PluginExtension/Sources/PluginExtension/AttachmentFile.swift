import Glibc
public import PluginCore

/// An open file, which is closed with its last reference.
public final class AttachmentFile: Sendable {
    /// The file's descriptor, which stays open as long as this object exists.
    public let descriptor: Int32

    /// Takes over an open descriptor.
    public init(taking descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Opens a file for reading.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` if it cannot be opened or is not a regular file.
    public init(opening path: FilePath) throws(AtriumError) {
        descriptor = open(path.string, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.failure(path.string) }
        guard try status.st_mode & S_IFMT == S_IFREG else {
            throw AtriumError(.inputOutput, path, reason: "notRegularFile")
        }
    }

    /// Creates a second descriptor for an open file.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` if this process has too many.
    public init(duplicating descriptor: Int32) throws(AtriumError) {
        self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard self.descriptor >= 0 else { throw Self.failure("attachment") }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The size in bytes.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput`.
    public var size: Int {
        get throws(AtriumError) { Int(try status.st_size) }
    }

    /// Reads the whole file, wherever its position is.
    ///
    /// - Parameters:
    ///   - limit: The maximum size, in bytes.
    ///   - name: The file's name, for errors.
    /// - Throws: ``AtriumError`` with code `inputOutput`, also for a file that is larger than the limit.
    public func bytes(limit: Int, of name: String? = nil) throws(AtriumError) -> [UInt8] {
        let size = try size
        guard size <= limit else { throw Self.tooLarge(name, limit) }
        var failure: AtriumError?
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let result = pread(descriptor, buffer.baseAddress.map { $0 + count }, size - count, off_t(count))
                if result < 0, errno == EINTR { continue }
                if result < 0 { failure = Self.failure(name ?? "attachment") }
                guard result > 0 else { return }
                count += result
            }
        }
        if let failure { throw failure }
        return bytes
    }

    private var status: stat {
        get throws(AtriumError) {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw Self.failure("attachment") }
            return status
        }
    }

    private static func failure(_ subject: String) -> AtriumError {
        AtriumError(.inputOutput, subject, reason: .verbatim(String(cString: strerror(errno))))
    }

    /// Returns the error for content that is larger than a limit in bytes.
    public static func tooLarge(_ name: String?, _ limit: Int) -> AtriumError {
        AtriumError(
            .inputOutput, name ?? "attachment", reason: "attachmentTooLarge", ["limit": .integer(limit)])
    }
}
