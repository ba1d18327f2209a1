@testable import ExtensionProtocol
import HostSystem
import PluginCore
import Processes
import Synchronization
import Testing

/// Two peers in one process, which are connected by a socket like a host and the process of a plugin.
struct Link {
    let host: ObjectConnection
    let plugin: ObjectConnection
    private let connections: [Connection]
    private let hostHandler: Handler

    init(
        host: any ExportedObject = Nothing(), plugin: any ExportedObject,
        _ settings: ObjectConnectionSettings = ObjectConnectionSettings(), sender: MessageSender? = nil,
        responseLimit: Double? = nil,
        onHang: @escaping @Sendable () -> Void = {}
    ) throws {
        let (one, other) = try MessageSocket.pair()
        self.host = ObjectConnection(root: host, settings)
        self.plugin = ObjectConnection(root: plugin)
        hostHandler = Handler(objects: self.host)
        connections = [
            try Connection(one, to: sender),
            // The plugin's own limit must not end the connection before a limit of the host.
            try Connection(other, limits: ConnectionLimits(unsentBytes: 1 << 30)),
        ]
        self.host.start(on: connections[0], responseLimit: responseLimit, onHang: onHang)
        self.plugin.start(on: connections[1])
        try connections[0].start(handler: hostHandler)
        try connections[1].start(handler: Handler(objects: self.plugin))
    }

    /// Ends the connection as if the plugin's process had ended.
    func endPlugin() { connections[1].close() }

    /// Waits until the host has ended the connection, and returns its reason.
    func endOfHost() async throws -> Connection.End? {
        let handler = hostHandler
        _ = try await eventually { handler.end.withLock { $0 } != nil }
        return handler.end.withLock { $0 }
    }

    /// Calls an object of the plugin, by default its first, as a process with other code could.
    func send(_ arguments: TransferredValues, to object: UInt32 = 0) async throws {
        let call = Call(object: object, function: 0, context: 0, arguments: arguments)
        _ = try await connections[0].request(Messages.call, call)
    }

    /// Notifies the host's first object as a process with other code could.
    func notifyHost(_ arguments: TransferredValues) {
        plugin.send(Messages.notify, Call(object: 0, function: 0, context: 0, arguments: arguments))
    }
}

private final class Handler: ConnectionHandler {
    let objects: ObjectConnection
    let end = Mutex<Connection.End?>(nil)

    init(objects: ObjectConnection) {
        self.objects = objects
    }

    func receive(_ request: IncomingRequest) throws(ProtocolViolation) { try objects.receive(request) }
    func receive(_ event: Frame) throws(ProtocolViolation) { try objects.receive(event) }
    func connectionEnded(_ end: Connection.End) {
        self.end.withLock { $0 = end }
        objects.end()
    }
}

/// An object without functions.
struct Nothing: ExportedObject {
    func run(_ function: UInt8, _ arguments: inout WireReader) async throws -> any WireEncodable {
        throw WireReader.Malformed()
    }
}

/// An object whose only function is a closure from a value to a value.
struct Function: ExportedObject {
    enum Number: UInt8 { case call }

    let body: @Sendable (any Sendable) async throws -> any Sendable

    init(_ body: @escaping @Sendable (any Sendable) async throws -> any Sendable) {
        self.body = body
    }

    func run(_ function: UInt8, _ arguments: inout WireReader) async throws -> any WireEncodable {
        AnyValue(try await body(try arguments.read(AnyValue.self).value), named: "result")
    }
}

extension ObjectConnection {
    /// Calls the other side's ``Function``.
    func call(_ value: any Sendable) async throws -> any Sendable {
        try await call(Function.Number.call, AnyValue(value, named: "value"), as: AnyValue.self).value
    }
}

/// Waits until a condition is true, for at least a minute.
func eventually(_ condition: @Sendable () async -> Bool) async throws -> Bool {
    for _ in 0..<12_000 {
        if await condition() { return true }
        try await Task.sleep(for: .milliseconds(5))
    }
    return false
}
