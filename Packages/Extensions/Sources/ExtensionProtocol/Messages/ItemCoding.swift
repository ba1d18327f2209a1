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
    /// The largest content that is passed in a message, in bytes. Larger content is passed as a file in memory.
    private static var maximumBytes: Int { 16 << 10 }

    /// Returns the items with large contents moved to files, so that they fit into a message.
    ///
    /// - Parameter folder: The folder for the files, which get no names there, or nil for files in memory.
    /// - Throws: ``AtriumError`` with code `inputOutput` if there is no space for them.
    package func transferable(in folder: FilePath? = nil) throws(AtriumError) -> [ExtensionItem] {
        try map { item throws(AtriumError) in
            let attachments = try item.attachments.map { attachment throws(AtriumError) in
                try attachment.transferable(Self.maximumBytes, in: folder)
            }
            return ExtensionItem(title: item.title, text: item.text, attachments: attachments)
        }
    }
}

extension ItemAttachment {
    fileprivate func transferable(_ maximum: Int, in folder: FilePath?) throws(AtriumError) -> ItemAttachment {
        guard case .bytes(let bytes) = content, bytes.count > maximum else { return self }
        let file = try AttachmentFile.unnamed(bytes, in: folder, for: name ?? "attachment")
        return ItemAttachment(types: types, name: name, content: .file(file))
    }
}

/// A request to the extension: an input and items. The reply is its output, and the returned items.
package struct Begin: WireValue {
    /// The input as JSON.
    package let input: [UInt8]
    package let items: [ExtensionItem]

    package init(input: [UInt8], items: [ExtensionItem]) {
        self.input = input
        self.items = items
    }

    package init(from reader: inout WireReader) throws { (input, items) = try reader.read() }

    package func write(to writer: inout WireWriter) { writer.write(input, items) }

    /// The result of a request.
    package struct Reply: WireValue {
        /// The output as JSON.
        package let output: [UInt8]
        package let items: [ExtensionItem]

        package init(output: [UInt8], items: [ExtensionItem]) {
            self.output = output
            self.items = items
        }

        package init(from reader: inout WireReader) throws { (output, items) = try reader.read() }

        package func write(to writer: inout WireWriter) { writer.write(output, items) }
    }
}
