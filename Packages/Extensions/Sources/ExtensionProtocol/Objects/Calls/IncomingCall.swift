import PluginCore
import PluginExtension
import Synchronization

/// A call of the other process, which gets one reply.
final class IncomingCall: Sendable {
    private let object: (any ExportedObject)?
    private let call: Call
    private let arguments: ReceivedValues
    private let request: IncomingRequest
    private let isStarted = Mutex(false)

    init(_ request: IncomingRequest, _ call: Call, of object: (any ExportedObject)?, _ arguments: ReceivedValues) {
        self.object = object
        self.call = call
        self.request = request
        self.arguments = arguments
    }

    // A call that waits for this one to be handled in its task can end before that.
    deinit { if !isStarted.withLock({ $0 }) { request.fail(CancellationError()) } }

    /// Runs the function in a task that inherits the task-local values of the calling one.
    func start() {
        let objects = arguments.objects
        isStarted.withLock { $0 = true }
        request.reply(on: objects.executor) { [self] in
            let result: Result<TransferredValues, any Error>
            do {
                guard let object else {
                    throw AtriumError(.parameterType, "\(call.object)", reason: "objectReleased")
                }
                result = .success(try await objects.run(call.function, of: object, arguments, for: request.number))
            } catch {
                result = .failure(error)
            }
            await objects.sendChangedPages()
            return try result.get()
        }
    }
}

/// The sizes of values of the other process, in bytes.
struct ValueSizes {
    /// The size of the values as they were received.
    var received = 0
    /// The size of what was decoded from them.
    var decoded = 0
}

/// The limits for the values of the other process's calls that are handled at the same time.
final class ValueBudget: Sendable {
    /// The maximum of each size.
    private static let limit = 64 << 20
    static let exceeded = ProtocolViolation.tooManyValues(limit)

    private let held = Mutex(ValueSizes())

    /// The sizes of all values that are handled.
    var sizes: ValueSizes { held.withLock { $0 } }

    /// Counts a size, unless all of them become too large. Returns whether it was counted.
    func hold(_ size: Int, as part: WritableKeyPath<ValueSizes, Int>) -> Bool {
        held.withLock { sizes in
            // The sum could be too large for a number.
            guard size <= Self.limit - sizes[keyPath: part] else { return false }
            sizes[keyPath: part] += size
            return true
        }
    }

    /// Ends the counting of values.
    func release(_ sizes: ValueSizes) {
        held.withLock { held in
            held.received -= sizes.received
            held.decoded -= sizes.decoded
        }
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
        /// The sizes that are counted for these values.
        var sizes = ValueSizes()
    }

    /// The size as which a reference counts, in bytes.
    private static let referenceSize = 64

    init(_ values: TransferredValues, _ objects: ObjectConnection) {
        self.values = values
        self.objects = objects
        state = Mutex(State(unread: Dictionary(values.objects.map { ($0, 1) }, uniquingKeysWith: +)))
    }

    deinit {
        let state = state.withLock { $0 }
        objects.budget.release(state.sizes)
        for (number, count) in state.unread { objects.send(Messages.release, number, count) }
    }

    /// Counts the size of the message as long as the values are handled.
    ///
    /// - Throws: A violation if all values of the connection that are handled are too large.
    func holdMessage() throws(ProtocolViolation) {
        let inMessage = if case .bytes(let bytes) = values.bytes.attachment.content { bytes.count } else { 0 }
        let size = inMessage + values.objects.count * Self.referenceSize
        guard hold(size, as: \.received) else { throw ValueBudget.exceeded }
    }

    /// Returns the plain values.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `parameterType` if a file with them cannot be read or is too large.
    func load() throws -> [UInt8] {
        if case .bytes(let bytes) = values.bytes.attachment.content { return bytes }
        let size = try values.bytes.attachment.size
        guard hold(size, as: \.received) else {
            throw AtriumError(.parameterType, "", reason: ValueBudget.exceeded.reason)
        }
        return try values.bytes.attachment.load(limit: size)
    }

    /// Counts a size as long as these values are handled. Returns false if all of the connection would be too large.
    func hold(_ size: Int, as part: WritableKeyPath<ValueSizes, Int>) -> Bool {
        guard objects.budget.hold(size, as: part) else { return false }
        state.withLock { $0.sizes[keyPath: part] += size }
        return true
    }

    /// Takes a reference to an object, which the caller then releases.
    ///
    /// - Parameter make: Returns the object for the reference.
    /// - Throws: ``WireReader/Malformed`` if the message does not contain the reference, and the error of the closure.
    func take<Object>(_ number: UInt32, _ make: (UInt32, ObjectConnection) throws -> Object) throws -> Object {
        guard state.withLock({ $0.unread[number] }) != nil else { throw WireReader.Malformed() }
        let object = try make(number, objects)
        state.withLock { state in
            guard let count = state.unread[number] else { return }
            state.unread[number] = count == 1 ? nil : count - 1
        }
        return object
    }
}
