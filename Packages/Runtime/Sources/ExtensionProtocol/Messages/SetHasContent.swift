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
        identifier = try reader.readText()
        hasContent = try reader.readBool()
    }

    package func write(to writer: inout WireWriter) {
        writer.write(identifier)
        writer.write(hasContent)
    }
}
