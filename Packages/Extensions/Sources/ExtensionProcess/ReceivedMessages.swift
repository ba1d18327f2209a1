package import ExtensionProtocol
import HostSystem
package import PluginCore
import PluginExtension
package import Processes
package import Synchronization

/// The services of a host for an extension that runs.
package protocol ExtensionServices: Sendable {
    /// Opens an address that the extension asks for, under the rules for extensions.
    func open(_ address: String) async throws
    /// Returns the verified content of a resource of the extension's bundle.
    func resource(_ name: String) async throws -> [UInt8]
    /// Hides a widget of the extension's bundle, or shows it again.
    func setHasContent(_ hasContent: Bool, for identifier: String) async throws
    /// Receives the description of a crash or hang of the process, before the error is thrown.
    ///
    /// - Parameters:
    ///   - crash: The process's own description, which hostile code can forge.
    ///   - cause: The reason for which the process ended.
    func reportCrash(_ crash: CrashDescription, _ cause: CrashCause, process: Int32)
    /// Receives a line that the process has written to its standard output or standard error.
    func output(_ line: String)
    /// Receives a message of the extension's log.
    func log(_ level: BundleLogger.Level, _ message: String)
}

/// The host's answers to what an extension or an isolated plugin sends.
package final class ReceivedMessages: Sendable {
    /// The longest message of an extension's log, in characters.
    private static let logLimit = 10_000

    /// The closures that receive the completed parts of the host's requests, by request number.
    package let progress = Mutex<[UInt32: @Sendable (Double) -> Void]>([:])
    private let services: any ExtensionServices
    private let objects: ObjectConnection?
    private let log = Mutex(LogLimit())

    /// Creates the answers of a host.
    ///
    /// - Parameter objects: The objects that a plugin calls, or nil for an extension.
    package init(_ services: any ExtensionServices, _ objects: ObjectConnection? = nil) {
        self.services = services
        self.objects = objects
    }

    /// Answers a request, now or later.
    ///
    /// - Throws: A violation, which ends the connection.
    package func receive(_ request: IncomingRequest) throws(ProtocolViolation) {
        switch request.method {
        case Messages.open.number:
            let address = try request.decode(Messages.open)
            request.reply { [services] in
                try await services.open(address)
                return EmptyReply()
            }
        case Messages.resource.number:
            let name = try request.decode(Messages.resource)
            request.reply { [services] in
                try ItemAttachment(types: [], content: .bytes(await services.resource(name))).transferable()
            }
        case Messages.setHasContent.number:
            let (widget, hasContent) = try request.decode(Messages.setHasContent)
            request.reply { [services] in
                try await services.setHasContent(hasContent, for: widget)
                return EmptyReply()
            }
        default:
            guard let objects else { throw .messageUnknown(request.method) }
            try objects.receive(request)
        }
    }

    /// Receives a message without a reply.
    ///
    /// - Throws: A violation, which ends the connection.
    package func receive(_ event: Frame) throws(ProtocolViolation) {
        switch event.method {
        case Messages.progress.number:
            let (request, fraction) = try event.decode(Messages.progress)
            guard fraction.isFinite else { throw .messageMalformed(event.method) }
            progress.withLock { $0[request] }?(min(max(fraction, 0), 1))
        case Messages.log.number:
            let (name, message) = try event.decode(Messages.log)
            guard let level = BundleLogger.Level(rawValue: name) else {
                throw .messageMalformed(event.method)
            }
            let text = String(message.prefix(Self.logLimit))
            if let text = log.withLock({ $0.take(text, at: Clock.milliseconds()) }) { services.log(level, text) }
        default:
            guard let objects else { throw .messageUnknown(event.method) }
            try objects.receive(event)
        }
    }
}

/// The limit of what a process may log: as much as for its output, and a kilobyte more each second, because a plugin runs for long.
struct LogLimit {
    /// The number of bytes as which a message counts besides its text.
    private static let messageSize = 64

    private var left = ProcessOutput.reportedSize
    private var filledAt: Int64?
    private var hasSaidSo = false

    /// Returns the text to log for a message, or nil.
    ///
    /// - Parameter now: The time in milliseconds since any moment.
    mutating func take(_ text: String, at now: Int64) -> String? {
        left = min(left + max(0, Int(now - (filledAt ?? now))), ProcessOutput.reportedSize)
        filledAt = now
        let size = text.utf8.count + Self.messageSize
        if size <= left {
            left -= size
            hasSaidSo = false
            return text
        }
        defer { hasSaidSo = true }
        return hasSaidSo ? nil : "(more messages are not shown)"
    }
}
