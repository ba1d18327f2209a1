internal import PluginCore
internal import Synchronization

/// A call of the other process, which gets one reply.
final class IncomingCall: Sendable {
    private let object: (any ExportedObject)?
    private let call: Call
    private let arguments: ReceivedValues
    private let request: IncomingRequest
    private let objects: ObjectConnection
    private let isStarted = Mutex(false)

    init(_ request: IncomingRequest, _ call: Call, of object: (any ExportedObject)?, _ objects: ObjectConnection) {
        self.object = object
        self.call = call
        self.request = request
        self.objects = objects
        arguments = ReceivedValues(call.arguments, objects)
    }

    // A call that waits for this one to be handled in its task can end before that.
    deinit { if !isStarted.withLock({ $0 }) { request.fail(CancellationError()) } }

    /// Runs the function in a task that inherits the task-local values of the calling one.
    func start() {
        isStarted.withLock { $0 = true }
        let task = Task(executorPreference: objects.executor) { [self] in
            do {
                guard let object else {
                    throw AtriumError(.parameterType, "\(call.object)", reason: "objectReleased")
                }
                let values = try await objects.run(call.function, of: object, arguments, for: request.number)
                await objects.sendChangedPages()
                request.reply(values)
            } catch {
                await objects.sendChangedPages()
                request.fail(error)
            }
        }
        request.onCancel { task.cancel() }
    }
}

/// The values of a received message, and the objects of the other process that they refer to.
///
/// Objects that nobody has read when the last reference is gone are released. So it does not matter whether a message is handled, fails
/// or is a reply for which nobody waits any more.
final class ReceivedValues: Sendable {
    private let values: TransferredValues
    /// The connection to the process that has sent the message.
    let objects: ObjectConnection
    private let state: Mutex<State>

    private struct State {
        /// The number of references to each object that were not read yet.
        var unread: [UInt32: UInt32]
        /// The size that is counted for these values.
        var size: Int
        /// The size that is counted for what was decoded of them.
        var decodedSize = 0
    }

    /// The size as which a reference counts, in bytes.
    private static let referenceSize = 64

    init(_ values: TransferredValues, _ objects: ObjectConnection) {
        self.values = values
        self.objects = objects
        let inMessage = if case .bytes(let bytes) = values.bytes.attachment.content { bytes.count } else { 0 }
        let size = inMessage + values.objects.count * Self.referenceSize
        state = Mutex(State(unread: Dictionary(values.objects.map { ($0, 1) }, uniquingKeysWith: +), size: size))
        objects.hold(size)
    }

    deinit {
        let state = state.withLock { $0 }
        objects.hold(-state.size)
        objects.releaseDecoded(state.decodedSize)
        for (number, count) in state.unread { objects.releaseUnread(number, count) }
    }

    /// Returns the plain values.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` if a file with them is too large or cannot be read.
    func load() throws -> [UInt8] {
        if case .bytes(let bytes) = values.bytes.attachment.content { return bytes }
        let size = try values.bytes.attachment.size
        try objects.holdFile(size)
        state.withLock { $0.size += size }
        return try values.bytes.attachment.load(limit: size)
    }

    /// Counts a part of what is decoded from these values, as long as they are handled.
    ///
    /// - Returns: Whether the decoded values of the connection are not too large.
    func take(_ size: Int) -> Bool {
        guard objects.holdDecoded(size) else { return false }
        state.withLock { $0.decodedSize += size }
        return true
    }

    /// Takes a reference to an object, which the caller then releases.
    ///
    /// - Parameter make: Returns the object for the reference.
    /// - Throws: ``WireReader/Malformed`` if the message does not contain the reference, and the error of the closure.
    func take<Object>(_ number: UInt32, _ make: (UInt32) throws -> Object) throws -> Object {
        guard state.withLock({ $0.unread[number] }) != nil else { throw WireReader.Malformed() }
        let object = try make(number)
        state.withLock { state in
            guard let count = state.unread[number] else { return }
            state.unread[number] = count == 1 ? nil : count - 1
        }
        return object
    }
}
