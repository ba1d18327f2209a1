import Dispatch
import ExtensionProcess
import ExtensionProtocol
import PluginCore
import Processes
import Synchronization

/// The host's side of a connection, with the handling of messages that a real host has, and the other end of the socket.
final class FuzzedHost: ConnectionHandler {
    /// The time after which the host counts as hanging, in seconds.
    private static let patience = 5.0

    /// The socket of the extension or plugin.
    let peer: MessageSocket
    private let isOfPlugin: Bool
    private let objects: ObjectConnection
    private let connection: Connection
    private let messages: ReceivedMessages
    private let ended = DispatchSemaphore(value: 0)
    private let token = HostToken()
    private let requests = DispatchGroup()
    private let tasks = Mutex<[Task<Void, Never>]>([])

    /// Creates a host.
    ///
    /// - Parameter isOfPlugin: Whether the other process is that of a plugin, whose objects and those of the host call each other.
    init(isOfPlugin: Bool) throws {
        let (own, other) = try MessageSocket.pair()
        peer = other
        self.isOfPlugin = isOfPlugin
        objects = ObjectConnection(
            root: isOfPlugin
                ? ExportedHost(FuzzedCommunication()) : ObjectConnection.root { _, page in await Self.use(page) })
        messages = ReceivedMessages(FuzzedServices(), objects)
        connection = try Connection(own, limits: isOfPlugin ? .ofPlugin : .ofExtension)
        objects.start(on: connection)
        try connection.start(handler: self)
    }

    /// Sends a request to the extension, or a call to the plugin.
    func begin() {
        requests.enter()
        let sent = DispatchSemaphore(value: 0)
        let task = Task.detached { [self] in
            if isOfPlugin {
                // The number of a call depends on nothing but the earlier ones.
                sent.signal()
                await use(objects)
                return requests.leave()
            }
            let number = Mutex<UInt32?>(nil)
            let content = RequestContent(CodedValue(json: Array("1".utf8)), items: [])
            _ = try? await connection.request(Messages.begin, content) { request in
                number.withLock { $0 = request }
                messages.progress.withLock { progress in
                    progress[request] = { demand((0...1).contains($0), "progress is a part of the whole") }
                }
                sent.signal()
            }
            if let number = number.withLock({ $0 }) { messages.progress.withLock { $0[number] = nil } }
            // A request of a connection that has ended is not sent.
            sent.signal()
            requests.leave()
        }
        tasks.withLock { $0.append(task) }
        // The order of the requests' numbers must depend on the input only.
        sent.wait()
    }

    /// Calls the plugin as for an address, and uses what it returns.
    private func use(_ objects: ObjectConnection) async {
        switch try? await objects.call(CalledFunction.resource, as: Resource.self) {
        case .page(let page): await Self.use(page)
        case .object(let closure as @Sendable (String) async throws -> String): _ = try? await closure("text")
        case .object, nil: break
        }
    }

    private static func use(_ page: any Page) async {
        _ = await (page.title, page.content, page.actions)
        let navigator = await FuzzedNavigator([page])
        try? await page.perform("action", input: ["field": "text"], on: navigator)
        await page.didClose()
    }

    /// The function of a plugin that the host calls.
    private enum CalledFunction: UInt8 { case resource = 2 }

    /// Cancels the oldest request.
    func cancel() { tasks.withLock { $0.isEmpty ? nil : $0.removeFirst() }?.cancel() }

    /// Closes the extension's end, and requires that the host notices.
    func end() {
        peer.shutDown()
        let time = DispatchTime.now() + Self.patience
        demand(ended.wait(timeout: time) == .success, "the host notices the end of the connection")
        demand(requests.wait(timeout: time) == .success, "all requests of the host end with the connection")
    }

    func receive(_ request: IncomingRequest) throws(ProtocolViolation) { try messages.receive(request) }
    func receive(_ event: Frame) throws(ProtocolViolation) { try messages.receive(event) }
    func connectionEnded(_ end: Connection.End) {
        objects.end()
        ended.signal()
    }
}

/// A token that counts the owners that have not been released yet.
final class HostToken: Sendable {
    /// The number of tokens.
    static let count = Atomic(0)

    init() { Self.count.add(1, ordering: .relaxed) }
    deinit { Self.count.subtract(1, ordering: .releasing) }
}

/// The services of a host that opens some addresses and has resources of all sizes.
private struct FuzzedServices: ExtensionServices {
    /// The tasks that answer requests hold it until they end, which may be after the connection.
    private let token = HostToken()

    func open(_ address: String) async throws {
        await Task.yield()
        if address.utf8.count.isMultiple(of: 2) { throw AtriumError(.exposureDenied, address) }
    }

    func resource(_ name: String) async throws -> [UInt8] {
        guard let size = name.utf8.first else { throw AtriumError(.resourceUnknown, name) }
        // Contents of more than 16 KiB are passed as files.
        return [UInt8](repeating: 0, count: Int(size) << 8)
    }

    func setHasContent(_ hasContent: Bool, for identifier: String) async throws {
        if identifier.isEmpty { throw AtriumError(.exposureDenied, identifier) }
    }

    func reportCrash(_ crash: CrashDescription, _ cause: CrashCause, process: Int32) {
        demand(false, "a connection without a process reports no crash")
    }

    func output(_ line: String) {}

    func log(_ level: BundleLogger.Level, _ message: String) {
        demand(message.count <= 10_000, "a message of the log is short")
    }
}
