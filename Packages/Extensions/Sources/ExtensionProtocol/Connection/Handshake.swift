import PluginCore
import PluginExtension
package import Processes

/// The start of a connection in the process of an extension, which must receive its orders before it has more than one thread.
package struct Handshake: ~Copyable {
    /// The errors of a handshake.
    package enum Failure: Error {
        /// The connection has ended.
        case closed
        /// The host speaks only other versions of the protocol.
        case versions(oldest: UInt16, newest: UInt16)
    }

    /// The version of the protocol that this code speaks.
    package static let version: UInt16 = 1

    private let socket: MessageSocket
    private var reader = FrameReader()

    package init(_ socket: MessageSocket) {
        self.socket = socket
    }

    /// Agrees on a version of the protocol, and receives the extension to launch.
    ///
    /// - Returns: The message, and the reader from which the connection receives it again in order to reply to it.
    /// - Throws: ``Failure``; ``ProtocolViolation`` after the host has broken a rule of the protocol.
    package consuming func receiveLaunch() throws -> (Launch, FrameReader) {
        let (hello, _) = try next()
        let (oldest, newest) = try Self.decode(hello, Messages.hello)
        guard oldest...max(oldest, newest) ~= Self.version else {
            try reply(Frame(.failure, number: hello.number, WireError(Self.unsupported(oldest, newest))))
            throw Failure.versions(oldest: oldest, newest: newest)
        }
        try reply(Frame(.reply, number: hello.number, Self.version))
        let (launch, before) = try next()
        return (try Self.decode(launch, Messages.launch), before)
    }

    /// Receives a frame, and returns it and the reader that contains it.
    private mutating func next() throws -> (Frame, before: FrameReader) {
        while true {
            let before = reader
            if let frame = try reader.next() { return (frame, before) }
            try receive()
        }
    }

    private mutating func receive() throws(Failure) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { buffer.deallocate() }
        var files: [Int32] = []
        guard case .bytes(let count) = socket.receive(into: buffer, files: &files, waits: true) else { throw .closed }
        reader.append(buffer[..<count], files: files.map(AttachmentFile.init(taking:)))
    }

    private func reply(_ frame: Frame) throws(Failure) {
        var rest = frame.bytes[...]
        while !rest.isEmpty {
            guard case .bytes(let count) = rest.withUnsafeBytes({ socket.send($0, waits: true) }) else { throw .closed }
            rest = rest.dropFirst(count)
        }
    }

    private static func decode<Reply, each Value: WireValue>(
        _ frame: Frame, _ message: Message<Reply, repeat each Value>
    ) throws(ProtocolViolation) -> (repeat each Value) {
        guard frame.kind == .request, frame.method == message.number else { throw .messageUnknown(frame.method) }
        return try frame.decode()
    }

    private static func unsupported(_ oldest: UInt16, _ newest: UInt16) -> AtriumError {
        AtriumError(
            .libraryIncompatible, "extension-runner", reason: "protocolVersions",
            ["oldest": .integer(Int(oldest)), "newest": .integer(Int(newest)), "own": .integer(Int(version))])
    }
}
