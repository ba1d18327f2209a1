import ExtensionProtocol
import HostSystem
import PluginCore
import PluginExtension
import Synchronization

/// A request that the extension handles, connected to the host.
final class RunnerRequest: ExtensionRequestHost {
    private struct State {
        /// The announcement that arrived before a closure for it.
        var remaining: Duration?
        var onExpiration: (@MainActor @Sendable (Duration) -> Void)?
    }

    private let incoming: IncomingRequest
    private let connection: Connection
    private let objects: ObjectConnection
    /// The folder for large contents.
    private let folder: FilePath
    private let onEnd: @Sendable () -> Void
    private let state = Mutex(State())

    init(
        _ incoming: IncomingRequest, _ connection: Connection, _ objects: ObjectConnection, storingIn folder: FilePath,
        onEnd: @escaping @Sendable () -> Void
    ) {
        self.folder = folder
        self.incoming = incoming
        self.connection = connection
        self.objects = objects
        self.onEnd = onEnd
    }

    func complete(_ output: CodedValue, items: [ExtensionItem]) {
        do {
            incoming.reply(RequestContent(output, items: try items.transferable(in: folder)))
        } catch {
            incoming.fail(error)
        }
        onEnd()
    }

    func cancel(_ error: AtriumError) {
        incoming.fail(error)
        onEnd()
    }

    func open(_ uri: ResourceURI) async throws {
        _ = try await connection.request(Messages.open, uri.description)
    }

    func show(_ page: any Page) async throws { try await objects.show(page, for: incoming.number) }

    func reportProgress(_ fraction: Double) {
        connection.send(Messages.progress, incoming.number, fraction)
    }

    func onExpiration(_ body: @escaping @MainActor @Sendable (Duration) -> Void) {
        let remaining = state.withLock { state in
            if state.remaining == nil { state.onExpiration = body }
            return state.remaining
        }
        if let remaining { Task { @MainActor in body(remaining) } }
    }

    /// Tells the extension that its time is about to end.
    func expire(in remaining: Duration) {
        let body = state.withLock { state in
            defer { state.onExpiration = nil }
            state.remaining = remaining
            return state.onExpiration
        }
        if let body { Task { @MainActor in body(remaining) } }
    }
}
