package import PluginCore

/// The unit of the protocol: a header of twelve bytes, a body, and the descriptors that are attached to the frame's first byte.
///
/// See <doc:Protocol> for the layout.
package struct Frame: Sendable {
    /// The role of a frame.
    package enum Kind: UInt8, Sendable {
        /// A message that expects a reply with the same number.
        case request = 1
        /// The successful end of a request.
        case reply = 2
        /// The failed end of a request; the body is an error.
        case failure = 3
        /// The sender no longer waits for the reply to its request.
        case cancel = 4
        /// A message without a reply.
        case event = 5
    }

    /// The size of a header in bytes.
    package static let headerSize = 12
    /// The maximum size of a body in bytes. Larger content is passed as a file.
    package static let maximumBody = 1 << 20
    /// The maximum number of descriptors of a frame.
    package static let maximumFiles = 16

    package let kind: Kind
    /// The number of the message, or 0 for kinds that have none.
    package let method: UInt16
    /// The number of the request, which its sender has chosen, or 0 for an event.
    package let number: UInt32
    package let body: [UInt8]
    package let files: [AttachmentFile]

    package init(_ kind: Kind, method: UInt16 = 0, number: UInt32 = 0, body: [UInt8] = [], files: [AttachmentFile] = [])
    {
        self.kind = kind
        self.method = method
        self.number = number
        self.body = body
        self.files = files
    }

    /// The header and the body.
    package var bytes: [UInt8] {
        var writer = WireWriter()
        writer.write(UInt32(body.count))
        writer.write(kind.rawValue)
        writer.write(UInt8(files.count))
        writer.write(method)
        writer.write(number)
        return writer.bytes + body
    }

    /// Throws an error for a frame that is larger than the other process accepts.
    func requireSendable() throws(ProtocolViolation) {
        guard body.count <= Self.maximumBody else { throw .frameTooLarge(body.count) }
        guard files.count <= Self.maximumFiles else { throw .tooManyFiles }
    }
}
