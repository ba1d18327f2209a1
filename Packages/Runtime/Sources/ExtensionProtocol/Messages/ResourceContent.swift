package import PluginCore

/// A request for a resource of the bundle, whose content the host compares with the bundle's seal.
package struct ResourceContent: RequestMessage {
    package static let method = MessageNumber.resource

    /// The name of the resource, a path below the folder of resources.
    package let name: String

    package init(name: String) {
        self.name = name
    }

    package init(from reader: inout WireReader) throws(WireReader.Malformed) {
        name = try reader.readText()
    }

    package func write(to writer: inout WireWriter) { writer.write(name) }

    /// The content, as an attachment of one item.
    package struct Reply: WireValue {
        package let content: ItemAttachment

        package init(content: ItemAttachment) {
            self.content = content
        }

        package init(from reader: inout WireReader) throws(WireReader.Malformed) {
            guard let content = try reader.readItems().first?.attachments.first else { throw WireReader.Malformed() }
            self.content = content
        }

        package func write(to writer: inout WireWriter) {
            writer.write([ExtensionItem(attachments: [content])])
        }
    }
}
