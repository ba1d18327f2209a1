/// The first message: the versions of the protocol that the host speaks. The reply is the version that both use from then on.
package struct Hello: RequestMessage {
    package static let method = MessageNumber.hello
    /// The version of the protocol that this code speaks.
    package static let version: UInt16 = 1

    /// The oldest version that the host speaks.
    package let oldest: UInt16
    /// The newest version that the host speaks.
    package let newest: UInt16

    package init(oldest: UInt16 = version, newest: UInt16 = version) {
        self.oldest = oldest
        self.newest = newest
    }

    package init(from reader: inout WireReader) throws(WireReader.Malformed) {
        oldest = try reader.read()
        newest = try reader.read()
    }

    package func write(to writer: inout WireWriter) {
        writer.write(oldest)
        writer.write(newest)
    }

    /// The chosen version.
    package struct Reply: WireValue {
        package let version: UInt16

        package init(version: UInt16) {
            self.version = version
        }

        package init(from reader: inout WireReader) throws(WireReader.Malformed) {
            version = try reader.read()
        }

        package func write(to writer: inout WireWriter) { writer.write(version) }
    }
}
