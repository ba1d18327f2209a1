internal import CProcess
internal import PluginCore

internal import Glibc

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
