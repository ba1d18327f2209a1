/// An address that the host opens on behalf of the extension.
package struct Open: RequestMessage {
    package typealias Reply = EmptyReply
    package static let method = MessageNumber.open

    package let address: String

    package init(address: String) {
        self.address = address
    }

    package init(from reader: inout WireReader) throws(WireReader.Malformed) {
        address = try reader.readText()
    }

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
        request = try reader.read()
        fraction = try reader.readDouble()
    }

    package func write(to writer: inout WireWriter) {
        writer.write(request)
        writer.write(fraction)
    }
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

    package init(from reader: inout WireReader) throws(WireReader.Malformed) {
        level = try reader.readText()
        text = try reader.readText()
    }

    package func write(to writer: inout WireWriter) {
        writer.write(level)
        writer.write(text)
    }
}
