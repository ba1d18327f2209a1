internal import ExtensionProtocol
internal import Synchronization

/// An object of the other process. When the last reference is gone, the other process learns that the object is not needed any more.
package final class RemoteReference: Sendable {
    /// The connection to the process of the object.
    package let objects: ObjectConnection
    /// The number of the object.
    package let number: UInt32
    /// The number of times that this process has received the object.
    private let received: Mutex<UInt32>

    init(_ number: UInt32, of objects: ObjectConnection) {
        self.number = number
        self.objects = objects
        received = Mutex(1)
    }

    deinit { objects.release(number, received.withLock { $0 }) }

    /// Records that the object was received once more.
    func receiveAgain() { received.withLock { $0 += 1 } }

    /// Calls a function.
    ///
    /// - Throws: The errors of ``ObjectConnection/call(_:_:_:)``.
    @discardableResult
    package func call(
        _ function: some RawRepresentable<UInt8>,
        _ write: (inout ValueWriter) throws -> Void = { _ in }
    ) async throws -> ValueReader {
        try await objects.call(number, function.rawValue, write)
    }

    /// Calls a function without waiting. The arguments contain no pages. Arguments that cannot pass are dropped with the call.
    package func notify(
        _ function: some RawRepresentable<UInt8>, _ write: (inout ValueWriter) throws -> Void = { _ in }
    ) {
        try? objects.notify(number, function.rawValue, write)
    }
}
