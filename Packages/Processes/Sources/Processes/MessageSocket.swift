import CProcesses
import Glibc
import HostSystem
package import PluginCore

/// One end of a connection between two processes, which passes bytes and descriptors. It is closed with its last reference.
package final class MessageSocket: Sendable {
    /// The largest number of descriptors that can be sent together.
    static let maximumFiles = Int(PROCESS_SOCKET_FILES)

    /// The open socket.
    package let descriptor: Int32

    /// Takes over an open socket.
    package init(taking descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Creates two connected ends.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput`.
    package static func pair() throws(AtriumError) -> (MessageSocket, MessageSocket) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw FileSystem.failure(reason: "creatingFailed", "socket")
        }
        return (MessageSocket(taking: ends[0]), MessageSocket(taking: ends[1]))
    }

    /// The result of sending or receiving.
    package enum Transfer {
        /// The number of bytes that were sent or received, at least one.
        case bytes(Int)
        /// Nothing can be transferred now.
        case wouldBlock
        /// The other end is closed, or the connection has failed.
        case closed
    }

    /// Sends a part of some bytes, with descriptors attached to the first of them.
    ///
    /// - Parameter waits: Whether to wait until something can be sent.
    package func send(_ bytes: UnsafeRawBufferPointer, files: [Int32] = [], waits: Bool) -> Transfer {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return .bytes(0) }
        let count = process_send(descriptor, start, bytes.count, files, Int32(files.count), waits)
        if count >= 0 { return .bytes(count) }
        return errno == EAGAIN || errno == EWOULDBLOCK ? .wouldBlock : .closed
    }

    /// Receives bytes, and appends the descriptors attached to them.
    ///
    /// - Parameters:
    ///   - buffer: The place for the bytes.
    ///   - files: Receives the descriptors, which the caller closes.
    ///   - waits: Whether to wait until something arrives.
    /// - Returns: `closed` also if descriptors were lost because this process has too many.
    package func receive(
        into buffer: UnsafeMutableRawBufferPointer, files: inout [Int32], waits: Bool
    ) -> Transfer {
        guard let start = buffer.baseAddress, !buffer.isEmpty else { return .bytes(0) }
        var received = [Int32](repeating: -1, count: Self.maximumFiles)
        var fileCount: Int32 = 0
        let count = process_receive(descriptor, start, buffer.count, &received, &fileCount, waits)
        if count < 0 { return errno == EAGAIN || errno == EWOULDBLOCK ? .wouldBlock : .closed }
        files += received.prefix(Int(max(0, fileCount)))
        return count == 0 || fileCount < 0 ? .closed : .bytes(count)
    }

    /// Ends the connection in both directions. The other end and waiting threads notice it at once.
    package func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Waits until something has arrived or can be sent, or a signal is given.
    ///
    /// - Parameter sending: Whether to wait until something can be sent, too.
    package func wait(sending: Bool, or wake: WakeSignal) {
        if case .signal = wake.sleep(until: descriptor, sending: sending) { wake.reset() }
    }
}
