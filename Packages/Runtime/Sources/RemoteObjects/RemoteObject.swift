internal import ExtensionProtocol
internal import Synchronization

/// An object that the other process can call.
package protocol RemoteObject: Sendable {
    /// Runs a function.
    ///
    /// - Parameters:
    ///   - function: The number of the function.
    ///   - arguments: The arguments in the form of the function.
    ///   - result: Receives the result in the form of the function.
    /// - Throws: Any error, which the caller gets; ``WireReader/Malformed`` for arguments in another form.
    func run(_ function: UInt8, _ arguments: inout ValueReader, _ result: inout ValueWriter) async throws
}

/// An object of the other process. When the last reference is gone, the other process learns that the object is not needed any more.
package final class RemoteReference: Sendable {
    /// This side of the connection, through which calls are sent.
    package let peer: Peer
    /// The number of the object.
    package let number: UInt32
    private let received: Mutex<UInt32>

    init(_ number: UInt32, of peer: Peer) {
        self.number = number
        self.peer = peer
        received = Mutex(1)
    }

    deinit { peer.release(number, received.withLock { $0 }) }

    /// Records that the object was received once more.
    func receiveAgain() { received.withLock { $0 += 1 } }

    /// Calls a function.
    ///
    /// - Throws: The errors of ``Peer/call(_:_:_:)``.
    @discardableResult
    package func call(
        _ function: some RawRepresentable<UInt8>,
        _ write: (inout ValueWriter) throws -> Void = { _ in }
    ) async throws -> ValueReader {
        try await peer.call(number, function.rawValue, write)
    }

    /// Calls a function without waiting. The arguments contain no pages. Arguments that cannot pass are dropped with the call.
    package func notify(
        _ function: some RawRepresentable<UInt8>, _ write: (inout ValueWriter) throws -> Void = { _ in }
    ) {
        try? peer.notify(number, function.rawValue, write)
    }
}
