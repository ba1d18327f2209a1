public import PluginCore

/// A program that tests run, in an environment that does not depend on who runs them.
///
/// ```swift
/// let result = try await Executable("/bin/sh").run("-c", "echo $GREETING", environment: ["GREETING": "Hello"])
/// #expect(result.stdout == "Hello\n")
/// ```
public struct Executable: Sendable {
    /// The default time limit of ``run(_:input:environment:folder:timeout:)-(String...,_,_,_,_)``: ten minutes. It ends programs that
    /// hang, and is long enough for slow ones on a busy machine.
    public static let patience = Duration.seconds(600)

    /// What of the test's own environment goes on to the program.
    private static let inherited = ["PATH", "TMPDIR", "LD_LIBRARY_PATH"]

    /// The program's file.
    public let path: FilePath
    private let leading: [String]
    private let variables: [String: String]
    /// What must not go as long as one of its processes runs.
    private let held: [any Sendable]

    /// A program.
    ///
    /// - Parameters:
    ///   - path: its file; nothing is searched for.
    ///   - leading: words that stand before those of each run.
    ///   - environment: variables for each run, besides `PATH`, `TMPDIR` and `LD_LIBRARY_PATH` of the test itself and a
    ///     `HOME` in which nothing can be made.
    public init(_ path: FilePath, leading: [String] = [], environment: [String: String] = [:]) {
        self.init(path, leading: leading, environment: environment, holding: [])
    }

    init(_ path: FilePath, leading: [String], environment: [String: String], holding held: [any Sendable]) {
        self.path = path
        self.leading = leading
        variables = environment
        self.held = held
    }

    /// Runs it to its end.
    ///
    /// - Parameters:
    ///   - arguments: the words behind the program's name.
    ///   - input: what it reads; the end of input follows.
    ///   - environment: more variables; they win over those of the program.
    ///   - folder: its working folder; by default the test's.
    ///   - timeout: after which it is killed with all that it has started.
    /// - Throws: ``ProcessFailure``, `notStarted` or `timedOut`.
    public func run(
        _ arguments: [String], input: String = "", environment: [String: String] = [:], folder: FilePath? = nil,
        timeout: Duration = patience
    ) async throws(ProcessFailure) -> ProcessResult {
        let deadline = ContinuousClock.now + timeout
        let process = try self.start(arguments, environment: environment, folder: folder)
        // A program need not read what it is given.
        _ = try? await process.send(input, timeout: timeout)
        process.closeInput()
        return try await process.result(before: deadline, ofWaiting: timeout)
    }

    /// Runs it to its end, the words one by one; see ``run(_:input:environment:folder:timeout:)-([String],_,_,_,_)``.
    public func run(
        _ arguments: String..., input: String = "", environment: [String: String] = [:], folder: FilePath? = nil,
        timeout: Duration = patience
    ) async throws(ProcessFailure) -> ProcessResult {
        try await run(arguments, input: input, environment: environment, folder: folder, timeout: timeout)
    }

    /// Starts it, to talk to it while it runs.
    ///
    /// - Throws: ``ProcessFailure``, `notStarted`.
    public func start(
        _ arguments: [String], environment: [String: String] = [:], folder: FilePath? = nil
    ) throws(ProcessFailure) -> RunningProcess {
        try launch(arguments, environment, folder).onPipes()
    }

    /// Starts it as in a terminal window: input, output and error are one terminal, which also is the controlling one.
    ///
    /// - Parameters:
    ///   - columns: the terminal's width.
    ///   - rows: the terminal's height.
    ///   - environment: more variables; `TERM` is `xterm` unless it says otherwise.
    /// - Throws: ``ProcessFailure``, `notStarted`.
    public func startOnTerminal(
        _ arguments: [String], columns: UInt16 = 80, rows: UInt16 = 24, environment: [String: String] = [:],
        folder: FilePath? = nil
    ) throws(ProcessFailure) -> RunningProcess {
        let environment = ["TERM": "xterm"].merging(environment) { _, given in given }
        return try launch(arguments, environment, folder).onTerminal(columns: columns, rows: rows)
    }

    private func launch(_ arguments: [String], _ environment: [String: String], _ folder: FilePath?) -> Launch {
        // A program that forgets where it was told to work must fail, and not work in the home of whoever runs the tests.
        var all = ["HOME": "/dev/null", "PATH": "/usr/local/bin:/usr/bin:/bin"]
        for name in Self.inherited { all[name] = System.environment(name) ?? all[name] }
        all.merge(variables) { _, own in own }
        all.merge(environment) { _, given in given }
        return Launch(path: path, arguments: leading + arguments, environment: all, folder: folder, held: held)
    }
}
