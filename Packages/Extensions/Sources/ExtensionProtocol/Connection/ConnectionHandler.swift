import HostSystem
import Synchronization

/// The receiver of what the other process sends. Its functions run on the connection's thread and must return soon.
package protocol ConnectionHandler: Sendable {
    /// Receives a request, and replies to it now or later.
    ///
    /// - Throws: A violation, which ends the connection.
    func receive(_ request: IncomingRequest) throws(ProtocolViolation)
    /// Receives a message without a reply.
    ///
    /// - Throws: A violation, which ends the connection.
    func receive(_ event: Frame) throws(ProtocolViolation)
    /// Receives the end of the connection, once.
    func connectionEnded(_ end: Connection.End)
}

/// A request of the other process, which gets one reply.
package final class IncomingRequest: Sendable {
    /// The number of the message.
    package let method: UInt16
    /// The number that the other process has chosen.
    package let number: UInt32
    /// The number of bytes of its body.
    let size: Int
    /// The frame until it is decoded; afterwards only what was read of it stays, and so only files that are needed.
    private let frame: Mutex<Frame?>
    private let connection: Connection
    private let canceling = Mutex<(isCanceled: Bool, body: (@Sendable () -> Void)?)>((false, nil))

    init(_ frame: Frame, _ connection: Connection) {
        method = frame.method
        number = frame.number
        size = frame.body.count
        self.frame = Mutex(frame)
        self.connection = connection
    }

    /// Decodes the values of the message, once.
    ///
    /// - Throws: A violation for a body that does not consist of them.
    package func decode<Reply, each Value: WireValue>(
        _ message: Message<Reply, repeat each Value>
    ) throws(ProtocolViolation) -> (repeat each Value) {
        guard let frame = frame.withLock({ $0.take() }) else { throw .messageMalformed(method) }
        return try frame.decode()
    }

    /// Sends the reply. A request gets one reply; a second one is dropped.
    package func reply(_ value: some WireEncodable) { connection.reply(value, to: number) }

    /// Sends an error in place of a reply.
    package func fail(_ error: any Error) { connection.fail(error, number) }

    /// Replies with the result of a closure, or with its error, unless the other process no longer waits; then its task is canceled.
    package func reply<Reply: WireEncodable>(
        on executor: (any TaskExecutor)? = nil, with body: @escaping @Sendable () async throws -> Reply
    ) {
        let task = Task(executorPreference: executor) { [self] in
            do {
                reply(try await body())
            } catch {
                fail(error)
            }
        }
        onCancel { task.cancel() }
    }

    /// Sets the closure that runs when the other process no longer waits for the reply.
    package func onCancel(_ body: @escaping @Sendable () -> Void) {
        let isCanceled = canceling.withLock { state in
            state.body = body
            return state.isCanceled
        }
        if isCanceled { body() }
    }

    func cancel() {
        canceling.withLock { state in
            state.isCanceled = true
            return state.body
        }?()
    }
}

/// The limits for what the other process can make this one hold.
package struct ConnectionLimits {
    /// The number of the other process's requests without replies.
    var openRequests = 64
    /// The number of canceled requests whose replies have not arrived.
    var canceled = 256
    /// The number of bytes of the requests without replies.
    var openBytes = 64 << 20
    /// The number of the other process's files that are open in this one.
    var files = 64
    /// The number of bytes that wait until the other process reads. A descriptor counts as 64 KiB.
    var unsentBytes = 4 << 20

    /// The limits for an extension.
    package static let ofExtension = ConnectionLimits()
    /// The limits for a plugin, which makes and gets calls all the time.
    package static let ofPlugin = ConnectionLimits(openRequests: 1024, canceled: 1024)
}

/// Resumes tasks of the main actor on the thread that has received their replies, from where they go to the main thread.
///
/// Without it, a task that has waited for a continuation goes to a thread of Swift's pool before, which the system must wake.
final class ReplyExecutor: TaskExecutor {
    /// The number of the connection's thread; 0 before there is one.
    private let thread = Atomic(0)

    /// Takes the calling thread for that of the connection.
    func begin() { thread.store(SystemThreads.current, ordering: .releasing) }

    func enqueue(_ job: consuming ExecutorJob) {
        // A task that is canceled must not go on in its canceler, which has locked it.
        guard thread.load(ordering: .acquiring) == SystemThreads.current else {
            return globalConcurrentExecutor.enqueue(job)
        }
        job.runSynchronously(on: asUnownedTaskExecutor())
    }
}
