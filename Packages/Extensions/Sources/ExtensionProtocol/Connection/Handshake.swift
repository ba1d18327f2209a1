package import HostSystem
internal import PluginCore

/// The start of a connection in the process of an extension, which must receive its orders before it has more than one thread.
package struct Handshake: ~Copyable {
    /// The errors of a handshake.
    package enum Failure: Error {
        /// The connection has ended.
        case closed
        /// The host speaks only other versions of the protocol.
        case versions(oldest: UInt16, newest: UInt16)
        /// The host has broken a rule of the protocol.
        case violation(ProtocolViolation)
    }

    private let socket: MessageSocket
    private var reader = FrameReader()

    package init(_ socket: MessageSocket) {
        self.socket = socket
    }

    /// Agrees on a version of the protocol, and receives the extension to launch.
    ///
    /// - Returns: The message, and the reader from which the connection receives it again in order to reply to it.
    package consuming func receiveLaunch() throws(Failure) -> (Launch, FrameReader) {
        let (frame, _) = try next()
        let hello: Hello = try Self.decode(frame)
        guard hello.oldest...max(hello.oldest, hello.newest) ~= Hello.version else {
            try reply(Frame(.failure, number: frame.number, WireError(Self.unsupported(hello))))
            throw .versions(oldest: hello.oldest, newest: hello.newest)
        }
        try reply(Frame(.reply, number: frame.number, Hello.Reply(version: Hello.version)))
        let (launch, before) = try next()
        return (try Self.decode(launch), before)
    }

    /// Receives a frame, and returns it and the reader that contains it.
    private mutating func next() throws(Failure) -> (Frame, before: FrameReader) {
        while true {
            let before = reader
            do throws(ProtocolViolation) {
                if let frame = try reader.next() { return (frame, before) }
            } catch {
                throw .violation(error)
            }
            try receive()
        }
    }

    private mutating func receive() throws(Failure) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { buffer.deallocate() }
        var files: [AttachmentFile] = []
        guard case .bytes(let count) = socket.receive(into: buffer, files: &files, waits: true) else { throw .closed }
        reader.append(buffer[..<count], files: files)
    }

    private func reply(_ frame: Frame) throws(Failure) {
        var rest = frame.bytes[...]
        while !rest.isEmpty {
            guard case .bytes(let count) = rest.withUnsafeBytes({ socket.send($0, waits: true) }) else { throw .closed }
            rest = rest.dropFirst(count)
        }
    }

    private static func decode<Message: RequestMessage>(_ frame: Frame) throws(Failure) -> Message {
        guard frame.kind == .request, frame.method == Message.method.rawValue else {
            throw .violation(.messageUnknown(frame.method))
        }
        do throws(ProtocolViolation) {
            return try IncomingRequest.decode(frame)
        } catch {
            throw .violation(error)
        }
    }

    private static func unsupported(_ hello: Hello) -> AtriumError {
        AtriumError(
            .libraryIncompatible, "extension-runner", reason: "protocolVersions",
            [
                "oldest": .integer(Int(hello.oldest)), "newest": .integer(Int(hello.newest)),
                "own": .integer(Int(Hello.version)),
            ])
    }
}
