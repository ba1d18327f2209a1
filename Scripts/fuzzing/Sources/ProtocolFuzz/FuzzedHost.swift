import Dispatch
import ExtensionProcess
import ExtensionProtocol
import HostSystem
import PluginCore
import Synchronization

/// The host's side of a connection, with the handling of messages that a real host has, and the extension's end of the socket.
final class FuzzedHost: ConnectionHandler {
    /// The time after which the host counts as hanging, in seconds.
    private static let patience = 5.0

    /// The socket of the extension.
    let peer: MessageSocket
    private let connection: Connection
    private let messages: ReceivedMessages
    private let ended = DispatchSemaphore(value: 0)
    private let requests = DispatchGroup()
    private let tasks = Mutex<[Task<Void, Never>]>([])

    init() throws {
        let (own, other) = try MessageSocket.pair()
        peer = other
        messages = ReceivedMessages(FuzzedServices())
        let relay = Relay()
        connection = try Connection(own, handler: relay)
        relay.host.withLock { $0 = self }
        try connection.start()
    }

    /// Sends a request to the extension.
    func begin() {
        requests.enter()
        let sent = DispatchSemaphore(value: 0)
        let task = Task.detached { [self] in
            let number = Mutex<UInt32?>(nil)
            _ = try? await connection.request(Begin(input: Array("1".utf8), items: [])) { request in
                number.withLock { $0 = request }
                messages.progress.withLock { progress in
                    progress[request] = { demand((0...1).contains($0), "progress is a part of the whole") }
                }
                sent.signal()
            }
            if let number = number.withLock({ $0 }) { messages.progress.withLock { $0[number] = nil } }
            requests.leave()
        }
        tasks.withLock { $0.append(task) }
        // The order of the requests' numbers must depend on the input only.
        sent.wait()
    }

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
    func receive(_ event: IncomingEvent) throws(ProtocolViolation) { try messages.receive(event) }
    func connectionEnded(_ end: Connection.End) { ended.signal() }

    /// Passes what a connection receives to its host, which the connection does not keep alive.
    private final class Relay: ConnectionHandler {
        let host = Mutex<FuzzedHost?>(nil)

        func receive(_ request: IncomingRequest) throws(ProtocolViolation) {
            try host.withLock { $0 }?.receive(request)
        }
        func receive(_ event: IncomingEvent) throws(ProtocolViolation) { try host.withLock { $0 }?.receive(event) }

        func connectionEnded(_ end: Connection.End) {
            let ended = host.withLock { host in
                defer { host = nil }
                return host
            }
            ended?.connectionEnded(end)
        }
    }
}

/// The services of a host that opens some addresses and has resources of all sizes.
private struct FuzzedServices: ExtensionServices {
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

    func log(_ level: BundleLogger.Level, _ message: String) {
        demand(message.count <= 10_000, "a message of the log is short")
    }
}
