package import PluginCore

extension WireWriter {
    package mutating func write(_ items: [ExtensionItem]) {
        write(items) { writer, item in
            writer.write(item.title) { $0.write($1) }
            writer.write(item.text) { $0.write($1) }
            writer.write(item.attachments) { $0.write($1) }
        }
    }

    private mutating func write(_ attachment: ItemAttachment) {
        write(attachment.types) { writer, type in
            writer.write(type.identifier)
            writer.write(type.supertypes.map(\.identifier).sorted())
        }
        write(attachment.name) { $0.write($1) }
        switch attachment.content {
        case .bytes(let bytes):
            write(false)
            write(bytes)
        case .file(let file):
            write(true)
            write(file)
        }
    }
}

extension WireReader {
    package mutating func readItems() throws(Malformed) -> [ExtensionItem] {
        try readList { (reader: inout WireReader) throws(Malformed) in
            ExtensionItem(
                title: try reader.readOptionalText(), text: try reader.readOptionalText(),
                attachments: try reader.readList { (reader: inout WireReader) throws(Malformed) in
                    try reader.readAttachment()
                })
        }
    }

    private mutating func readOptionalText() throws(Malformed) -> String? {
        try readOptional { (reader: inout WireReader) throws(Malformed) in try reader.readText() }
    }

    private mutating func readAttachment() throws(Malformed) -> ItemAttachment {
        let types = try readList { (reader: inout WireReader) throws(Malformed) in try reader.readType() }
        let name = try readOptionalText()
        let content: ItemAttachment.Content = try readBool() ? .file(try readFile()) : .bytes(try readBytes())
        return ItemAttachment(types: types, name: name, content: content)
    }

    private mutating func readType() throws(Malformed) -> ContentType {
        let identifier = try readText()
        let parents = try readTexts().compactMap { ContentType($0) }
        guard let type = ContentType(identifier, conformingTo: parents) else { throw Malformed() }
        return type
    }
}
