package import PluginCore

/// A request to the extension: an input and items. The reply is its output, and the returned items.
package struct Begin: WireValue {
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
