import Glibc
import HostSystem
public import PluginCore
import Processes

/// A program that tests run in a controlled environment.
///
/// ```swift
/// let result = try await Executable("/bin/sh").run("-c", "echo $GREETING", environment: ["GREETING": "Hello"])
/// #expect(result.stdout == "Hello\n")
/// ```
public struct Executable: Sendable {
    /// The default time limit of ten minutes, which ends hanging programs but is long enough for slow ones on a busy machine.
    public static let patience = Duration.seconds(600)

    /// The variables that the program inherits from the test.
    private static let inherited = ["PATH", "TMPDIR", "LD_LIBRARY_PATH"]

    /// The file of the program.
    public let path: FilePath
    private let leading: [String]
    private let variables: [String: String]
    /// The objects that must stay alive while one of its processes runs.
    private let held: [any Sendable]

    /// Creates a program.
    ///
    /// - Parameters:
    ///   - path: The file. It is not searched for.
    ///   - leading: The arguments before those of each run.
    ///   - environment: The variables for each run, in addition to `PATH`, `TMPDIR` and `LD_LIBRARY_PATH` of the test and an unusable
    ///     `HOME`.
    public init(_ path: FilePath, leading: [String] = [], environment: [String: String] = [:]) {
        self.init(path, leading: leading, environment: environment, holding: [])
    }

    init(_ path: FilePath, leading: [String], environment: [String: String], holding held: [any Sendable]) {
        self.path = path
        self.leading = leading
        variables = environment
        self.held = held
    }

    /// Runs the program until it ends.
    ///
    /// - Parameters:
    ///   - arguments: The arguments.
    ///   - input: The complete standard input.
    ///   - environment: Additional variables, which override those of the program.
    ///   - folder: The working folder, by default that of the test.
    ///   - timeout: The time after which the program and its child processes are killed.
    /// - Throws: ``ProcessFailure``, with `notStarted` or `timedOut`.
    public func run(
        _ arguments: [String], input: String = "", environment: [String: String] = [:], folder: FilePath? = nil,
        timeout: Duration = patience
    ) async throws(ProcessFailure) -> ProcessResult {
        let deadline = ContinuousClock.now + timeout
        let process = try self.start(arguments, environment: environment, folder: folder)
        // A program may end without reading its input.
        _ = try? await process.send(input, timeout: timeout)
        process.closeInput()
        return try await process.result(before: deadline, ofWaiting: timeout)
    }

    /// Runs the program until it ends, with variadic arguments.
    ///
    /// See ``run(_:input:environment:folder:timeout:)-([String],_,_,_,_)``.
    public func run(
        _ arguments: String..., input: String = "", environment: [String: String] = [:], folder: FilePath? = nil,
        timeout: Duration = patience
    ) async throws(ProcessFailure) -> ProcessResult {
        try await run(arguments, input: input, environment: environment, folder: folder, timeout: timeout)
    }

    /// Starts the program for interactive use.
    ///
    /// - Throws: ``ProcessFailure``, with `notStarted`.
    public func start(
        _ arguments: [String], environment: [String: String] = [:], folder: FilePath? = nil
    ) throws(ProcessFailure) -> RunningProcess {
        guard let input = System.pipe(), let output = System.pipe(), let errors = System.pipe() else {
            throw .notStarted(command: command(arguments), reason: FileSystem.message())
        }
        let process = try spawn(arguments, environment) { arguments, variables throws(AtriumError) in
            try SpawnedProcess(
                path, arguments: arguments, environment: variables, input: input.reader.raw,
                output: output.writer.raw, error: errors.writer.raw, folder: folder, isGroup: true)
        }
        return withExtendedLifetime((input, output, errors)) {
            RunningProcess(
                process, command(arguments), input: ProcessInput(input.writer, isTerminal: false),
                [(output.reader, \.output), (errors.reader, \.error)], holding: held)
        }
    }

    /// Starts the program on a terminal, which is its input, output, error and controlling terminal.
    ///
    /// - Parameters:
    ///   - columns: The width of the terminal.
    ///   - rows: The height of the terminal.
    ///   - environment: Additional variables. `TERM` is `xterm` by default.
    /// - Throws: ``ProcessFailure``, with `notStarted`.
    public func startOnTerminal(
        _ arguments: [String], columns: UInt16 = 80, rows: UInt16 = 24, environment: [String: String] = [:],
        folder: FilePath? = nil
    ) throws(ProcessFailure) -> RunningProcess {
        guard let (controller, user, device) = System.terminal(columns: columns, rows: rows) else {
            throw .notStarted(command: command(arguments), reason: FileSystem.message())
        }
        let environment = ["TERM": "xterm"].merging(environment) { _, given in given }
        let process = try spawn(arguments, environment) { arguments, variables throws(AtriumError) in
            try SpawnedProcess(
                path, arguments: arguments, environment: variables, terminal: device, folder: folder)
        }
        return withExtendedLifetime(user) {
            RunningProcess(
                process, command(arguments), input: ProcessInput(controller, isTerminal: true),
                [(controller, \.output)], holding: held)
        }
    }

    private func command(_ arguments: [String]) -> String {
        ([path.lastComponent] + leading + arguments).joined(separator: " ")
    }

    /// Starts a process with all arguments and variables.
    private func spawn(
        _ arguments: [String], _ environment: [String: String],
        _ start: (_ arguments: [String], _ variables: [String]) throws(AtriumError) -> SpawnedProcess
    ) throws(ProcessFailure) -> SpawnedProcess {
        System.ignoresBrokenPipes
        // A program that ignores its options must fail instead of using the home folder of the person who runs the tests.
        var all = ["HOME": "/dev/null", "PATH": "/usr/local/bin:/usr/bin:/bin"]
        for name in Self.inherited { all[name] = System.environment(name) ?? all[name] }
        all.merge(variables) { _, own in own }
        all.merge(environment) { _, given in given }
        do {
            return try start(leading + arguments, all.map { "\($0.key)=\($0.value)" })
        } catch {
            guard case .text(let message)? = error.reason?.values["message"] else {
                throw .notStarted(command: command(arguments), reason: "\(error)")
            }
            throw .notStarted(command: command(arguments), reason: message)
        }
    }
}
