package import PluginCore

extension [ExtensionItem] {
    /// The largest content that is passed in a message, in bytes. Larger content is passed as a file in memory.
    private static var maximumBytes: Int { 16 << 10 }

    /// Returns the items with large contents moved to files, so that they fit into a message.
    ///
    /// - Parameter folder: The folder for the files, which get no names there, or nil for files in memory.
    /// - Throws: ``AtriumError`` with code `inputOutput` if there is no space for them.
    package func transferable(in folder: FilePath? = nil) throws(AtriumError) -> [ExtensionItem] {
        var items: [ExtensionItem] = []
        for item in self {
            var attachments: [ItemAttachment] = []
            for attachment in item.attachments {
                attachments.append(try attachment.transferable(Self.maximumBytes, in: folder))
            }
            items.append(ExtensionItem(title: item.title, text: item.text, attachments: attachments))
        }
        return items
    }
}

extension ItemAttachment {
    fileprivate func transferable(_ maximum: Int, in folder: FilePath?) throws(AtriumError) -> ItemAttachment {
        guard case .bytes(let bytes) = content, bytes.count > maximum else { return self }
        let file = try AttachmentFile.unnamed(bytes, in: folder, for: name ?? "attachment")
        return ItemAttachment(types: types, name: name, content: .file(file))
    }
}
