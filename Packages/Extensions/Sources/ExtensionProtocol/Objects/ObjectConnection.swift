import HostSystem
import PluginCore
import PluginExtension
import Processes
import Synchronization

/// A connection over which a host and the process of a plugin call each other's objects.
///
/// An object gets a number when it is first passed to the other process: a closure, a page, or the object with number 0 with which the
/// connection begins. See <doc:RemoteObjects>.
package final class ObjectConnection: Sendable {
    /// The maximum number of notifications of the other process that wait to be handled.
    private static let notificationLimit = 10_000

    /// The request that the current task handles, and the connection that has received it.
    @TaskLocal private static var handling: (connection: ObjectIdentifier, request: UInt32)?

    private struct State {
        var connection: Connection?
        /// The executor for the handling of the other process's messages.
        var executor: MessageExecutor?
        /// The check of the other process's main thread while a call waits.
        var check: (limit: Double, onHang: @Sendable () -> Void)?
        var table = ObjectTable()
        var waitingNotifications = 0
        var isEnded = false
        /// The calls that wait for replies, by number. Each runs the calls that the other process makes meanwhile.
        var waiting: [UInt32: AsyncStream<Work>.Continuation] = [:]
    }

    /// The handling of a call of the other process.
    private typealias Work = @Sendable () async -> Void

    private let root: (any ExportedObject)?
    let settings: ObjectConnectionSettings
    private let state = Mutex(State())
    let budget = ValueBudget()
    /// The calls without results and without causes.
    private let notifications: AsyncStream<Work>
    private let notificationQueue: AsyncStream<Work>.Continuation

    /// Creates a side of a connection.
    ///
    /// - Parameters:
    ///   - root: The object with number 0, if there is one.
    ///   - settings: The handling of pages and of the end of the other process.
    package init(root: (any ExportedObject)?, _ settings: ObjectConnectionSettings = ObjectConnectionSettings()) {
        self.root = root
        self.settings = settings
        (notifications, notificationQueue) = AsyncStream.makeStream()
    }

    /// Sets the connection, and begins to handle the notifications of the other process.
    ///
    /// - Parameters:
    ///   - limit: The time in which the main thread of the other process must respond while a call waits, in seconds, or nil for any time.
    ///   - onHang: Called when it has not responded in that time.
    package func start(
        on connection: Connection, responseLimit limit: Double? = nil, onHang: @escaping @Sendable () -> Void = {}
    ) {
        let executor = connection.sender.map { MessageExecutor(for: $0) }
        state.withLock { state in
            state.connection = connection
            state.executor = executor
            state.check = limit.map { ($0, onHang) }
        }
        let notifications = notifications
        Task.detached(executorPreference: executor) { for await work in notifications { await work() } }
    }

    /// The process of the other side, for the report of a crash while a value of it is read.
    var sender: MessageSender? { state.withLock { $0.connection?.sender } }

    /// The executor for the handling of the other process's messages.
    var executor: MessageExecutor? { state.withLock { $0.executor } }

    var connection: Connection {
        get throws {
            guard let connection = state.withLock({ $0.connection }) else { throw Connection.End.closedHere }
            return connection
        }
    }

    // MARK: Calling

    /// Calls a function of an object in the other process.
    ///
    /// A call that the other process makes in order to handle this one runs in a task that inherits the caller's task-local values. So a
    /// chain of requests through several processes is known as a whole.
    ///
    /// - Parameter object: The number of the object; 0 for the one with which the connection begins.
    /// - Throws: The error of the function; the error of ``ObjectConnectionSettings/failure`` if the process ends before the reply;
    ///   `CancellationError`; ``AtriumError`` with code `parameterType` for an argument that cannot pass.
    package func call<Result: WireDecodable, each Argument: WireEncodable>(
        _ function: some RawRepresentable<UInt8>, of object: UInt32 = 0, _ arguments: repeat each Argument,
        as type: Result.Type = Result.self
    ) async throws -> Result {
        let call = try call(function.rawValue, object, repeat each arguments)
        await sendChangedPages()
        let (nested, continuation) = AsyncStream<Work>.makeStream()
        let check = state.withLock { $0.check }.map { check in
            Task.detached { [self] in try await checkMainThread(every: check.limit, check.onHang) }
        }
        defer { check?.cancel() }
        async let reply = reply(to: call, continuation)
        for await work in nested { await work() }
        var reader = try WireReader(await reply)
        return try reader.read()
    }

    /// Calls a function without a result of an object in the other process.
    func call<each Argument: WireEncodable>(
        _ function: some RawRepresentable<UInt8>, of object: UInt32 = 0, _ arguments: repeat each Argument
    ) async throws {
        let _: EmptyReply = try await call(function, of: object, repeat each arguments)
    }

    /// Calls a function of the object with number 0, and blocks the calling thread until the reply.
    func callBlocking<Result: WireDecodable, each Argument: WireEncodable>(
        _ function: some RawRepresentable<UInt8>, _ arguments: repeat each Argument
    ) throws -> Result {
        let call = try call(function.rawValue, 0, repeat each arguments)
        var reader = try WireReader(ReceivedValues(connection.requestBlocking(Messages.call, call), self))
        return try reader.read()
    }

    /// Calls a function without waiting for its end. The other process handles such calls with one cause one after the other.
    ///
    /// Arguments that cannot pass are dropped with the call.
    func notify<each Argument: WireEncodable>(
        _ function: some RawRepresentable<UInt8>, of object: UInt32 = 0, _ arguments: repeat each Argument
    ) {
        if let call = try? call(function.rawValue, object, repeat each arguments) { send(Messages.notify, call) }
    }

    /// Calls a function without waiting for its end, after sending the contents of pages among the arguments.
    ///
    /// - Throws: ``AtriumError`` with code `parameterType` for an argument that cannot pass.
    @MainActor
    func notifyWithPages<each Argument: WireEncodable>(
        _ function: some RawRepresentable<UInt8>, of object: UInt32, _ arguments: repeat each Argument
    ) throws {
        let call = try call(function.rawValue, object, repeat each arguments)
        sendChangedPagesNow()
        send(Messages.notify, call)
    }

    private func reply(to call: Call, _ nested: AsyncStream<Work>.Continuation) async throws -> ReceivedValues {
        let number = Mutex<UInt32?>(nil)
        defer {
            if let number = number.withLock({ $0 }) { _ = state.withLock { $0.waiting.removeValue(forKey: number) } }
            nested.finish()
        }
        do {
            let reply = try await connection.request(Messages.call, call) { request in
                number.withLock { $0 = request }
                state.withLock { $0.waiting[request] = nested }
            } onLateReply: { [weak self] reply in
                if let self { _ = ReceivedValues(reply, self) }
            }
            return ReceivedValues(reply, self)
        } catch {
            let wasSent = number.withLock { $0 != nil }
            if !wasSent { removeExports(call.arguments.objects) }
            switch error {
            case let violation as ProtocolViolation:
                throw AtriumError(.parameterType, "", reason: violation.reason)
            case let end as Connection.End: throw await settings.failure(end)
            default: throw error
            }
        }
    }

    /// Returns a call, ready to cross. It names the request of the other process in whose handling the current task makes it.
    func call<each Argument: WireEncodable>(
        _ function: UInt8, _ object: UInt32, _ arguments: repeat each Argument
    ) throws -> Call {
        let handling = Self.handling.flatMap { $0.connection == ObjectIdentifier(self) ? $0.request : nil }
        let values = try TransferredValues(of: self, storingIn: settings.folder) { $0.write(repeat each arguments) }
        return Call(object: object, function: function, context: handling ?? 0, arguments: values)
    }

    // MARK: Receiving

    /// Handles a request if it belongs to this type.
    package func receive(_ request: IncomingRequest) throws(ProtocolViolation) {
        guard request.method == Messages.call.number else { throw .messageUnknown(request.method) }
        let message = try request.decode(Messages.call)
        let arguments = ReceivedValues(message.arguments, self)
        try arguments.holdMessage()
        let call = IncomingCall(request, message, of: object(message.object), arguments)
        let waiting = state.withLock { $0.waiting[message.context] }
        if case .enqueued? = waiting?.yield({ call.start() }) { return }
        call.start()
    }

    /// Handles an event if it belongs to this type.
    package func receive(_ event: Frame) throws(ProtocolViolation) {
        switch event.method {
        case Messages.notify.number: try receive(event.decode(Messages.notify))
        case Messages.release.number:
            let (object, count) = try event.decode(Messages.release)
            removeExport(object, count)
        case Messages.pageChanged.number:
            let (page, content) = try event.decode(Messages.pageChanged)
            do {
                try setContent(content, of: page)
            } catch {
                throw .messageMalformed(event.method)
            }
        default: throw .messageUnknown(event.method)
        }
    }

    private func receive(_ call: Call) throws(ProtocolViolation) {
        let arguments = ReceivedValues(call.arguments, self)
        try arguments.holdMessage()
        guard let object = object(call.object) else { return }
        let (count, waiting) = state.withLock { state in
            state.waitingNotifications += 1
            return (state.waitingNotifications, state.waiting[call.context])
        }
        if count > Self.notificationLimit { throw .tooManyRequests(Self.notificationLimit) }
        // The object is kept, because the other process may release it right after the call.
        let work: Work = { [weak self] in await self?.notified(call.function, of: object, arguments) }
        if case .enqueued? = waiting?.yield(work) { return }
        notificationQueue.yield(work)
    }

    private func setContent(_ content: TransferredBytes?, of number: UInt32) throws {
        let bytes = try content?.attachment.load(limit: ObjectTable.contentLimit)
        let page = try state.withLock { state in
            try state.table.setContent(bytes, of: number)
            return state.table.livePage(number)
        }
        if let page, let bytes { page.update(try PageContent(decoding: bytes)) }
    }

    /// Ends the handling of notifications, tells the pages of the other process that it has ended, and releases what it used.
    package func end() {
        notificationQueue.finish()
        let pages = state.withLock { state in
            // The connection refers to its handler, and so to this object.
            state.connection = nil
            state.isEnded = true
            return state.table.livePages
        }
        releaseAll()
        for page in pages { page.processEnded() }
    }

    private func notified(_ function: UInt8, of object: any ExportedObject, _ arguments: ReceivedValues) async {
        defer { state.withLock { $0.waitingNotifications -= 1 } }
        // A notification has no reply that could carry an error.
        if let result = try? await run(function, of: object, arguments, for: 0) { removeExports(result.objects) }
        await sendChangedPages()
    }

    private func object(_ number: UInt32) -> (any ExportedObject)? {
        number == 0 ? root : state.withLock { $0.table.export(number)?.object }
    }

    /// Runs a function, and returns its result, ready to cross.
    func run(
        _ function: UInt8, of object: any ExportedObject, _ arguments: ReceivedValues, for request: UInt32
    ) async throws -> TransferredValues {
        do {
            var arguments = try WireReader(arguments)
            var result: any WireEncodable = EmptyReply()
            if function == Self.mainThread {
                await MainActor.run {}
            } else {
                try await Self.$handling.withValue((ObjectIdentifier(self), request)) {
                    try await settings.serving { result = try await object.run(function, &arguments) }
                }
            }
            return try TransferredValues(of: self, storingIn: settings.folder) { result.write(to: &$0) }
        } catch let error as WireReader.Malformed {
            let reason =
                error.isTooLarge
                ? ValueBudget.exceeded.reason : ErrorReason("messageMalformed", ["message": .integer(Int(function))])
            throw AtriumError(.parameterType, "", reason: reason)
        }
    }

    // MARK: Objects of this process

    /// The number of objects that the other process uses.
    var exportCount: Int { state.withLock { $0.table.exportCount } }

    /// Sends an event as it is.
    func send<each Value: WireValue>(_ event: Message<Never, repeat each Value>, _ values: repeat each Value) {
        state.withLock { $0.connection }?.send(event, repeat each values)
    }

    /// Returns the number for an object that is passed to the other process. After its end, it gets nothing, and the number means nothing.
    func export(_ object: any ExportedObject) -> UInt32 {
        state.withLock { $0.isEnded ? 0 : $0.table.add(object) }
    }

    /// Returns the number for a page that is passed to the other process. After its end, it gets nothing, and the number means nothing.
    func export(_ page: any Page) -> UInt32 {
        state.withLock { state in
            guard !state.isEnded else { return 0 }
            // It returns when the other process could have shown the content.
            return state.table.add(page) { [weak self] in
                await self?.sendChangedPages()
                try? await self?.waitForMainThread()
            }
        }
    }

    /// Returns this process's page with a number.
    func ownPage(_ number: UInt32) -> (any Page)? { state.withLock { $0.table.export(number)?.page?.page } }

    /// Releases all objects that the other process has received, because it ends.
    ///
    /// They can refer to objects of the other process, and so to this connection.
    package func releaseAll() {
        // The objects are released outside of the lock, because their deinitializers can use this object.
        let released = state.withLock { $0.table.removeAll() }
        withExtendedLifetime(released) {}
    }

    func removeExports(_ numbers: [UInt32]) {
        for number in numbers { removeExport(number, 1) }
    }

    private func removeExport(_ number: UInt32, _ count: UInt32) {
        // The object is released outside of the lock, because its deinitializer can use this object.
        let removed = state.withLock { $0.table.remove(number, count) }
        defer { withExtendedLifetime(removed) {} }
        if removed?.page != nil { send(Messages.pageChanged, number, nil) }
    }

    /// Sends the content of the pages that have changed since they were sent, if there are pages.
    func sendChangedPages() async {
        if state.withLock({ !$0.table.exportedPages.isEmpty }) { await sendChangedPagesNow() }
    }

    /// Sends the content of the pages that have changed since they were sent.
    @MainActor
    private func sendChangedPagesNow() {
        for (number, page) in state.withLock({ $0.table.exportedPages }) {
            guard let content = page.changedContent() else { continue }
            guard let bytes = try? TransferredBytes(content.encoded, storingIn: settings.folder) else {
                page.forgetSent()
                continue
            }
            send(Messages.pageChanged, number, bytes)
            // The other process can have released the page meanwhile, and would keep the content for nothing.
            if state.withLock({ $0.table.export(number) == nil }) { send(Messages.pageChanged, number, nil) }
        }
    }

    // MARK: Objects of the other process

    /// Counts a reference to an object of the other process.
    func addReference() throws { try state.withLock { try $0.table.addReference() } }

    /// Returns a page of the other process, which is always the same object.
    func page(_ number: UInt32) throws -> RemotePage {
        let (page, bytes) = state.withLock { ($0.table.livePage(number), $0.table.content(of: number)) }
        if let page {
            page.reference.receiveAgain()
            return page
        }
        guard let bytes, let content = try? PageContent(decoding: bytes) else { throw WireReader.Malformed() }
        try addReference()
        let created = RemotePage(RemoteReference(number, of: self), content)
        // Another message can have contained the same page meanwhile.
        let (used, isEnded) = state.withLock { ($0.table.add(created, number), $0.isEnded) }
        if isEnded { used.processEnded() }
        if used === created { settings.onPage(created) }
        return used
    }

    /// Tells the other process that references to an object are gone.
    func release(_ number: UInt32, _ count: UInt32) {
        let removed = state.withLock { $0.table.removeReference(number) }
        defer { withExtendedLifetime(removed) {} }
        send(Messages.release, number, count)
        if removed.isPage { settings.onPageRelease() }
    }
}
