/// The arguments or the result of a call, and the sender's objects that they refer to.
package struct TransferredValues: WireValue {
    /// The maximum number of references in one message.
    package static let maximumObjects = 10_000

    /// The number of each object, once for each reference to it.
    package let objects: [UInt32]
    /// The values, whose form depends on the function.
    package let bytes: TransferredBytes

    package init(objects: [UInt32] = [], _ bytes: TransferredBytes) {
        self.objects = objects
        self.bytes = bytes
    }

    package init(from reader: inout WireReader) throws(WireReader.Malformed) {
        objects = try reader.readList { (reader: inout WireReader) throws(WireReader.Malformed) in
            try reader.read(UInt32.self)
        }
        guard objects.count <= Self.maximumObjects else { throw WireReader.Malformed() }
        bytes = try TransferredBytes(from: &reader)
    }

    package func write(to writer: inout WireWriter) {
        writer.write(objects) { $0.write($1) }
        bytes.write(to: &writer)
    }
}
