package import ExtensionProtocol
import HostSystem
package import PluginCore
package import PluginExtension
import Processes
import Synchronization

/// A process that runs one extension.
///
/// Whatever the extension does, each function returns within its deadline, and the process, its socket and its descriptors are gone when the
/// last reference to this object is.
///
/// ```swift
/// let process = try await ExtensionProcess(running: runner, launch, limits: limits, services)
/// let reply = try await process.perform(RequestContent(input, items: items))
/// await process.end()
/// ```
package final class ExtensionProcess: Sendable {
    /// The reply to the launch: the extension point, and the rights that the kernel has taken from the process.
    package let launched: Launch.Reply
    private let limits: ExtensionLimits
    private let monitor: ProcessMonitor

    /// The number of the process.
    package var number: Int32 { monitor.process.number }

    /// Starts a process and loads the extension in it.
    ///
    /// - Parameters:
    ///   - runner: The program `extension-runner`.
    ///   - launch: The extension, and the rights of the process.
    ///   - limits: The deadlines and the limits of the process.
    ///   - services: What the extension may ask of its host.
    ///   - objects: The objects that a plugin calls, or nil for an extension.
    ///   - end: Waits for the process's end.
    ///   - onEnd: Receives the reason for the process's end, whoever has ended it.
    /// - Throws: ``AtriumError`` for the end of the process, and the errors of the extension's start.
    package init(
        running runner: FilePath, _ launch: Launch, limits: ExtensionLimits,
        _ services: any ExtensionServices, calledBy objects: ObjectConnection? = nil,
        until end: End = End(), onEnd: @escaping @Sendable (AtriumError) -> Void = { _ in }
    ) async throws {
        self.limits = limits
        let monitor = try ProcessMonitor(
            starting: runner, launch, limits: limits, services,
            calledBy: objects, until: end, onEnd: onEnd)
        self.monitor = monitor
        do {
            launched = try await monitor.run(.start, within: limits.start) { connection in
                _ = try await connection.request(Messages.hello, Handshake.version, Handshake.version)
                return try await connection.request(Messages.launch, launch)
            }
        } catch {
            monitor.kill()
            _ = await monitor.endError()
            throw error
        }
    }

    deinit { monitor.kill() }

    /// Performs a request.
    ///
    /// If the task is canceled, so is the request, and the process remains usable.
    ///
    /// - Parameters:
    ///   - content: The input and the items.
    ///   - time: The time of the request, if the caller needs it.
    ///   - onProgress: Receives the completed part, from 0 to 1.
    /// - Throws: ``AtriumError`` for the end of the process, after which the process has ended, and the error with which the
    ///   extension has canceled the request.
    package func perform(
        _ content: RequestContent, in time: RequestTime? = nil,
        onProgress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws -> RequestContent {
        let time = time ?? newTime()
        defer { if let number = time.number { monitor.messages.progress.withLock { $0[number] = nil } } }
        try time.resume()
        defer { time.pause() }
        // With a capture list, the closure would leave the caller's actor, which costs two changes of threads.
        return try await monitor.run { connection in
            try await connection.request(Messages.begin, content, skipsPool: true) { request in
                time.number = request
                monitor.messages.progress.withLock { $0[request] = onProgress }
            }
        }
    }

    /// Returns the time of a new request.
    package func newTime() -> RequestTime { RequestTime(of: monitor, seconds: limits.request) }

    /// A Boolean value that indicates whether the process has enough of its processor time left for another request.
    package var hasTimeForRequest: Bool {
        monitor.process.processorTime.map { limits.hasTimeForRequest(after: $0) } ?? false
    }

    /// A Boolean value that indicates whether the process is known to have ended.
    package var hasEnded: Bool { monitor.hasEnded }

    /// Ends the process at once.
    func kill() { monitor.kill() }

    /// Lets the extension prepare for its end, and ends the process. Returns after the process has been reaped.
    ///
    /// - Returns: The reason why the process did not end as it was asked to; nil if it did.
    @discardableResult
    package func end() async -> AtriumError? {
        // In a task of its own: the caller's may be canceled, and then nothing would be sent.
        let failure = await Task { [monitor, limits] () -> AtriumError? in
            do {
                _ = try await monitor.run(.end, within: limits.end) { connection in
                    try await connection.request(Messages.end)
                }
                return nil
            } catch {
                return error as? AtriumError
            }
        }.value
        monitor.connection.close()
        _ = await monitor.endError()
        return failure
    }
}

extension ExtensionLimits {
    /// Returns whether a process that has used processor time, in seconds, has as much left as one request and its end may need.
    func hasTimeForRequest(after used: Double) -> Bool {
        used + ExtensionLimits(start: 0, request: request, end: end).processorTime <= processorTime
    }
}
