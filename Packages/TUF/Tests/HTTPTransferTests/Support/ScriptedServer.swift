import Foundation
import Synchronization
import Testing

import Glibc

/// A server on loopback that answers each connection as a closure says.
final class ScriptedServer: Sendable {
    /// A connection with the head of its request.
    struct Connection {
        fileprivate let socket: CInt
        let head: String

        /// Sends a text. Returns false if the client has gone.
        @discardableResult
        func send(_ text: String) -> Bool { send(Array(text.utf8)) }

        @discardableResult
        func send(_ bytes: [UInt8]) -> Bool {
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes {
                    Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }

        /// Lets the connection end with a reset, which may also discard what was sent.
        func reset() {
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        }

        /// Waits for another request on the same connection.
        func waitForRequest() { _ = ScriptedServer.head(of: socket) }

        func pause(milliseconds: Int) { usleep(UInt32(milliseconds * 1000)) }
    }

    let port: Int
    private let listener: CInt
    private let heads: Heads

    init(_ answer: @escaping @Sendable (Connection) -> Void) throws {
        let heads = Heads()
        self.heads = heads
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        try #require(listener >= 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (listener, length) = (listener, size)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, length) == 0 }
        }
        try #require(isBound && listen(listener, 16) == 0)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(listener, $0, &size) }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread {
            while true {
                let socket = accept(listener, nil, nil)
                guard socket >= 0 else { return }
                Thread.detachNewThread {
                    let connection = Connection(socket: socket, head: Self.head(of: socket))
                    heads.all.withLock { $0.append(connection.head) }
                    answer(connection)
                    close(socket)
                }
            }
        }
    }

    /// Closes the port. A server that is not stopped runs until the tests end, because a test may only use its address.
    ///
    /// The descriptor stays open, so that its thread cannot accept connections of another server with the same number.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    var address: String { "http://127.0.0.1:\(port)/" }
    var requests: [String] { heads.all.withLock { $0 } }

    fileprivate static func head(of socket: CInt) -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while bytes.count < 1 << 16, !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8), recv(socket, &byte, 1, 0) == 1 {
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The heads of the requests so far.
private final class Heads: Sendable {
    let all = Mutex<[String]>([])
}
