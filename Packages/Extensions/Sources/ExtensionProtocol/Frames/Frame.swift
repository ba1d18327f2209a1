package import PluginCore
package import PluginExtension

/// The unit of the protocol: a header of twelve bytes, a body, and the descriptors that are attached to the frame's first byte.
///
/// See <doc:Protocol> for the layout.
package struct Frame {
    /// The role of a frame.
    package enum Kind: UInt8 {
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
    static let headerSize = 12
    /// The maximum size of a body in bytes. Larger content is passed as a file.
    static let maximumBody = 1 << 20
    /// The maximum number of descriptors of a frame.
    static let maximumFiles = 16

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
    init<each Value: WireEncodable>(
        _ kind: Kind, _ method: UInt16 = 0, number: UInt32 = 0, _ values: repeat each Value
    ) {
        let writer = WireWriter(repeat each values)
        self.init(kind, method: method, number: number, body: writer.bytes, files: writer.files)
    }

    /// The header and the body.
    package var bytes: [UInt8] {
        WireWriter(UInt32(body.count), kind.rawValue, UInt8(files.count), method, number).bytes + body
    }

    /// Decodes the values of a message.
    ///
    /// - Throws: A violation for another body, and for a file that no value refers to.
    package func decode<Reply, each Value: WireDecodable>(
        _ message: Message<Reply, repeat each Value>
    ) throws(ProtocolViolation) -> (repeat each Value) { try decode() }

    func decode<each Value: WireDecodable>() throws(ProtocolViolation) -> (repeat each Value) {
        var reader = WireReader(body, files: files)
        do {
            let values: (repeat each Value) = try reader.read()
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
package struct FrameReader {
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
        let parts: (UInt32, UInt8, UInt8, UInt16, UInt32)? = try? header.read()
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
package struct ProtocolViolation: Error, Hashable {
    /// The violation as a reason of an error.
    package let reason: ErrorReason

    private init(_ name: String, _ values: [String: Int] = [:]) {
        reason = ErrorReason(name, values.mapValues { .integer($0) })
    }

    static func frameTooLarge(_ size: Int) -> Self {
        Self("frameTooLarge", ["size": size, "limit": Frame.maximumBody])
    }
    static func kindUnknown(_ kind: UInt8) -> Self { Self("frameKindUnknown", ["kind": Int(kind)]) }
    package static func messageUnknown(_ method: UInt16) -> Self { Self("messageUnknown", ["message": Int(method)]) }
    package static func messageMalformed(_ method: UInt16) -> Self {
        Self("messageMalformed", ["message": Int(method)])
    }
    static let tooManyFiles = Self("messageFilesMany", ["limit": Frame.maximumFiles])
    static let filesMissing = Self("messageFilesMissing")
    /// No value of a message refers to a descriptor that came with it.
    static let filesUnused = Self("messageFilesUnused")
    /// More descriptors of the other process are open than the limit.
    static func tooManyFilesHeld(_ limit: Int) -> Self { Self("messageFilesHeld", ["limit": limit]) }
    static func replyWithoutRequest(_ number: UInt32) -> Self {
        Self("replyWithoutRequest", ["request": Int(number)])
    }
    static func requestRepeated(_ number: UInt32) -> Self {
        Self("requestNumberUsed", ["request": Int(number)])
    }
    static func tooManyRequests(_ limit: Int) -> Self { Self("requestsMany", ["limit": limit]) }
    static func tooManyReplies(_ limit: Int) -> Self { Self("cancellationsIgnored", ["limit": limit]) }
    /// The values of calls that are handled at the same time have more bytes than the limit.
    static func tooManyValues(_ limit: Int) -> Self { Self("valuesMany", ["limit": limit]) }
    /// The other process does not read what is sent to it, so that more bytes wait than the limit.
    static func notReading(_ limit: Int) -> Self { Self("messagesUnread", ["limit": limit]) }
}
