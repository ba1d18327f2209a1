import ExtensionProtocol
import HostSystem
package import PluginCore
import PluginExtension
import Processes
import Synchronization

/// The connection to a process and its end: it answers the process's requests, and finds out why the process has ended.
final class ProcessMonitor: ConnectionHandler {
    /// The time in which a process ends after its connection has, in milliseconds; then it is ended.
    private static let patience: Int32 = 1000

    let process: SpawnedProcess
    let messages: ReceivedMessages
    private let services: any ExtensionServices
    private let crash: ProcessCrash
    private let output: ProcessOutput
    private let objects: ObjectConnection?
    private let identifier: String
    private let end: ExtensionProcess.End
    private let onEnd: @Sendable (AtriumError) -> Void
    private let memoryLimit: Int
    private let state = Mutex(State())

    private struct State {
        /// The reason for which the host has ended the process, before it has noticed anything else.
        var cause: AtriumError?
        /// The deadline that the process has missed, if that is the reason.
        var missed: ProcessDeadline?
        /// The last output of the process, after it has ended.
        var lastOutput: String?
    }

    /// The connection, which exists as long as this object.
    let connection: Connection

    init(
        starting runner: FilePath, _ launch: Launch, limits: ExtensionLimits,
        _ services: any ExtensionServices, calledBy objects: ObjectConnection?, until end: ExtensionProcess.End,
        onEnd: @escaping @Sendable (AtriumError) -> Void
    ) throws(AtriumError) {
        identifier = launch.identifier
        self.end = end
        self.objects = objects
        self.onEnd = onEnd
        self.services = services
        messages = ReceivedMessages(services, objects)
        memoryLimit = limits.memory
        let (own, other) = try MessageSocket.pair()
        crash = try ProcessCrash()
        let output = try ProcessOutput { services.output($0) }
        defer { output.closeWriter() }
        self.output = output
        let sender = MessageSender(
            "\(launch.bundle)@\(launch.version)",
            extension: launch.isPlugin ? nil : launch.identifier)
        connection = try Connection(own, limits: launch.isPlugin ? .ofPlugin : .ofExtension, to: sender)
        process = try SpawnedProcess(
            runner, arguments: [], environment: Self.environment,
            inheriting: [other.descriptor, crash.descriptor], output: output.writer)
        objects?.start(on: connection, responseLimit: limits.request) { [weak self] in
            self?.kill(afterMissing: ProcessDeadline(.response, seconds: limits.request))
        }
        do {
            try connection.start(handler: self)
        } catch {
            process.kill()
            throw error
        }
    }

    /// Returns the variables of the process, which the loader reads before the program removes them.
    private static var environment: [String] {
        let folders = HostLibraryFolders.all
        return folders.isEmpty ? [] : ["LD_LIBRARY_PATH=" + folders.map(\.string).joined(separator: ":")]
    }

    /// Runs a part of the extension's life, and ends the process if the deadline passes first, unless a debugger looks at it.
    ///
    /// - Throws: The errors of the body; ``AtriumError`` for the process's end.
    func run<R: Sendable>(
        _ phase: ProcessDeadline.Phase, within seconds: Double,
        _ body: nonisolated(nonsending) (Connection) async throws -> R
    ) async throws -> R {
        let deadline = try deadline(phase, after: seconds)
        defer { DeadlineQueue.shared.cancel(deadline) }
        return try await run(body)
    }

    /// Schedules the end of the process.
    ///
    /// - Parameter limit: The whole time, if a part of it has passed.
    func deadline(
        _ phase: ProcessDeadline.Phase, after seconds: Double, of limit: Double? = nil
    ) throws(AtriumError) -> DeadlineQueue.Deadline {
        try DeadlineQueue.shared.after(seconds) { [weak self] in
            self?.kill(afterMissing: ProcessDeadline(phase, seconds: limit ?? seconds))
        }
    }

    /// Runs a part of the extension's life whose deadlines are known.
    func run<R: Sendable>(_ body: nonisolated(nonsending) (Connection) async throws -> R) async throws -> R {
        do {
            let result = try await body(connection)
            if !hasMissedDeadline { return result }
        } catch  where !(error is Connection.End) && !hasMissedDeadline {
            throw error
        } catch {}
        // After a missed deadline, the process is about to be killed, so any reply is too late.
        throw await endError()
    }

    /// A Boolean value that indicates whether the process has ended, also if its connection has not noticed it yet.
    var hasEnded: Bool { process.processorTime == nil || process.hasEnded || end.error != nil }

    private var hasMissedDeadline: Bool { state.withLock { $0.missed != nil } }

    /// Requests the stack of a process that has missed a deadline, and kills the process, unless a debugger is attached.
    private func kill(afterMissing deadline: ProcessDeadline) {
        guard !process.isTraced else { return }
        setCause(AtriumError(.extensionTimedOut, identifier, reason: deadline.failureReason), missed: deadline)
        do {
            // Waiting for the stack must not block the thread of the deadlines.
            try DetachedThread.run { [self] in
                crash.requestStack(of: process)
                kill()
            }
        } catch {
            kill()
        }
    }

    /// Sets the reason for which the process ends, unless there is an earlier one.
    private func setCause(_ error: AtriumError, missed: ProcessDeadline? = nil) {
        guard end.error == nil else { return }
        state.withLock { if $0.cause == nil { ($0.cause, $0.missed) = (error, missed) } }
    }

    /// Waits until the process has ended, and returns the reason as an error.
    func endError() async -> AtriumError {
        await end.wait().adding(lastOutput: state.withLock { $0.lastOutput })
    }

    /// Ends the process at once, because the host does not need it any more unless there is an earlier reason.
    func kill() {
        setCause(AtriumError(.extensionEnded, identifier, reason: "hostEnded"))
        process.kill()
        connection.close()
    }

    // MARK: The connection

    func receive(_ request: IncomingRequest) throws(ProtocolViolation) { try messages.receive(request) }
    func receive(_ event: Frame) throws(ProtocolViolation) { try messages.receive(event) }

    /// Waits for the process's end, on the connection's thread, and tells all who wait why it has ended.
    func connectionEnded(_ reason: Connection.End) {
        if case .violation(let violation) = reason {
            setCause(AtriumError(.extensionProtocolBroken, identifier, reason: violation.reason))
            process.kill()
        }
        if !process.wait(milliseconds: Self.patience) { process.kill() }
        let ended = process.reap()
        let lastOutput = output.finish(milliseconds: Int(Self.patience))
        let crash = crash.description
        let (cause, missed) = state.withLock { state in
            state.lastOutput = lastOutput
            return (state.cause, state.missed)
        }
        if let missed {
            // Also if its handler of the request for the stack ended it by a fault.
            services.reportCrash(crash ?? .unknown, .hang(missed), process: process.number)
        } else if let crash, case .signaled(let signal) = ended, SignalName.isFault(signal) {
            services.reportCrash(crash, .signal(signal), process: process.number)
        }
        let error = cause ?? AtriumError(ended, crash, of: identifier, memoryLimit: memoryLimit)
        // First, so that a call that fails finds the pages of an ended process.
        end.set(error) { objects?.end() }
        onEnd(error)
    }
}

/// The folders of the libraries that a host shares with plugins and extensions.
package enum HostLibraryFolders {
    /// The folders of Core, PluginExtension, SQLite and the Swift runtime, each once.
    package static let all: [FilePath] = {
        let shared = ["libPluginCore.so", "libPluginExtension.so", "libSQLite.so", "libswiftCore.so"]
        var folders: [FilePath] = []
        for object in LoadedObjects.paths()
        where shared.contains(object.lastComponent) && !folders.contains(object.parent) {
            folders.append(object.parent)
        }
        return folders
    }()
}
