import HostSystem
package import PluginCore
import PluginExtension
package import Processes
import Synchronization

/// A connection to the other process: it sends requests and events, and passes those of the other process to a handler.
///
/// Both sides use the same type. A thread of the connection's own receives; sending never waits. Nothing that the other process does can
/// block this one or make it use more memory than ``ConnectionLimits`` allow.
package final class Connection: Sendable {
    /// The reasons for which a connection ends.
    package enum End: Error, Hashable {
        /// The other process has closed it, or has ended.
        case closedByPeer
        /// This process has closed it.
        case closedHere
        /// The other process has broken a rule of the protocol.
        case violation(ProtocolViolation)
    }

    /// The process whose messages this connection receives, for the report of a crash meanwhile.
    package let sender: MessageSender?
    private let limits: ConnectionLimits
    private let state: Mutex<State>
    private let executor = ReplyExecutor()

    /// Creates a connection over a socket. Nothing is received before ``start(after:handler:)``.
    package init(
        _ socket: MessageSocket, limits: ConnectionLimits = .ofExtension, to sender: MessageSender? = nil
    ) throws(AtriumError) {
        self.sender = sender
        self.limits = limits
        let wake = try WakeSignal(for: "pipe", failing: "creatingFailed")
        state = Mutex(State(descriptors: Descriptors(socket: socket, wake: wake)))
    }

    /// Starts receiving, on a thread of its own.
    ///
    /// - Parameters:
    ///   - reader: The reader with what was received before.
    ///   - handler: Receives what the other process sends, until the connection has ended.
    package func start(
        after reader: FrameReader = FrameReader(), handler: any ConnectionHandler
    ) throws(AtriumError) {
        try DetachedThread.run {
            _ = MessageSender.begin(self.sender)
            self.executor.begin()
            self.finish(self.receive(reader, handler), handler)
        }
    }

    /// Sends a request and waits for its reply.
    ///
    /// - Parameters:
    ///   - skipsPool: Whether a task of the main actor goes on without a thread of Swift's pool. Its reply can then overtake what the other
    ///     process has sent before, if the handling of that takes a way over the pool.
    ///   - willSend: Receives the request's number before it is sent. A request of a canceled task is not sent.
    ///   - onLateReply: Receives the reply that arrives after the task was canceled.
    ///   - isolation: The caller's actor, on which the call stays.
    /// - Throws: The error of the other process as ``AtriumError``; ``End`` if the connection ends before the reply; `CancellationError` if
    ///   the task is canceled, of which the other process is told; ``ProtocolViolation`` for a message that is too large to be sent.
    package func request<Reply: WireDecodable, each Value: WireValue>(
        _ message: Message<Reply, repeat each Value>, _ values: repeat each Value, skipsPool: Bool = false,
        willSend: (UInt32) -> Void = { _ in }, onLateReply: @escaping @Sendable (Reply) -> Void = { _ in },
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> Reply {
        let frame = try frame(of: message, repeat each values)
        // A canceled request keeps no more of its frame than these, because its reply may never come.
        let (number, method) = (frame.number, frame.method)
        return try await withTaskCancellationHandler {
            // A closure that does not mention the caller's actor would run on another thread.
            _ = isolation
            return try await withTaskExecutorPreference(skipsPool && isolation === MainActor.shared ? executor : nil) {
                _ = isolation
                return try await withCheckedThrowingContinuation {
                    (continuation: CheckedContinuation<Reply, any Error>) in
                    guard wait(for: frame, unless: { Task.isCancelled }, { continuation.resume(with: $0) }) else {
                        return
                    }
                    willSend(number)
                    enqueue(frame)
                }
            }
        } onCancel: {
            cancel(number) { end throws(ProtocolViolation) in
                try Self.finish(end, method) { (result: Result<Reply, any Error>) in
                    if case .success(let reply) = result { onLateReply(reply) }
                }
            }
        }
    }

    /// Sends a request and blocks the calling thread until its reply. The connection's own thread must not call this.
    ///
    /// - Throws: As ``request(_:_:skipsPool:willSend:onLateReply:isolation:)``, except for `CancellationError`.
    package func requestBlocking<Reply: WireDecodable, each Value: WireValue>(
        _ message: Message<Reply, repeat each Value>, _ values: repeat each Value
    ) throws -> Reply {
        let frame = try frame(of: message, repeat each values)
        let reply = BlockingResult<Reply, any Error>()
        if wait(for: frame, { reply.finish($0) }) { enqueue(frame) }
        return try reply.wait().get()
    }

    /// Returns the frame of a new request.
    private func frame<Reply, each Value: WireValue>(
        of message: Message<Reply, repeat each Value>, _ values: repeat each Value
    ) throws -> Frame {
        let number = state.withLock { state in
            state.lastNumber &+= 1
            return state.lastNumber
        }
        let frame = Frame(.request, message.number, number: number, repeat each values)
        try frame.requireSendable()
        return frame
    }

    /// Sends a message without a reply, unless it is too large.
    package func send<each Value: WireValue>(_ event: Message<Never, repeat each Value>, _ values: repeat each Value) {
        let frame = Frame(.event, event.number, repeat each values)
        if (try? frame.requireSendable()) != nil { enqueue(frame) }
    }

    /// Returns whether a request of this process has neither a reply nor been canceled.
    package func waits(for number: UInt32) -> Bool {
        state.withLock { $0.pending[number] != nil && !$0.canceled.contains(number) }
    }

    /// Ends the connection. Requests that wait for replies fail.
    package func close() { stop(.closedHere) }

    // MARK: Replies

    /// A closure that receives the end of a request, and throws a violation for a reply that it cannot decode.
    private typealias Pending = @Sendable (Result<Frame, any Error>) throws(ProtocolViolation) -> Void

    /// The descriptors of a connection, which are closed with the last reference to each.
    private struct Descriptors {
        let socket: MessageSocket
        let wake: WakeSignal
    }

    /// The state that threads share.
    private struct State {
        /// The descriptors; nil after the connection has ended, so that requests that are still being handled do not keep them open.
        var descriptors: Descriptors?
        var lastNumber: UInt32 = 0
        /// The closures that receive the ends of this process's requests.
        var pending: [UInt32: Pending] = [:]
        /// The canceled requests among them, whose ends come late.
        var canceled: Set<UInt32> = []
        /// The requests of the other process without replies, and the size of their bodies.
        var incoming: [UInt32: IncomingRequest] = [:]
        var incomingSize = 0
        var outgoing: [Outgoing] = []
        var outgoingSize = 0
        /// The reason for which this process ends the connection; its thread then does so.
        var stop: End?
        /// The reason for which it has ended.
        var end: End?
        var isOpen: Bool { stop == nil && end == nil }
    }

    /// A frame of which a part was not sent yet.
    private struct Outgoing {
        /// The number of bytes as which a descriptor counts, because this process has few of them, and each can hold memory.
        private static let fileSize = 64 << 10

        var bytes: ArraySlice<UInt8>
        var files: [AttachmentFile]

        var size: Int { bytes.count + files.count * Self.fileSize }
    }

    /// Makes the end of a request known to a closure. Returns false if the request has ended before it was sent.
    ///
    /// - Parameter isCanceled: Called under the lock, so that a later cancellation finds the request.
    private func wait<Reply: WireDecodable>(
        for request: Frame, unless isCanceled: () -> Bool = { false },
        _ finish: @escaping @Sendable (Result<Reply, any Error>) -> Void
    ) -> Bool {
        let method = request.method
        let failure: (any Error)? = state.withLock { state in
            if let end = state.end ?? state.stop { return end }
            if isCanceled() { return CancellationError() }
            state.pending[request.number] = { end throws(ProtocolViolation) in try Self.finish(end, method, finish) }
            return nil
        }
        if let failure { finish(.failure(failure)) }
        return failure == nil
    }

    /// Decodes the end of a request, and throws a violation if that is not possible.
    private static func finish<Reply: WireDecodable>(
        _ end: Result<Frame, any Error>, _ method: UInt16, _ finish: (Result<Reply, any Error>) -> Void
    ) throws(ProtocolViolation) {
        do {
            let frame = try end.get()
            let body = Frame(frame.kind, method: method, body: frame.body, files: frame.files)
            if frame.kind == .reply {
                finish(.success(try body.decode()))
            } else {
                let error: WireError = try body.decode()
                finish(.failure(error.error))
            }
        } catch let violation as ProtocolViolation {
            finish(.failure(End.violation(violation)))
            throw violation
        } catch {
            finish(.failure(error))
        }
    }

    private func cancel(_ number: UInt32, onLateEnd: @escaping Pending) {
        let (waiting, isOver): (Pending?, Bool) = state.withLock { state in
            guard state.isOpen, let waiting = state.pending[number] else { return (nil, false) }
            state.pending[number] = onLateEnd
            state.canceled.insert(number)
            return (waiting, state.canceled.count > limits.canceled)
        }
        guard let waiting else { return }
        try? waiting(.failure(CancellationError()))
        enqueue(Frame(.cancel, number: number))
        if isOver { stop(.violation(.tooManyReplies(limits.canceled))) }
    }

    // MARK: Sending

    /// Sends the reply to a request of the other process.
    func reply(_ value: some WireEncodable, to number: UInt32) { end(Frame(.reply, number: number, value)) }

    /// Sends the error for a request of the other process.
    func fail(_ error: any Error, _ number: UInt32) { end(Frame(.failure, number: number, WireError(error))) }

    private func end(_ frame: Frame) {
        let isOpen = state.withLock { state in
            guard let request = state.incoming.removeValue(forKey: frame.number) else { return false }
            state.incomingSize -= request.size
            return true
        }
        guard isOpen else { return }
        // An oversized reply is this side's failure, and must not end the connection.
        do {
            try frame.requireSendable()
            enqueue(frame)
        } catch {
            let failure = WireError(AtriumError(.resultType, "", reason: error.reason))
            enqueue(Frame(.failure, number: frame.number, failure))
        }
    }

    /// Sends a frame, or as much as can be sent now; the thread sends the rest.
    private func enqueue(_ frame: Frame) {
        let bytes = frame.bytes
        let (waiting, isOver): (Descriptors?, Bool) = state.withLock { state in
            guard state.isOpen else { return (nil, false) }
            let outgoing = Outgoing(bytes: bytes[...], files: frame.files)
            state.outgoing.append(outgoing)
            state.outgoingSize += outgoing.size
            // The limit is for what waits, not for a frame that the system takes at once.
            if state.outgoing.count == 1 || state.outgoingSize > limits.unsentBytes { sendWaiting(&state) }
            return (state.outgoing.isEmpty ? nil : state.descriptors, state.outgoingSize > limits.unsentBytes)
        }
        if isOver { return stop(.violation(.notReading(limits.unsentBytes))) }
        waiting?.wake.signal()
    }

    private func sendWaiting(_ state: inout State) {
        while let socket = state.descriptors?.socket, let first = state.outgoing.first {
            let transfer = first.bytes.withUnsafeBytes {
                socket.send($0, files: first.files.map(\.descriptor), waits: false)
            }
            // The thread notices a closed connection when it receives.
            guard case .bytes(let count) = transfer else { return }
            // The descriptors were sent with the first of the bytes.
            let rest = Outgoing(bytes: first.bytes.dropFirst(count), files: [])
            state.outgoingSize -= first.size - rest.size
            if rest.bytes.isEmpty { state.outgoing.removeFirst() } else { state.outgoing[0] = rest }
        }
    }

    // MARK: Receiving

    /// Receives until the connection ends, and returns the reason.
    private func receive(_ start: FrameReader, _ handler: any ConnectionHandler) -> End {
        guard let descriptors = state.withLock({ $0.descriptors }) else { return .closedHere }
        var reader = start
        var held = HeldFiles(limit: limits.files)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { buffer.deallocate() }
        do {
            var hasMore = true
            while true {
                while let frame = try reader.next() { try accept(frame, handler) }
                if !hasMore { wait(for: descriptors) }
                var received: [Int32] = []
                switch descriptors.socket.receive(into: buffer, files: &received, waits: false) {
                case .bytes(let count):
                    let files = received.map(AttachmentFile.init(taking:))
                    try held.add(files)
                    reader.append(buffer[..<count], files: files)
                    hasMore = count == buffer.count
                case .closed: return state.withLock { $0.stop } ?? .closedByPeer
                case .wouldBlock: hasMore = false
                }
            }
        } catch {
            descriptors.socket.shutDown()
            return .violation(error)
        }
    }

    /// Waits until there is something to receive, to send or to do.
    private func wait(for descriptors: Descriptors) {
        let hasUnsent = state.withLock { state in
            sendWaiting(&state)
            return !state.outgoing.isEmpty
        }
        descriptors.socket.wait(sending: hasUnsent, or: descriptors.wake)
    }

    private func accept(_ frame: Frame, _ handler: any ConnectionHandler) throws(ProtocolViolation) {
        switch frame.kind {
        case .reply, .failure:
            let pending = try state.withLock { state throws(ProtocolViolation) in
                state.canceled.remove(frame.number)
                let pending = state.pending.removeValue(forKey: frame.number)
                guard pending != nil || !state.isOpen else { throw .replyWithoutRequest(frame.number) }
                return pending
            }
            try pending?(.success(frame))
        case .request:
            let request = IncomingRequest(frame, self)
            try state.withLock { state throws(ProtocolViolation) in
                if state.incoming[frame.number] != nil { throw .requestRepeated(frame.number) }
                if state.incoming.count >= limits.openRequests { throw .tooManyRequests(limits.openRequests) }
                guard state.incomingSize + request.size <= limits.openBytes else {
                    throw .tooManyValues(limits.openBytes)
                }
                state.incoming[frame.number] = request
                state.incomingSize += request.size
            }
            try handler.receive(request)
        case .cancel where !frame.files.isEmpty: throw .filesUnused
        case .cancel: state.withLock { $0.incoming[frame.number] }?.cancel()
        case .event: try handler.receive(frame)
        }
    }

    /// Makes the thread end the connection.
    private func stop(_ end: End) {
        let descriptors = state.withLock { state in
            if state.isOpen { state.stop = end }
            return state.descriptors
        }
        descriptors?.socket.shutDown()
        descriptors?.wake.signal()
    }

    /// Closes the descriptors, and lets all requests of this process fail.
    private func finish(_ end: End, _ handler: any ConnectionHandler) {
        let last: State = state.withLock { state in
            defer { state = State(end: end) }
            return state
        }
        for waiting in last.pending.values { try? waiting(.failure(end)) }
        handler.connectionEnded(end)
    }
}

/// The files of the other process that are open in this one, as long as anything refers to them.
private struct HeldFiles {
    private struct WeakFile {
        weak var file: AttachmentFile?
    }

    private let limit: Int
    private var files: [WeakFile] = []

    init(limit: Int) {
        self.limit = limit
    }

    mutating func add(_ new: [AttachmentFile]) throws(ProtocolViolation) {
        guard !new.isEmpty else { return }
        files.removeAll { $0.file == nil }
        files += new.map { WeakFile(file: $0) }
        if files.count > limit { throw .tooManyFilesHeld(limit) }
    }
}
