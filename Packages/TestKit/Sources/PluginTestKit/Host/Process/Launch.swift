internal import Dispatch
internal import Glibc
internal import HostSystem
internal import PluginCore
internal import Synchronization

/// The start of a process and its connection to pipes or a terminal.
struct Launch {
    let path: FilePath
    let arguments: [String]
    let environment: [String: String]
    let folder: FilePath?
    /// The objects that the process keeps alive.
    let held: [any Sendable]

    private var command: String { ([path.lastComponent] + arguments).joined(separator: " ") }

    func onPipes() throws(ProcessFailure) -> RunningProcess {
        let (input, output, errors) = (try pipe(), try pipe(), try pipe())
        let process = try start { () throws(AtriumError) in
            try SpawnedProcess(
                path, arguments: arguments, environment: variables, input: input.reader.number,
                output: output.writer.number, error: errors.writer.number, folder: folder, isGroup: true)
        }
        return withExtendedLifetime((input, output, errors)) {
            RunningProcess(
                process, command, input: ProcessInput(input.writer, isTerminal: false), output: output.reader,
                error: errors.reader, holding: held)
        }
    }

    func onTerminal(columns: UInt16, rows: UInt16) throws(ProcessFailure) -> RunningProcess {
        guard let (controller, user, device) = System.terminal(columns: columns, rows: rows) else {
            throw failure(System.message(errno))
        }
        let process = try start { () throws(AtriumError) in
            try SpawnedProcess(
                path, arguments: arguments, environment: variables, terminal: device, folder: folder)
        }
        return withExtendedLifetime(user) {
            RunningProcess(
                process, command, input: ProcessInput(controller, isTerminal: true), output: controller, error: nil,
                holding: held)
        }
    }

    private var variables: [String] { environment.map { "\($0.key)=\($0.value)" } }

    private func pipe() throws(ProcessFailure) -> (reader: Descriptor, writer: Descriptor) {
        guard let ends = System.pipe() else { throw failure(System.message(errno)) }
        return ends
    }

    private func failure(_ reason: String) -> ProcessFailure { .notStarted(command: command, reason: reason) }

    private func start(_ body: () throws(AtriumError) -> SpawnedProcess) throws(ProcessFailure) -> SpawnedProcess {
        System.ignoresBrokenPipes
        do throws(AtriumError) {
            return try body()
        } catch {
            guard case .text(let message)? = error.reason?.values["message"] else { throw failure("\(error)") }
            throw failure(message)
        }
    }
}

/// The standard input of a process.
final class ProcessInput: Sendable {
    let isTerminal: Bool
    private let descriptor: Mutex<Descriptor?>
    /// Blocking writes run on this queue instead of the concurrency pool.
    private let queue = DispatchQueue(label: "process input")

    init(_ descriptor: Descriptor, isTerminal: Bool) {
        System.makeNonBlocking(descriptor)
        self.isTerminal = isTerminal
        self.descriptor = Mutex(descriptor)
    }

    /// Writes all bytes. Returns false if the process does not read them, at all or in time.
    func write(_ bytes: [UInt8], timeout: Duration) async -> Bool {
        let deadline = ContinuousClock.now + timeout
        return await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.writeAll(bytes, before: deadline)) }
        }
    }

    /// Ends the input by closing the pipe, or on a terminal by Control-D.
    func close() {
        queue.async {
            if self.isTerminal {
                _ = self.writeAll([0x04], before: .now + .seconds(1))
            } else {
                self.descriptor.withLock { $0 = nil }
            }
        }
    }

    /// Writes bytes. It must run on the queue, which also closes the descriptor, so the descriptor remains valid.
    private func writeAll(_ bytes: [UInt8], before deadline: ContinuousClock.Instant) -> Bool {
        guard let open = descriptor.withLock({ $0 }) else { return false }
        var left = bytes[...]
        while !left.isEmpty {
            guard let count = System.write(left, to: open) else { return false }
            left = left.dropFirst(count)
            if count == 0, !System.waitUntilWritable(open, timeout: deadline.millisecondsLeft) { return false }
        }
        return true
    }
}

extension ContinuousClock.Instant {
    /// The remaining time in milliseconds for poll, at most an hour and rounded up, so that zero means expired.
    fileprivate var millisecondsLeft: Int32 {
        let (seconds, fraction) = min(max(.zero, self - .now), .seconds(3600)).components
        return Int32(seconds * 1000 + (fraction + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
