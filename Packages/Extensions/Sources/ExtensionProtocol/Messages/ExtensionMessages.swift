package import PluginCore

/// A request to the extension: an input and items. The reply is its output, and the returned items.
package struct Begin: RequestMessage {
    package static let method = MessageNumber.begin

    /// The input as JSON.
    package let input: [UInt8]
    package let items: [ExtensionItem]

    package init(input: [UInt8], items: [ExtensionItem]) {
        self.input = input
        self.items = items
    }

    package init(from reader: inout WireReader) throws(WireReader.Malformed) {
        (input, items) = try reader.values()
    }

    package func write(to writer: inout WireWriter) { writer.write(all: input, items) }

    /// The result of a request.
    package struct Reply: WireValue {
        /// The output as JSON.
        package let output: [UInt8]
        package let items: [ExtensionItem]

        package init(output: [UInt8], items: [ExtensionItem]) {
            self.output = output
            self.items = items
        }

        package init(from reader: inout WireReader) throws(WireReader.Malformed) {
            (output, items) = try reader.values()
        }

        package func write(to writer: inout WireWriter) { writer.write(all: output, items) }
    }
}

/// An announcement that a request's time is about to end.
package struct Expire: EventMessage {
    package static let method = MessageNumber.expire

    /// The number of the request.
    package let request: UInt32
    /// The remaining time, in milliseconds.
    package let milliseconds: UInt32

    package init(request: UInt32, milliseconds: UInt32) {
        self.request = request
        self.milliseconds = milliseconds
    }

    package init(from reader: inout WireReader) throws(WireReader.Malformed) {
        (request, milliseconds) = try reader.values()
    }

    package func write(to writer: inout WireWriter) { writer.write(all: request, milliseconds) }
}

/// An address that the host opens on behalf of the extension.
package struct Open: RequestMessage {
    package typealias Reply = EmptyReply
    package static let method = MessageNumber.open

    package let address: String

    package init(address: String) {
        self.address = address
    }

    package init(from reader: inout WireReader) throws(WireReader.Malformed) { address = try reader.readText() }

    package func write(to writer: inout WireWriter) { writer.write(address) }
}

/// The completed part of a request.
package struct Progress: EventMessage {
    package static let method = MessageNumber.progress

    /// The number of the request.
    package let request: UInt32
    /// The completed part, from 0 to 1.
    package let fraction: Double

    package init(request: UInt32, fraction: Double) {
        self.request = request
        self.fraction = fraction
    }

    package init(from reader: inout WireReader) throws(WireReader.Malformed) {
        (request, fraction) = try reader.values()
    }

    package func write(to writer: inout WireWriter) { writer.write(all: request, fraction) }
}

/// A message of the extension's log.
package struct Log: EventMessage {
    package static let method = MessageNumber.log

    /// The name of the level.
    package let level: String
    package let text: String

    package init(level: String, text: String) {
        self.level = level
        self.text = text
    }

    package init(from reader: inout WireReader) throws(WireReader.Malformed) { (level, text) = try reader.values() }

    package func write(to writer: inout WireWriter) { writer.write(all: level, text) }
}

/// A request for a resource of the bundle, whose content the host compares with the bundle's seal.
package struct ResourceContent: RequestMessage {
    package static let method = MessageNumber.resource

    /// The name of the resource, a path below the folder of resources.
    package let name: String

    package init(name: String) {
        self.name = name
    }

    package init(from reader: inout WireReader) throws(WireReader.Malformed) { name = try reader.readText() }

    package func write(to writer: inout WireWriter) { writer.write(name) }

    /// The content, as an attachment of one item.
    package struct Reply: WireValue {
        package let content: ItemAttachment

        package init(content: ItemAttachment) {
            self.content = content
        }

        package init(from reader: inout WireReader) throws(WireReader.Malformed) {
            guard let content = try [ExtensionItem](from: &reader).first?.attachments.first else {
                throw WireReader.Malformed()
            }
            self.content = content
        }

        package func write(to writer: inout WireWriter) {
            writer.write(all: [ExtensionItem(attachments: [content])])
        }
    }
}

/// A request to hide a widget of the extension's bundle, or to show it again.
package struct SetHasContent: RequestMessage {
    package typealias Reply = EmptyReply
    package static let method = MessageNumber.setHasContent

    /// The identifier of the widget.
    package let identifier: String
    /// A Boolean value that indicates whether the widget has something to show.
    package let hasContent: Bool

    package init(_ hasContent: Bool, for identifier: String) {
        self.identifier = identifier
        self.hasContent = hasContent
    }

    package init(from reader: inout WireReader) throws(WireReader.Malformed) {
        (identifier, hasContent) = try reader.values()
    }

    package func write(to writer: inout WireWriter) { writer.write(all: identifier, hasContent) }
}
