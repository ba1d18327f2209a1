import Glibc

/// An item that a request passes to an extension, or a result back to its host: a text, with attachments.
///
/// This corresponds to `NSExtensionItem`.
public struct ExtensionItem: Sendable {
    /// The title, or nil if the item has none.
    public let title: String?
    /// The text, or nil if the item has none.
    public let text: String?
    /// The attachments, such as links, pictures and files.
    public let attachments: [ItemAttachment]

    /// Creates an item.
    public init(title: String? = nil, text: String? = nil, attachments: [ItemAttachment] = []) {
        self.title = title
        self.text = text
        self.attachments = attachments
    }
}

/// An attachment of an item: bytes, or an open file that is read only when its content is needed.
///
/// A file crosses to another process as a descriptor, without a copy. The receiver can read it, wherever it lies.
///
/// ```swift
/// let picture = try ItemAttachment(opening: path, as: [.png])
/// let link = ItemAttachment(url: "https://example.com")
/// ```
public struct ItemAttachment: Sendable {
    /// The content.
    @frozen
    public enum Content: Sendable {
        /// Bytes, for content of a few kilobytes.
        case bytes([UInt8])
        /// An open file.
        case file(AttachmentFile)
    }

    /// The types in which the content can be read, the most specific first.
    public let types: [ContentType]
    /// The file name that the sender suggests, or nil.
    public let name: String?
    /// The content.
    public let content: Content

    /// Creates an attachment.
    public init(types: [ContentType], name: String? = nil, content: Content) {
        self.types = types
        self.name = name
        self.content = content
    }

    /// Creates an attachment from a text.
    public init(text: String) {
        self.init(types: [.plainText], content: .bytes(Array(text.utf8)))
    }

    /// Creates an attachment from a link.
    public init(url: String) {
        self.init(types: [.url], content: .bytes(Array(url.utf8)))
    }

    /// Creates an attachment from a file, which it opens.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` if the file cannot be opened.
    public init(opening path: FilePath, as types: [ContentType]) throws(AtriumError) {
        self.init(types: types, name: path.lastComponent, content: .file(try AttachmentFile(opening: path)))
    }

    /// The size in bytes.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput`.
    public var size: Int {
        get throws(AtriumError) {
            switch content {
            case .bytes(let bytes): bytes.count
            case .file(let file): try file.size
            }
        }
    }

    /// Reads the content.
    ///
    /// - Parameter limit: The maximum size, in bytes.
    /// - Throws: ``AtriumError`` with code `inputOutput`, also for a content that is larger than the limit.
    public func load(limit: Int = 64 << 20) throws(AtriumError) -> [UInt8] {
        switch content {
        case .bytes(let bytes):
            guard bytes.count <= limit else { throw AttachmentFile.tooLarge(name, limit) }
            return bytes
        case .file(let file): return try file.bytes(limit: limit, name)
        }
    }

    /// Reads the content as text in UTF-8, such as a text or a link.
    ///
    /// - Throws: The errors of ``load(limit:)``, and code `inputOutput` for bytes that are not UTF-8.
    public func loadText(limit: Int = 1 << 20) throws(AtriumError) -> String {
        guard let text = String(validating: try load(limit: limit), as: UTF8.self) else {
            throw AtriumError(.inputOutput, name ?? "attachment", reason: "attachmentNotText")
        }
        return text
    }
}

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
            throw AtriumError(.inputOutput, path.string, reason: "notRegularFile")
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
    func bytes(limit: Int, _ name: String?) throws(AtriumError) -> [UInt8] {
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

    static func tooLarge(_ name: String?, _ limit: Int) -> AtriumError {
        AtriumError(
            .inputOutput, name ?? "attachment", reason: "attachmentTooLarge", ["limit": .integer(limit)])
    }
}
