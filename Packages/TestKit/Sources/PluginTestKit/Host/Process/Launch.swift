internal import CProcess
internal import Dispatch
internal import Glibc
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
        let input = try pipe()
        let output = try pipe()
        let errors = try pipe()
        defer { for descriptor in [input.read, output.write, errors.write] { System.close(descriptor) } }
        do throws(ProcessFailure) {
            let child = try start(input: input.read, output: output.write, error: errors.write)
            return RunningProcess(
                child, command, input: ProcessInput(input.write, isTerminal: false), output: output.read,
                error: errors.read, holding: held)
        } catch {
            for descriptor in [input.write, output.read, errors.read] { System.close(descriptor) }
            throw error
        }
    }

    func onTerminal(columns: UInt16, rows: UInt16) throws(ProcessFailure) -> RunningProcess {
        var controller: Int32 = -1
        var device = [CChar](repeating: 0, count: 128)
        let number = process_terminal(&controller, &device, device.count)
        guard number == 0 else { throw failure(number) }
        System.resize(controller, columns: columns, rows: rows)
        guard let typing = System.duplicate(controller) else {
            defer { System.close(controller) }
            throw failure(errno)
        }
        do throws(ProcessFailure) {
            let child = try start(terminal: device)
            return RunningProcess(
                child, command, input: ProcessInput(typing, isTerminal: true), output: controller, error: nil,
                holding: held)
        } catch {
            System.close(controller)
            System.close(typing)
            throw error
        }
    }

    private func pipe() throws(ProcessFailure) -> (read: Int32, write: Int32) {
        guard let ends = System.pipe() else { throw failure(errno) }
        return ends
    }

    private func failure(_ number: Int32) -> ProcessFailure {
        .notStarted(command: command, reason: System.message(number))
    }

    private func start(
        input: Int32 = -1, output: Int32 = -1, error: Int32 = -1, terminal: [CChar]? = nil
    ) throws(ProcessFailure) -> pid_t {
        System.ignoresBrokenPipes
        var words = ([path.string] + arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        let file = strdup(path.string)
        let folder = self.folder.flatMap { strdup($0.string) }
        let device = terminal.flatMap { strdup($0) }
        defer { for pointer in words + variables + [file, folder, device] { free(pointer) } }
        guard let file else { throw failure(ENOMEM) }
        var child: pid_t = 0
        let number = words.withUnsafeMutableBufferPointer { words -> Int32 in
            variables.withUnsafeMutableBufferPointer { variables -> Int32 in
                guard let arguments = words.baseAddress, let environment = variables.baseAddress else { return EINVAL }
                var request = process_request(
                    path: file, arguments: arguments, environment: environment, folder: folder, terminal: device,
                    input: input, output: output, error: error)
                return process_start(&request, &child)
            }
        }
        guard number == 0 else { throw failure(number) }
        return child
    }
}

extension System {
    /// Creates a pipe that child processes do not inherit.
    static func pipe() -> (read: Int32, write: Int32)? {
        var ends: [Int32] = [-1, -1]
        return process_pipe(&ends) == 0 ? (ends[0], ends[1]) : nil
    }
}

/// The standard input of a process.
final class ProcessInput: Sendable {
    let isTerminal: Bool
    private let descriptor: Mutex<Int32?>
    /// Blocking writes run on this queue instead of the concurrency pool.
    private let queue = DispatchQueue(label: "process input")

    init(_ descriptor: Int32, isTerminal: Bool) {
        System.makeNonBlocking(descriptor)
        self.isTerminal = isTerminal
        self.descriptor = Mutex(descriptor)
    }

    deinit {
        descriptor.withLock { if let open = $0 { System.close(open) } }
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
                self.descriptor.withLock { open in
                    if let open { System.close(open) }
                    open = nil
                }
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
