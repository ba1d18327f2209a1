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
