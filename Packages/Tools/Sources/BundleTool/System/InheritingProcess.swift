import Console
import FoundationEssentials
import Glibc
import PluginCore
import Synchronization

/// A program that uses the terminal, input and output of this one.
///
/// A signal that ends this program also ends those that it has started, so that no build goes on without it.
struct InheritingProcess {
    private let name: String
    private let number: pid_t

    /// Runs a program and returns its exit status: 128 and the signal's number if a signal has ended it.
    ///
    /// - Parameters:
    ///   - name: The name of a program in one of the folders of `PATH`, or its path.
    ///   - isQuiet: Whether what it prints goes to standard error, because standard output is for the result alone.
    /// - Throws: ``CommandError`` if there is no such program, ``AtriumError`` with code `inputOutput`.
    static func run(_ name: String, _ words: [String], isQuiet: Bool) throws -> Int32 {
        let process = try InheritingProcess(starting: name, words, isQuiet: isQuiet)
        while true { if let status = try process.status(waiting: true) { return status } }
    }

    /// Starts a program.
    ///
    /// - Parameters and throws: As ``run(_:_:isQuiet:)``.
    init(starting name: String, _ words: [String], isQuiet: Bool = false) throws {
        RunningChildren.endWithThisProgram()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if isQuiet { posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO) }
        var arguments = ([name] + words).map { strdup($0) } + [nil]
        defer { for text in arguments { free(text) } }
        var child: pid_t = 0
        let error = posix_spawnp(&child, name, &actions, nil, &arguments, environ)
        guard error == 0 else { throw Self.failure(name, error) }
        self.name = name
        number = child
        RunningChildren.add(child)
    }

    /// Returns the exit status of the program as in ``run(_:_:isQuiet:)``; `nil` while it runs.
    func status(waiting waits: Bool) throws -> Int32? {
        var status: Int32 = 0
        let ended = waitpid(number, &status, waits ? 0 : WNOHANG)
        guard ended >= 0 else {
            if errno == EINTR { return nil }
            throw Self.failure(name, errno)
        }
        guard ended == number else { return nil }
        RunningChildren.remove(number)
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
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
        if error == ENOENT {
            let reason = name == "swift" ? "swiftMissing" : "programMissing"
            return CommandError(.notFound, name, code: "programMissing", reason: reason)
        }
        return AtriumError(
            .inputOutput, name, reason: "startingFailed", ["message": .text(System.message(errno: error))])
    }
}

/// The numbers of the running programs, at most two, which a signal handler can read.
private enum RunningChildren {
    static let first = Atomic<pid_t>(0)
    static let second = Atomic<pid_t>(0)

    static func add(_ child: pid_t) {
        if !first.compareExchange(expected: 0, desired: child, ordering: .sequentiallyConsistent).exchanged {
            second.store(child, ordering: .sequentiallyConsistent)
        }
    }

    static func remove(_ child: pid_t) {
        _ = first.compareExchange(expected: child, desired: 0, ordering: .sequentiallyConsistent)
        _ = second.compareExchange(expected: child, desired: 0, ordering: .sequentiallyConsistent)
    }

    /// Makes signals that end this program end its children, too.
    static func endWithThisProgram() {
        // The handler must not be the first to use these.
        _ = (first.load(ordering: .relaxed), second.load(ordering: .relaxed))
        for number in [SIGTERM, SIGHUP, SIGQUIT] {
            signal(number) { number in
                let one = RunningChildren.first.load(ordering: .sequentiallyConsistent)
                let other = RunningChildren.second.load(ordering: .sequentiallyConsistent)
                if one > 0 { kill(one, SIGTERM) }
                if other > 0 { kill(other, SIGTERM) }
                signal(number, SIG_DFL)
                kill(getpid(), number)
            }
        }
    }
}

/// The module's access to the process environment and the clock.
enum Environment {
    /// Returns the variables of this process for a program whose libraries are looked for in some folders first, as `NAME=value`.
    static func variables(findingLibrariesIn folders: [FilePath]) -> [String] {
        var all = ProcessInfo.processInfo.environment
        let name = "LD_LIBRARY_PATH"
        let paths = folders.map(\.string) + (all[name].map { [$0] } ?? [])
        if !folders.isEmpty { all[name] = paths.joined(separator: ":") }
        return all.map { "\($0)=\($1)" }
    }

    /// The number of this process.
    static var processNumber: Int32 { getpid() }

    /// Returns the current time in milliseconds since 1970.
    static func milliseconds() -> Int64 { Int64(Date.now.timeIntervalSince1970 * 1_000) }

    /// Returns the current time in seconds since 1970.
    static func now() -> Int64 { Int64(time(nil)) }
}
