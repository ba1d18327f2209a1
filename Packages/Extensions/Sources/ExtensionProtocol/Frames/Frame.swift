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

    /// Creates a frame with values as its body.
    init<each Value: WireValue>(
        _ kind: Kind, _ message: MessageNumber? = nil, number: UInt32 = 0, _ values: repeat each Value
    ) {
        let writer = WireWriter(repeat each values)
        self.init(kind, method: message?.rawValue ?? 0, number: number, body: writer.bytes, files: writer.files)
    }

    /// The header and the body.
    package var bytes: [UInt8] {
        WireWriter(UInt32(body.count), kind.rawValue, UInt8(files.count), method, number).bytes + body
    }

    /// Decodes the values in the body.
    ///
    /// - Throws: A violation for another body, and for a file that no value refers to.
    func decode<each Value: WireValue>() throws(ProtocolViolation) -> (repeat each Value) {
        var reader = WireReader(body, files: files)
        do {
            let values: (repeat each Value) = try reader.values()
            if !reader.hasUnusedFiles { return values }
        } catch {
            throw .messageMalformed(method)
        }
        throw .filesUnused
    }

    /// Throws an error for a frame that is larger than the other process accepts.
    func requireSendable() throws(ProtocolViolation) {
        guard body.count <= Self.maximumBody else { throw .frameTooLarge(body.count) }
        guard files.count <= Self.maximumFiles else { throw .tooManyFiles }
    }
}

/// A reader that divides received bytes into frames. It holds at most one frame and what was received together with its end.
package struct FrameReader: Sendable {
    private var bytes: [UInt8] = []
    /// The number of bytes of frames that were removed, which stay until more is received.
    ///
    /// Moving the rest for each frame would take long in a flood of small ones.
    private var start = 0
    private var files: [AttachmentFile] = []

    package init() {}

    /// Adds received bytes, and the descriptors that came with them.
    package mutating func append(_ received: some Sequence<UInt8>, files: [AttachmentFile]) {
        bytes.removeSubrange(..<start)
        start = 0
        bytes += received
        self.files += files
    }

    /// Removes the first frame, or returns nil until all of it has been received.
    ///
    /// - Throws: A violation, after which the connection cannot be used.
    package mutating func next() throws(ProtocolViolation) -> Frame? {
        guard bytes.count - start >= Frame.headerSize else {
            if files.count > Frame.maximumFiles { throw .tooManyFiles }
            return nil
        }
        let body = start + Frame.headerSize
        var header = WireReader(Array(bytes[start..<body]))
        let parts: (UInt32, UInt8, UInt8, UInt16, UInt32)? = try? header.values()
        guard let (size, kindNumber, fileCount, method, number) = parts else { return nil }
        guard size <= Frame.maximumBody else { throw .frameTooLarge(Int(size)) }
        guard let kind = Frame.Kind(rawValue: kindNumber) else { throw .kindUnknown(kindNumber) }
        guard fileCount <= Frame.maximumFiles else { throw .tooManyFiles }
        let end = body + Int(size)
        guard bytes.count >= end else {
            // Descriptors arrive with a frame's first byte, so none of a later frame can be here.
            if files.count > Int(fileCount) { throw .tooManyFiles }
            return nil
        }
        guard files.count >= Int(fileCount) else { throw .filesMissing }
        let frame = Frame(
            kind, method: method, number: number, body: Array(bytes[body..<end]),
            files: Array(files.prefix(Int(fileCount))))
        start = end
        files.removeFirst(Int(fileCount))
        if start == bytes.count, !files.isEmpty { throw .tooManyFiles }
        return frame
    }
}

/// A rule of the protocol that the other process has broken. The connection ends with it.
package enum ProtocolViolation: Error, Hashable, Sendable {
    case frameTooLarge(Int)
    case kindUnknown(UInt8)
    case messageUnknown(UInt16)
    case messageMalformed(UInt16)
    case tooManyFiles
    case filesMissing
    /// No value of a message refers to a descriptor that came with it.
    case filesUnused
    /// More descriptors of the other process are open than the limit.
    case tooManyFilesHeld(Int)
    case replyWithoutRequest(UInt32)
    case requestRepeated(UInt32)
    case tooManyRequests(Int)
    case tooManyReplies(Int)
    /// The values of calls that are handled at the same time have more bytes than the limit.
    case tooManyValues(Int)
    /// The other process does not read what is sent to it, so that more bytes wait than the limit.
    case notReading(Int)

    /// The violation as a reason of an error.
    package var reason: ErrorReason {
        switch self {
        case .frameTooLarge(let size):
            ErrorReason("frameTooLarge", ["size": .integer(size), "limit": .integer(Frame.maximumBody)])
        case .kindUnknown(let kind): ErrorReason("frameKindUnknown", ["kind": .integer(Int(kind))])
        case .messageUnknown(let method): ErrorReason("messageUnknown", ["message": .integer(Int(method))])
        case .messageMalformed(let method): ErrorReason("messageMalformed", ["message": .integer(Int(method))])
        case .tooManyFiles: ErrorReason("messageFilesMany", ["limit": .integer(Frame.maximumFiles)])
        case .filesMissing: ErrorReason("messageFilesMissing")
        case .filesUnused: ErrorReason("messageFilesUnused")
        case .tooManyFilesHeld(let limit): ErrorReason("messageFilesHeld", ["limit": .integer(limit)])
        case .replyWithoutRequest(let number): ErrorReason("replyWithoutRequest", ["request": .integer(Int(number))])
        case .requestRepeated(let number): ErrorReason("requestNumberUsed", ["request": .integer(Int(number))])
        case .tooManyRequests(let limit): ErrorReason("requestsMany", ["limit": .integer(limit)])
        case .tooManyReplies(let limit): ErrorReason("cancellationsIgnored", ["limit": .integer(limit)])
        case .tooManyValues(let limit): ErrorReason("valuesMany", ["limit": .integer(limit)])
        case .notReading(let limit): ErrorReason("messagesUnread", ["limit": .integer(limit)])
        }
    }
}
