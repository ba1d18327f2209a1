import Console
import Dispatch
import FoundationEssentials
import Glibc
import HostSystem
import PluginCore
import Processes
import Synchronization

/// A program that uses the terminal, input and output of this one.
///
/// A signal that ends this program also ends those that it has started, so that no build goes on without it.
enum InheritingProcess {
    /// Runs a program and returns its exit status.
    ///
    /// - Parameters:
    ///   - name: The name of a program in one of the folders of `PATH`, or its path.
    ///   - environment: Variables in addition to those of this program.
    ///   - isQuiet: Whether what it prints goes to standard error, because standard output is for the result alone.
    /// - Throws: ``CommandError`` if there is no such program, ``AtriumError`` with code `inputOutput`.
    static func run(
        _ name: String, _ words: [String], environment: [String: String] = [:], isQuiet: Bool
    ) throws -> Int32 {
        try start(name, words, environment: environment, isQuiet: isQuiet).reap().status
    }

    /// Runs a program, and returns its exit status and what it has written to standard output.
    static func output(
        of name: String, _ words: [String], environment: [String: String] = [:]
    ) throws -> (status: Int32, bytes: [UInt8]) {
        try Files.withTemporaryFolder { folder in
            let path = folder.appending("output")
            let created = try OpenFile.call("creatingFailed", path) {
                open(path.string, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
            }
            let file = OpenFile(created, at: path)
            let process = try start(name, words, environment: environment, output: file.raw)
            return (process.reap().status, try Files.bytes(of: path, limit: 1 << 28))
        }
    }

    /// Starts a program.
    ///
    /// - Parameters and throws: As ``run(_:_:environment:isQuiet:)``.
    static func start(
        _ name: String, _ words: [String], environment: [String: String] = [:], isQuiet: Bool = false,
        output: Int32? = nil
    ) throws -> SpawnedProcess {
        guard let program = program(name) else { throw failure(name, ENOENT) }
        let process = try SpawnedProcess(
            program, arguments: words, environment: Environment.variables(adding: environment), input: STDIN_FILENO,
            output: output ?? (isQuiet ? STDERR_FILENO : STDOUT_FILENO), error: STDERR_FILENO)
        RunningPrograms.add(process)
        return process
    }

    /// Returns the file of a program in one of the folders of `PATH`, or at a path; `nil` if it doesn't exist.
    static func program(_ name: String) -> FilePath? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        let places = name.contains("/") ? [FilePath(name)] : folders.map { FilePath($0).appending(name) }
        return places.first { FileManager.default.isExecutableFile(atPath: $0.string) && $0.isFile }
    }

    /// Replaces this program by another one. Returns only if that fails.
    static func replace(by program: FilePath, _ words: [String]) throws -> Never {
        var arguments = ([program.string] + words).map { strdup($0) } + [nil]
        execv(program.string, &arguments)
        let error = errno
        for text in arguments { free(text) }
        throw failure(program.string, error)
    }

    private static func failure(_ name: String, _ error: Int32) -> any Error {
        guard error == ENOENT else {
            return AtriumError(
                .inputOutput, name, reason: "startingFailed", ["message": "\(System.message(errno: error))"])
        }
        let reason = name == "swift" ? "swiftMissing" : "programMissing"
        return CommandError(.notFound, name, code: "programMissing", reason: reason)
    }
}

extension SpawnedProcess.End {
    /// The exit status: 128 and the signal's number if a signal has ended the program.
    var status: Int32 {
        switch self {
        case .exited(let status): status
        case .signaled(let signal): 128 + signal
        }
    }
}

/// The programs that a signal which ends this one ends, too.
private enum RunningPrograms {
    private struct Running {
        weak var process: SpawnedProcess?
    }

    private static let all = Mutex<[Running]>([])
    // because: nothing uses them after they were activated.
    private nonisolated(unsafe) static let signals = [SIGTERM, SIGHUP, SIGQUIT].map { number in
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number)
        source.setEventHandler {
            for running in all.withLock({ $0 }) { running.process?.signal(SIGTERM) }
            signal(number, SIG_DFL)
            kill(getpid(), number)
        }
        source.activate()
        return source
    }

    static func add(_ process: SpawnedProcess) {
        _ = signals
        all.withLock { $0.append(Running(process: process)) }
    }
}

/// The module's access to the process environment and the clock.
enum Environment {
    /// Returns the variables of this process for a program whose libraries are looked for in some folders first, as `NAME=value`.
    static func variables(
        adding more: [String: String] = [:], findingLibrariesIn folders: [FilePath] = []
    ) -> [String] {
        var all = ProcessInfo.processInfo.environment.merging(more) { $1 }
        let name = "LD_LIBRARY_PATH"
        let paths = folders.map(\.string) + (all[name].map { [$0] } ?? [])
        if !folders.isEmpty { all[name] = paths.joined(separator: ":") }
        return all.map { "\($0)=\($1)" }
    }

    /// Returns the current time in milliseconds since 1970.
    static func milliseconds() -> Int64 { Int64(Date.now.timeIntervalSince1970 * 1_000) }

    /// Returns the current time in seconds since 1970.
    static func now() -> Int64 { Int64(time(nil)) }
}
