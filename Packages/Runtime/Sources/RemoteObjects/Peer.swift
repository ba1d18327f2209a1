package import ExtensionProtocol
internal import PluginCore
internal import Synchronization

/// One side of a connection between a host and the process of a plugin, each of which calls objects of the other.
///
/// An object gets a number when it is first passed to the other process: a closure, a page, or the object with number 0 with which the
/// connection begins. See <doc:RemoteObjects>.
package final class Peer: Sendable {
    /// The maximum number of objects of the other process that this one uses at a time.
    private static let importLimit = 10_000
    /// The maximum number of notifications of the other process that wait to be handled.
    private static let notificationLimit = 10_000
    /// The maximum size of the contents of all pages of the other process, in bytes.
    private static let contentLimit = 16 << 20

    /// The request that the current task handles, and the peer that has sent it.
    @TaskLocal private static var handling: (peer: ObjectIdentifier, request: UInt32)?

    private struct State {
        var connection: Connection?
        var exports: [UInt32: Export] = [:]
        var lastExport: UInt32 = 0
        /// The numbers of pages.
        var pageNumbers: [ObjectIdentifier: UInt32] = [:]
        /// The pages of the other process, by number.
        var pages: [UInt32: WeakPage] = [:]
        /// The contents of those pages, some of which arrive before the first reference to the page.
        var contents: [UInt32: [UInt8]] = [:]
        var contentSize = 0
        var importCount = 0
        var waitingNotifications = 0
        var isEnded = false
        /// The calls that wait for replies, by number. Each runs the calls that the other process makes meanwhile.
        var waiting: [UInt32: AsyncStream<Nested>.Continuation] = [:]

        mutating func setContent(_ content: [UInt8]?, of page: UInt32) {
            contentSize += (content?.count ?? 0) - (contents[page]?.count ?? 0)
            contents[page] = content
        }
    }

    /// An object of this process.
    private struct Export {
        let object: any RemoteObject
        /// The number of times that the other process has received the object.
        var count: UInt32
    }

    private struct WeakPage {
        weak var page: RemotePage?
    }

    /// A call of the other process that belongs to a call of this one.
    private enum Nested: Sendable {
        case call(IncomingCall)
        case notification(Notification)
    }

    /// A call without a result. The object is kept, because the other process may release it right after the call.
    private struct Notification: Sendable {
        let object: any RemoteObject
        let call: Notify
    }

    private let root: any RemoteObject
    private let settings: PeerSettings
    private let state = Mutex(State())
    private let notifications: AsyncStream<Notification>
    private let notify: AsyncStream<Notification>.Continuation

    /// Creates a side of a connection.
    ///
    /// - Parameters:
    ///   - root: The object with number 0.
    ///   - settings: The handling of pages and of the end of the other process.
    package init(root: any RemoteObject, _ settings: PeerSettings = PeerSettings()) {
        self.root = root
        self.settings = settings
        (notifications, notify) = AsyncStream.makeStream()
    }

    /// Sets the connection, and begins to handle the notifications of the other process.
    package func start(on connection: Connection) {
        state.withLock { $0.connection = connection }
        let notifications = notifications
        Task.detached { [weak self] in
            for await notification in notifications { await self?.handle(notification) }
        }
    }

    private var connection: Connection {
        get throws {
            guard let connection = state.withLock({ $0.connection }) else { throw Connection.End.closedHere }
            return connection
        }
    }

    // MARK: Calling

    /// The object with which the connection begins.
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
    /// - Throws: The error of the function; the error of ``PeerSettings/failure`` if the process ends before the reply;
    ///   `CancellationError`.
    package func call(
        _ object: UInt32, _ function: UInt8, _ write: (inout ValueWriter) throws -> Void
    ) async throws -> ValueReader {
        var writer = ValueWriter(self)
        try write(&writer)
        await sendChangedPages()
        let call = Call(object: object, function: function, context: context, arguments: writer.bytes)
        let (nested, continuation) = AsyncStream<Nested>.makeStream()
        async let reply = send(call, continuation)
        for await work in nested {
            switch work {
            case .call(let call): call.start()
            case .notification(let notification): await handle(notification)
            }
        }
        return ValueReader(try await reply.values, self)
    }

    /// Calls a function of the object with number 0, and blocks the calling thread until the reply.
    package func callRootBlocking(
        _ function: some RawRepresentable<UInt8>, _ write: (inout ValueWriter) throws -> Void
    ) throws -> ValueReader {
        var writer = ValueWriter(self)
        try write(&writer)
        let call = Call(object: 0, function: function.rawValue, context: context, arguments: writer.bytes)
        return ValueReader(try connection.requestBlocking(call).values, self)
    }

    /// Calls a function without waiting for its end. The other process handles such calls with one cause one after the other.
    ///
    /// - Throws: ``AtriumError`` with code `parameterType` for a value that cannot pass, or arguments that are too large.
    func notify(_ object: UInt32, _ function: UInt8, _ write: (inout ValueWriter) throws -> Void) throws {
        var writer = ValueWriter(self)
        try write(&writer)
        guard writer.bytes.count < Frame.maximumBody - 64 else {
            throw AtriumError(
                .parameterType, "", reason: ProtocolViolation.frameTooLarge(writer.bytes.count).reason)
        }
        state.withLock { $0.connection }?.send(
            Notify(object: object, function: function, context: context, arguments: writer.bytes))
    }

    /// Calls a function without waiting for its end, after sending the contents of pages among the arguments.
    @MainActor
    func notifyWithPages(_ object: UInt32, _ function: UInt8, _ write: (inout ValueWriter) throws -> Void) throws {
        try notify(object, function) { writer in
            try write(&writer)
            sendChangedPagesNow()
        }
    }

    private func send(
        _ call: Call, _ nested: AsyncStream<Nested>.Continuation
    ) async throws -> Call.Reply {
        let number = Mutex<UInt32>(0)
        defer {
            _ = number.withLock { number in state.withLock { $0.waiting.removeValue(forKey: number) } }
            nested.finish()
        }
        do {
            return try await connection.request(call) { request in
                number.withLock { $0 = request }
                state.withLock { $0.waiting[request] = nested }
            }
        } catch let violation as ProtocolViolation {
            throw AtriumError(.parameterType, "", reason: violation.reason)
        } catch let end as Connection.End {
            throw await settings.failure(end)
        }
    }

    private var context: UInt32 {
        guard let handling = Self.handling, handling.peer == ObjectIdentifier(self) else { return 0 }
        return handling.request
    }

    // MARK: Receiving

    /// Handles a request if it belongs to this type.
    package func receive(_ request: IncomingRequest) throws(ProtocolViolation) {
        guard request.method == .call else { throw .messageUnknown(request.method.rawValue) }
        let call = IncomingCall(request, try request.decode(Call.self), self)
        let waiting = state.withLock { $0.waiting[call.call.context] }
        if case .enqueued? = waiting?.yield(.call(call)) { return }
        call.start()
    }

    /// Handles an event if it belongs to this type.
    package func receive(_ event: IncomingEvent) throws(ProtocolViolation) {
        switch event.method {
        case .notify:
            let call = try event.decode(Notify.self)
            guard let object = object(call.object) else { return }
            let count = state.withLock { state in
                state.waitingNotifications += 1
                return state.waitingNotifications
            }
            if count > Self.notificationLimit { throw .tooManyRequests(Self.notificationLimit) }
            let notification = Notification(object: object, call: call)
            let waiting = state.withLock { $0.waiting[call.context] }
            if case .enqueued? = waiting?.yield(.notification(notification)) { return }
            notify.yield(notification)
        case .release:
            let release = try event.decode(Release.self)
            removeExport(release.object, release.count)
        case .pageChanged:
            let change = try event.decode(PageChanged.self)
            let (page, isOver) = state.withLock { state in
                state.setContent(change.content, of: change.page)
                return (state.pages[change.page]?.page, state.contentSize > Self.contentLimit)
            }
            do {
                if isOver { throw WireReader.Malformed() }
                try page?.show(content(change.content))
            } catch {
                throw .messageMalformed(event.method.rawValue)
            }
        default: throw .messageUnknown(event.method.rawValue)
        }
    }

    /// Ends the handling of notifications, and tells the pages of the other process that it has ended.
    package func end() {
        notify.finish()
        let pages = state.withLock { state in
            // The connection refers to its handler, and so to this object.
            state.connection = nil
            state.isEnded = true
            return state.pages.values.compactMap(\.page)
        }
        for page in pages { page.processEnded() }
    }

    /// A call of the other process, which gets one reply.
    fileprivate final class IncomingCall: Sendable {
        let call: Call
        private let request: IncomingRequest
        private let peer: Peer
        private let isStarted = Mutex(false)

        init(_ request: IncomingRequest, _ call: Call, _ peer: Peer) {
            self.request = request
            self.call = call
            self.peer = peer
        }

        // The waiting call can end before it takes this one.
        deinit { if !isStarted.withLock({ $0 }) { request.fail(CancellationError()) } }

        /// Runs the function in a task that inherits the task-local values of the calling one.
        func start() {
            isStarted.withLock { $0 = true }
            let task = Task {
                do {
                    guard let object = peer.object(call.object) else {
                        throw AtriumError(.parameterType, "\(call.object)", reason: "objectReleased")
                    }
                    let values = try await peer.run(call.function, of: object, call.arguments, for: request.number)
                    await peer.sendChangedPages()
                    request.reply(Call.Reply(values: values))
                } catch {
                    await peer.sendChangedPages()
                    request.fail(error)
                }
            }
            request.onCancel { task.cancel() }
        }
    }

    private func handle(_ notification: Notification) async {
        defer { state.withLock { $0.waitingNotifications -= 1 } }
        let call = notification.call
        // A notification has no reply that could carry an error.
        _ = try? await run(call.function, of: notification.object, call.arguments, for: 0)
        await sendChangedPages()
    }

    private func object(_ number: UInt32) -> (any RemoteObject)? {
        number == 0 ? root : state.withLock { state in state.exports[number]?.object }
    }

    private func run(
        _ function: UInt8, of object: any RemoteObject, _ bytes: [UInt8], for request: UInt32
    ) async throws -> [UInt8] {
        var arguments = ValueReader(bytes, self)
        var result = ValueWriter(self)
        do {
            try await Self.$handling.withValue((ObjectIdentifier(self), request)) {
                try await object.run(function, &arguments, &result)
            }
        } catch is WireReader.Malformed {
            throw AtriumError(.parameterType, "", reason: "messageMalformed", ["message": .integer(Int(function))])
        }
        return result.bytes
    }

    // MARK: Objects

    /// The number of objects that the other process uses.
    var exportCount: Int { state.withLock { $0.exports.count } }

    /// Sends an event as it is.
    func send(_ event: some EventMessage) { state.withLock { $0.connection }?.send(event) }

    /// Returns the page to show in place of one whose process has ended.
    @MainActor
    func successor(of page: RemotePage) -> (any Page)? { settings.successor(page) }

    /// Returns the number for an object that is passed to the other process.
    func export(_ object: any RemoteObject) -> UInt32 {
        state.withLock { state in
            state.lastExport += 1
            state.exports[state.lastExport] = Export(object: object, count: 1)
            return state.lastExport
        }
    }

    /// Returns the number for a page that is passed to the other process, which is always the same.
    func export(_ page: any Page) -> UInt32 {
        state.withLock { state in
            if let number = state.pageNumbers[ObjectIdentifier(page)] {
                state.exports[number]?.count += 1
                // The other process may have forgotten the content meanwhile.
                (state.exports[number]?.object as? ExportedPage)?.forgetSent()
                return number
            }
            state.lastExport += 1
            state.exports[state.lastExport] = Export(object: ExportedPage(page), count: 1)
            state.pageNumbers[ObjectIdentifier(page)] = state.lastExport
            return state.lastExport
        }
    }

    /// Returns this process's page with a number.
    func ownPage(_ number: UInt32) -> (any Page)? {
        state.withLock { ($0.exports[number]?.object as? ExportedPage)?.page }
    }

    /// Releases all objects that the other process has received, because it ends.
    package func releaseAll() {
        // The objects are released outside of the lock, because their deinitializers can use this peer.
        let released = state.withLock { state in
            defer {
                state.exports = [:]
                state.pageNumbers = [:]
            }
            return state.exports
        }
        _ = released
    }

    /// Returns a reference to an object of the other process.
    func reference(_ number: UInt32) throws(WireReader.Malformed) -> RemoteReference {
        try countImport()
        return RemoteReference(number, of: self)
    }

    /// Returns a page of the other process, which is always the same object.
    func page(_ number: UInt32) throws(WireReader.Malformed) -> RemotePage {
        let (page, bytes) = state.withLock { ($0.pages[number]?.page, $0.contents[number]) }
        if let page {
            page.reference.receiveAgain()
            return page
        }
        guard let bytes, let content = try? content(bytes) else { throw WireReader.Malformed() }
        let created = RemotePage(try reference(number), content)
        let (used, isEnded) = state.withLock { state in
            // Another reply can have contained the same page meanwhile.
            let used = state.pages[number]?.page ?? created
            state.pages[number] = WeakPage(page: used)
            return (used, state.isEnded)
        }
        if isEnded { used.processEnded() }
        if used === created { settings.onPage(created) }
        return used
    }

    private func content(_ bytes: [UInt8]) throws -> PageContent {
        var reader = ValueReader(bytes, self)
        return try PageContent(from: &reader)
    }

    private func countImport() throws(WireReader.Malformed) {
        let isOver = state.withLock { state in
            state.importCount += 1
            return state.importCount > Self.importLimit
        }
        if isOver { throw WireReader.Malformed() }
    }

    func release(_ number: UInt32, _ count: UInt32) {
        let (connection, isPage) = state.withLock { state in
            state.importCount -= 1
            let isPage = state.pages[number] != nil && state.pages[number]?.page == nil
            if isPage {
                state.pages[number] = nil
                state.setContent(nil, of: number)
            }
            return (state.connection, isPage)
        }
        connection?.send(Release(object: number, count: count))
        if isPage { settings.onPageRelease() }
    }

    private func removeExport(_ number: UInt32, _ count: UInt32) {
        // The object is released outside of the lock, because its deinitializer can use this peer.
        let removed: (any RemoteObject)? = state.withLock { state in
            guard var export = state.exports[number] else { return nil }
            export.count -= min(count, export.count)
            state.exports[number] = export.count == 0 ? nil : export
            guard export.count == 0 else { return nil }
            if let page = (export.object as? ExportedPage)?.page { state.pageNumbers[ObjectIdentifier(page)] = nil }
            return export.object
        }
        _ = removed
    }

    /// Sends the content of the pages that have changed since they were sent, if there are pages.
    func sendChangedPages() async {
        if state.withLock({ !$0.pageNumbers.isEmpty }) { await sendChangedPagesNow() }
    }

    /// Sends the content of the pages that have changed since they were sent.
    @MainActor
    func sendChangedPagesNow() {
        let (pages, connection) = state.withLock { state in
            let pages = state.pageNumbers.values.compactMap { number in
                (state.exports[number]?.object as? ExportedPage).map { (number: number, page: $0) }
            }
            return (pages, state.connection)
        }
        for (number, page) in pages {
            guard let content = page.changedContent() else { continue }
            var writer = ValueWriter(self)
            content.write(to: &writer)
            connection?.send(PageChanged(page: number, content: writer.bytes))
        }
    }
}
