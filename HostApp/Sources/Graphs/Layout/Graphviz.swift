package import PluginCore
#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The program `dot` of Graphviz, which computes where the parts of a graph are drawn.
package struct Graphviz: Sendable {
    private let program: String
    private let limit: Duration
    /// The largest answer in bytes.
    private static let answerLimit = 64 << 20

    /// - Parameters:
    ///   - program: the program's name or path.
    ///   - limit: the time after which it is killed.
    package init(program: String = "dot", limit: Duration = .seconds(30)) {
        self.program = program
        self.limit = limit
    }

    /// Returns the layout of a graph as JSON.
    ///
    /// - Throws: ``AtriumError`` with code `graphvizMissing` or `graphvizFailed`.
    func layout(of dot: String) throws(AtriumError) -> [UInt8] {
        let (input, output) = (try Self.pipe(), try Self.pipe())
        var rest = Array(dot.utf8)[...]
        var answer: [UInt8] = []
        let child: pid_t
        do throws(AtriumError) {
            child = try start(reading: input.read, writing: output.write)
        } catch {
            for end in [input.read, input.write, output.read, output.write] { close(end) }
            throw error
        }
        close(input.read)
        close(output.write)
        // The child's ends stay blocking, because the flag belongs to each end alone.
        _ = fcntl(input.write, F_SETFL, O_NONBLOCK)
        var inputEnd = input.write
        let deadline = ContinuousClock.now + limit
        var isComplete = false
        while !isComplete, answer.count <= Self.answerLimit, ContinuousClock.now < deadline {
            let milliseconds = Int32(max(1, min(1_000_000, (deadline - .now) / .milliseconds(1))))
            var polled = [pollfd(fd: output.read, events: Int16(POLLIN), revents: 0)]
            if inputEnd >= 0 { polled.append(pollfd(fd: inputEnd, events: Int16(POLLOUT), revents: 0)) }
            guard poll(&polled, nfds_t(polled.count), milliseconds) > 0 else { continue }
            if polled.count > 1, polled[1].revents != 0 {
                let count = rest.withUnsafeBytes { write(inputEnd, $0.baseAddress, $0.count) }
                if count > 0 { rest = rest.dropFirst(count) }
                if rest.isEmpty || count < 0 && errno != EAGAIN && errno != EINTR {
                    close(inputEnd)
                    inputEnd = -1
                }
            }
            guard polled[0].revents != 0 else { continue }
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            let count = read(output.read, &buffer, buffer.count)
            if count > 0 { answer += buffer[..<count] }
            isComplete = count == 0
        }
        if inputEnd >= 0 { close(inputEnd) }
        close(output.read)
        // A program that has closed its output has nothing left to do but to end.
        if !isComplete { kill(child, SIGKILL) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        guard isComplete else {
            throw answer.count > Self.answerLimit
                ? Self.failed("answerTooLarge", ["limit": .integer(Self.answerLimit)])
                : AtriumError(
                    .graphvizFailed, program, reason: "graphvizTooSlow",
                    ["seconds": .integer(Int(limit / .seconds(1)))])
        }
        guard status == 0 else { throw Self.failed("graphvizStatus", ["status": .integer(Int(status >> 8 & 0xFF))]) }
        return answer
    }

    static func failed(_ reason: String, _ values: [String: ErrorReason.Value] = [:]) -> AtriumError {
        AtriumError(.graphvizFailed, "dot", reason: reason, values)
    }

    private func start(reading input: Int32, writing output: Int32) throws(AtriumError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var arguments = [strdup(program), strdup("-Tjson0"), nil]
        defer { for argument in arguments { free(argument) } }
        var child: pid_t = 0
        let error = posix_spawnp(&child, program, &actions, nil, &arguments, environ)
        guard error == 0 else {
            throw error == ENOENT
                ? AtriumError(.graphvizMissing, program)
                : AtriumError(
                    .graphvizFailed, program, reason: "startingFailed",
                    ["message": .text(String(cString: strerror(error)))])
        }
        return child
    }

    private static func pipe() throws(AtriumError) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else {
            throw AtriumError(
                .graphvizFailed, "dot", reason: "startingFailed", ["message": .text(String(cString: strerror(errno)))])
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}

extension AtriumError.Code {
    /// Graphviz is not installed.
    package static let graphvizMissing = Self("graphvizMissing")
    /// Graphviz did not compute a layout.
    package static let graphvizFailed = Self("graphvizFailed")
}
