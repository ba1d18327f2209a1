public import PluginCore

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
        case .file(let file): return try file.bytes(limit: limit, of: name)
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
