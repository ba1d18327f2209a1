internal import HostSystem
package import PluginCore
internal import Synchronization

/// A connection over which a host and the process of a plugin call each other's objects.
///
/// An object gets a number when it is first passed to the other process: a closure, a page, or the object with number 0 with which the
/// connection begins. See <doc:RemoteObjects>.
package final class ObjectConnection: Sendable {
    /// The maximum number of notifications of the other process that wait to be handled.
    private static let notificationLimit = 10_000
    /// The maximum size of the values of the other process's calls that are handled at the same time, in bytes, and that of what is decoded
    /// from them.
    static let valueLimit = 64 << 20

    /// The function of all objects that returns when the main thread is free.
    private static let mainThread = UInt8.max

    /// The request that the current task handles, and the connection that has received it.
    @TaskLocal private static var handling: (connection: ObjectIdentifier, request: UInt32)?

    private struct State {
        var connection: Connection?
        /// The executor for the handling of the other process's messages.
        var executor: MessageExecutor?
        var check: ResponsivenessCheck?
        var table = ObjectTable()
        var waitingNotifications = 0
        /// The size of the values that are handled.
        var valueSize = 0
        /// The size of what was decoded from them.
        var decodedSize = 0
        var isEnded = false
        /// The calls that wait for replies, by number. Each runs the calls that the other process makes meanwhile.
        var waiting: [UInt32: AsyncStream<Work>.Continuation] = [:]
    }

    /// The handling of a call of the other process.
    private typealias Work = @Sendable () async -> Void

    private let root: any ExportedObject
    private let settings: ObjectConnectionSettings
    private let state = Mutex(State())
    /// The calls without results and without causes.
    private let notifications: AsyncStream<Work>
    private let notificationQueue: AsyncStream<Work>.Continuation

    /// Creates a side of a connection.
    ///
    /// - Parameters:
    ///   - root: The object with number 0.
    ///   - settings: The handling of pages and of the end of the other process.
    package init(root: any ExportedObject, _ settings: ObjectConnectionSettings = ObjectConnectionSettings()) {
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
            state.check = limit.map { ResponsivenessCheck(limit: $0, onHang: onHang) }
        }
        let notifications = notifications
        Task.detached(executorPreference: executor) { for await work in notifications { await work() } }
    }

    /// The process of the other side, for the report of a crash while a value of it is read.
    var sender: MessageSender? { state.withLock { $0.connection?.sender } }

    /// The executor for the handling of the other process's messages.
    var executor: MessageExecutor? { state.withLock { $0.executor } }

    private var connection: Connection {
        get throws {
            guard let connection = state.withLock({ $0.connection }) else { throw Connection.End.closedHere }
            return connection
        }
    }

    // MARK: Calling

    /// Calls a function of the object with which the connection begins.
    package func callRoot(
        _ function: some RawRepresentable<UInt8>, _ write: (inout ValueWriter) throws -> Void = { _ in }
    ) async throws -> ValueReader {
        try await call(0, function.rawValue, write)
    }

    /// Calls a function of an object in the other process.
    ///
    /// A call that the other process makes in order to handle this one runs in a task that inherits the caller's task-local values. So a
    /// chain of requests through several processes is known as a whole.
    ///
    /// - Throws: The error of the function; the error of ``ObjectConnectionSettings/failure`` if the process ends before the reply;
    ///   `CancellationError`.
    package func call(
        _ object: UInt32, _ function: UInt8, _ write: (inout ValueWriter) throws -> Void
    ) async throws -> ValueReader {
        let arguments = try encode(write)
        await sendChangedPages()
        let call = Call(object: object, function: function, context: context, arguments: arguments)
        let (nested, continuation) = AsyncStream<Work>.makeStream()
        let check = state.withLock { $0.check }
        check?.begin(self)
        defer { check?.end() }
        async let reply = reply(to: call, continuation)
        for await work in nested { await work() }
        return try ValueReader(await reply)
    }

    /// Calls a function of the object with number 0, and blocks the calling thread until the reply.
    package func callRootBlocking(
        _ function: some RawRepresentable<UInt8>, _ write: (inout ValueWriter) throws -> Void
    ) throws -> ValueReader {
        let call = Call(object: 0, function: function.rawValue, context: context, arguments: try encode(write))
        return try ValueReader(ReceivedValues(try connection.requestBlocking(Messages.call, call), self))
    }

    /// Calls a function without waiting for its end. The other process handles such calls with one cause one after the other.
    ///
    /// - Throws: ``AtriumError`` with code `parameterType` for a value that cannot pass.
    func notify(_ object: UInt32, _ function: UInt8, _ write: (inout ValueWriter) throws -> Void) throws {
        let arguments = try encode(write)
        send(Messages.notify, Call(object: object, function: function, context: context, arguments: arguments))
    }

    /// Calls a function without waiting for its end, after sending the contents of pages among the arguments.
    @MainActor
    func notifyWithPages(_ object: UInt32, _ function: UInt8, _ write: (inout ValueWriter) throws -> Void) throws {
        let arguments = try encode(write)
        sendChangedPagesNow()
        send(Messages.notify, Call(object: object, function: function, context: context, arguments: arguments))
    }

    /// Returns when the main thread of the other process is free to do something.
    func waitForMainThread() async throws {
        _ = try await connection.request(
            Messages.call,
            Call(object: 0, function: Self.mainThread, context: 0, arguments: TransferredValues(.message([]))))
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

    /// The number of the other process's request in whose handling the current task makes calls, or 0.
    private var context: UInt32 {
        guard let handling = Self.handling, handling.connection == ObjectIdentifier(self) else { return 0 }
        return handling.request
    }

    /// Returns what a closure writes, ready to cross. If that fails, the other process does not get the objects.
    private func encode(_ write: (inout ValueWriter) throws -> Void) throws -> TransferredValues {
        var writer = ValueWriter(self)
        do {
            try write(&writer)
            return try finish(writer)
        } catch {
            removeExports(writer.written)
            throw error
        }
    }

    private func finish(_ writer: ValueWriter) throws -> TransferredValues {
        guard writer.written.count <= TransferredValues.maximumObjects else {
            throw AtriumError(
                .parameterType, "", reason: "referencesMany", ["limit": .integer(TransferredValues.maximumObjects)])
        }
        return TransferredValues(
            objects: writer.written, try TransferredBytes(writer.bytes, storingIn: settings.folder))
    }

    // MARK: Receiving

    /// Handles a request if it belongs to this type.
    package func receive(_ request: IncomingRequest) throws(ProtocolViolation) {
        guard request.method == .call else { throw .messageUnknown(request.method.rawValue) }
        let message = try request.decode(Messages.call)
        let call = IncomingCall(request, message, of: object(message.object), self)
        try requireSize()
        let waiting = state.withLock { $0.waiting[message.context] }
        if case .enqueued? = waiting?.yield({ call.start() }) { return }
        call.start()
    }

    /// Handles an event if it belongs to this type.
    package func receive(_ event: IncomingEvent) throws(ProtocolViolation) {
        switch event.method {
        case .notify: try receive(try event.decode(Messages.notify))
        case .release:
            let (object, count) = try event.decode(Messages.release)
            removeExport(object, count)
        case .pageChanged:
            let (page, content) = try event.decode(Messages.pageChanged)
            do {
                try setContent(content, of: page)
            } catch {
                throw .messageMalformed(event.method.rawValue)
            }
        default: throw .messageUnknown(event.method.rawValue)
        }
    }

    private func receive(_ call: Call) throws(ProtocolViolation) {
        let arguments = ReceivedValues(call.arguments, self)
        try requireSize()
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
        var result = ValueWriter(self)
        do {
            var arguments = try ValueReader(arguments)
            if function == Self.mainThread {
                await MainActor.run {}
                return try finish(result)
            }
            try await Self.$handling.withValue((ObjectIdentifier(self), request)) {
                try await settings.serving { try await object.run(function, &arguments, &result) }
            }
            return try finish(result)
        } catch {
            removeExports(result.written)
            guard let malformed = error as? WireReader.Malformed else { throw error }
            if malformed.isTooLarge { throw Self.tooManyValues }
            throw AtriumError(.parameterType, "", reason: "messageMalformed", ["message": .integer(Int(function))])
        }
    }

    // MARK: The size of received values

    /// Counts a size while values are handled.
    func hold(_ size: Int) { state.withLock { $0.valueSize += size } }

    /// Counts the size of a file with values.
    ///
    /// - Throws: ``AtriumError`` with code `parameterType` if the values that are handled are too large.
    func holdFile(_ size: Int) throws(AtriumError) {
        let isSmall = state.withLock { state in
            // The sum could be too large for a number.
            guard size <= Self.valueLimit - state.valueSize else { return false }
            state.valueSize += size
            return true
        }
        guard isSmall else { throw Self.tooManyValues }
    }

    private static let tooManyValues = AtriumError(
        .parameterType, "", reason: ProtocolViolation.tooManyValues(valueLimit).reason)

    /// The size of what was decoded and is handled.
    var decodedSize: Int { state.withLock { $0.decodedSize } }

    /// Counts the size of values that are decoded, unless all of them become too large. Returns whether it was counted.
    func holdDecoded(_ size: Int) -> Bool {
        state.withLock { state in
            guard size <= Self.valueLimit - state.decodedSize else { return false }
            state.decodedSize += size
            return true
        }
    }

    /// Ends the counting of decoded values.
    func releaseDecoded(_ size: Int) { state.withLock { $0.decodedSize -= size } }

    private func requireSize() throws(ProtocolViolation) {
        if state.withLock({ $0.valueSize }) > Self.valueLimit { throw .tooManyValues(Self.valueLimit) }
    }

    // MARK: Objects of this process

    /// The number of objects that the other process uses.
    var exportCount: Int { state.withLock { $0.table.exportCount } }

    /// Sends an event as it is.
    func send<each Value: WireValue>(_ event: EventMessage<repeat each Value>, _ values: repeat each Value) {
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
            return state.table.add(page) { [weak self] in await self?.sendInvalidatedPages() }
        }
    }

    /// Sends the content of the pages that have changed, and returns when the other process could have shown it.
    private func sendInvalidatedPages() async {
        await sendChangedPages()
        try? await waitForMainThread()
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

    private func removeExports(_ numbers: [UInt32]) {
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

    /// Returns a reference to an object of the other process.
    func reference(_ number: UInt32) throws -> RemoteReference {
        try state.withLock { try $0.table.addReference() }
        return RemoteReference(number, of: self)
    }

    /// Returns a page of the other process, which is always the same object.
    func page(_ number: UInt32) throws -> RemotePage {
        let (page, bytes) = state.withLock { ($0.table.livePage(number), $0.table.content(of: number)) }
        if let page {
            page.reference.receiveAgain()
            return page
        }
        guard let bytes, let content = try? PageContent(decoding: bytes) else { throw WireReader.Malformed() }
        let created = RemotePage(try reference(number), content)
        // Another message can have contained the same page meanwhile.
        let (used, isEnded) = state.withLock { ($0.table.add(created, number), $0.isEnded) }
        if isEnded { used.processEnded() }
        if used === created { settings.onPage(created) }
        return used
    }

    /// Returns the page to show in place of one whose process has ended.
    @MainActor
    func replacement(of page: RemotePage) -> (any Page)? { settings.replacement(page) }

    /// Tells the other process that references to an object are gone.
    func release(_ number: UInt32, _ count: UInt32) {
        let removed = state.withLock { $0.table.removeReference(number) }
        defer { withExtendedLifetime(removed) {} }
        send(Messages.release, number, count)
        if removed.isPage { settings.onPageRelease() }
    }

    /// Tells the other process that references in a message were not read.
    func releaseUnread(_ number: UInt32, _ count: UInt32) { send(Messages.release, number, count) }
}

/// The handling of large values, of pages, and of the end of the other process.
package struct ObjectConnectionSettings: Sendable {
    /// The folder for large values, which get files without names there, or nil for files in memory.
    package var folder: FilePath?
    /// Returns the error for calls that failed because the connection has ended.
    package var failure: @Sendable (any Error) async -> any Error = { $0 }
    /// Receives each page of the other process when this one gets it for the first time.
    package var onPage: @Sendable (RemotePage) -> Void = { _ in }
    /// Called when this process has released a page of the other one.
    package var onPageRelease: @Sendable () -> Void = {}
    /// Returns the page to show in place of one whose process has ended, or nil to go on showing the last content.
    package var replacement: @MainActor @Sendable (RemotePage) -> (any Page)? = { _ in nil }
    /// Runs each call of the other process.
    package var serving: @Sendable (_ body: () async throws -> Void) async throws -> Void = { try await $0() }

    package init() {}
}
