internal import PluginCore
internal import PluginExtension
internal import Synchronization

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
