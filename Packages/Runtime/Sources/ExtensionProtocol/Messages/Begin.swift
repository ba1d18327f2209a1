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
        input = try reader.readBytes()
        items = try reader.readItems()
    }

    package func write(to writer: inout WireWriter) {
        writer.write(input)
        writer.write(items)
    }

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
            output = try reader.readBytes()
            items = try reader.readItems()
        }

        package func write(to writer: inout WireWriter) {
            writer.write(output)
            writer.write(items)
        }
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
        request = try reader.read()
        milliseconds = try reader.read()
    }

    package func write(to writer: inout WireWriter) {
        writer.write(request)
        writer.write(milliseconds)
    }
}

/// The order to end: the principal object prepares for it, the reply is sent, and the process exits.
package struct End: RequestMessage {
    package typealias Reply = EmptyReply
    package static let method = MessageNumber.end

    package init() {}
    package init(from reader: inout WireReader) {}
    package func write(to writer: inout WireWriter) {}
}
