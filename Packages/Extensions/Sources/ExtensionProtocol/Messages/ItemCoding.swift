package import PluginCore
package import PluginExtension

extension ExtensionItem: WireValue {
    package init(from reader: inout WireReader) throws {
        let (title, text, attachments): (String?, String?, [ItemAttachment]) = try reader.read()
        self.init(title: title, text: text, attachments: attachments)
    }

    package func write(to writer: inout WireWriter) { writer.write(title, text, attachments) }
}

extension ItemAttachment: WireValue {
    package init(from reader: inout WireReader) throws {
        let (types, name, content): ([ContentType], String?, Content) = try reader.read()
        self.init(types: types, name: name, content: content)
    }

    package func write(to writer: inout WireWriter) { writer.write(types, name, content) }
}

extension ItemAttachment.Content: WireValue {
    package init(from reader: inout WireReader) throws {
        self = try reader.read(Bool.self) ? .file(reader.readFile()) : .bytes(reader.read())
    }

    package func write(to writer: inout WireWriter) {
        switch self {
        case .bytes(let bytes): writer.write(false, bytes)
        case .file(let file):
            writer.write(true)
            writer.write(file)
        }
    }
}

extension ContentType: WireValue {
    package init(from reader: inout WireReader) throws {
        let (identifier, parents): (String, [String]) = try reader.read()
        guard let type = ContentType(identifier, conformingTo: parents.compactMap { ContentType($0) }) else {
            throw WireReader.Malformed()
        }
        self = type
    }

    package func write(to writer: inout WireWriter) {
        writer.write(identifier, supertypes.map(\.identifier).sorted())
    }
}

extension [ExtensionItem] {
    /// Returns the items with large contents moved to files, so that they fit into a message.
    ///
    /// - Throws: The errors of ``ItemAttachment/transferable(in:)``.
    package func transferable(in folder: FilePath? = nil) throws(AtriumError) -> [ExtensionItem] {
        try map { item throws(AtriumError) in
            let attachments = try item.attachments.map { attachment throws(AtriumError) in
                try attachment.transferable(in: folder)
            }
            return ExtensionItem(title: item.title, text: item.text, attachments: attachments)
        }
    }
}

extension ItemAttachment {
    /// The largest content that is passed in a message, in bytes. Larger content is passed as a file.
    private static let maximumBytes = 16 << 10

    /// Returns the attachment with a large content moved to a file.
    ///
    /// - Parameter folder: The folder for the file, which gets no name there, or nil for a file in memory.
    /// - Throws: ``AtriumError`` with code `inputOutput` if there is no space for it.
    package func transferable(in folder: FilePath? = nil) throws(AtriumError) -> ItemAttachment {
        guard case .bytes(let bytes) = content, bytes.count > Self.maximumBytes else { return self }
        let file = try AttachmentFile.unnamed(bytes, in: folder, for: name ?? "attachment")
        return ItemAttachment(types: types, name: name, content: .file(file))
    }
}

/// The content of a request to the extension: the point's input and items; or of its reply: the output and the returned items.
package struct RequestContent: WireValue {
    package let value: CodedValue
    package let items: [ExtensionItem]

    package init(_ value: CodedValue, items: [ExtensionItem]) {
        (self.value, self.items) = (value, items)
    }

    package init(from reader: inout WireReader) throws { (value, items) = try reader.read() }

    package func write(to writer: inout WireWriter) { writer.write(value, items) }
}
