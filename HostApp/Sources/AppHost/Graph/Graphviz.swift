import HostSystem
import PluginCore
import Glibc

/// The program `dot` of Graphviz, which draws graphs.
struct Graphviz: Sendable {
    private let program: String
    private let limit: Duration
    /// The largest drawing in bytes.
    private static let answerLimit = 64 << 20

    /// - Parameters:
    ///   - program: the program's name or path.
    ///   - limit: the time after which it is killed.
    init(program: String = "dot", limit: Duration = .seconds(30)) {
        self.program = program
        self.limit = limit
    }

    /// Returns the drawing of a graph in the DOT language as SVG.
    ///
    /// - Throws: ``AtriumError`` with code `graphvizMissing` or `graphvizFailed`.
    func svg(of dot: String) throws(AtriumError) -> String {
        let input = try MemoryFile(Array(dot.utf8), named: "graph.dot")
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw startingFailed(errno) }
        let (reader, writer) = (ends[0], ends[1])
        defer { close(reader) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let child: pid_t
        do throws(AtriumError) {
            child = try start(reading: input.descriptor, writing: writer)
        } catch {
            close(writer)
            throw error
        }
        close(writer)
        let (answer, isComplete) = read(from: reader)
        // A program that has closed its output has nothing left to do but to end.
        if !isComplete { kill(child, SIGKILL) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        guard isComplete else {
            throw answer.count > Self.answerLimit
                ? failed("answerTooLarge", ["limit": .integer(Self.answerLimit)])
                : failed("graphvizTooSlow", ["seconds": .integer(Int(limit / .seconds(1)))])
        }
        guard status == 0 else { throw failed("graphvizStatus", ["status": .integer(Int(status >> 8 & 0xFF))]) }
        guard let text = String(validating: answer, as: UTF8.self), text.contains("<svg") else {
            throw failed("graphvizAnswer")
        }
        return text
    }

    /// Returns the output, and whether it has ended within the limits of time and size.
    private func read(from descriptor: Int32) -> (answer: [UInt8], isComplete: Bool) {
        let deadline = ContinuousClock.now + limit
        var (answer, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
        while answer.count <= Self.answerLimit {
            let rest = (deadline - .now) / .milliseconds(1)
            guard rest > 0 else { break }
            var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&polled, 1, Int32(min(1_000_000, rest.rounded(.up)))) > 0 else { continue }
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return (answer, true) }
            answer += buffer[..<count]
        }
        return (answer, false)
    }

    private func start(reading input: Int32, writing output: Int32) throws(AtriumError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        // The file is opened again by its name, because the position of the descriptor is at its end.
        var arguments = [strdup(program), strdup("-Tsvg"), strdup("/proc/self/fd/0"), nil]
        defer { for argument in arguments { free(argument) } }
        var child: pid_t = 0
        let error = posix_spawnp(&child, program, &actions, nil, &arguments, environ)
        guard error == 0 else {
            throw error == ENOENT ? AtriumError(.graphvizMissing, program) : startingFailed(error)
        }
        return child
    }

    private func startingFailed(_ number: Int32) -> AtriumError {
        failed("startingFailed", ["message": .text(String(cString: strerror(number)))])
    }

    private func failed(_ reason: String, _ values: [String: ErrorReason.Value] = [:]) -> AtriumError {
        AtriumError(.graphvizFailed, program, reason: reason, values)
    }
}

extension AtriumError.Code {
    /// Graphviz is not installed.
    static let graphvizMissing = Self("graphvizMissing")
    /// Graphviz did not draw the graph.
    static let graphvizFailed = Self("graphvizFailed")
}
