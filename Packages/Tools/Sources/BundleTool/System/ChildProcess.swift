import FoundationEssentials
import Glibc
import PluginCore

/// A program that runs until it ends or a deadline has passed.
struct ChildProcess {
    /// The way in which a program ended.
    enum End: Equatable {
        case exited(status: Int32)
        case killed(signal: Int32)
        case timedOut
    }

    /// The way in which it ended.
    let end: End
    /// The bytes that it wrote to the descriptor for its answer.
    let answer: [UInt8]
    /// The last bytes that it wrote to standard output and standard error.
    let output: [UInt8]
    /// The last ten lines of its output.
    var lastLines: [String] {
        String(decoding: output, as: UTF8.self).split(whereSeparator: \.isNewline).suffix(10).map(String.init)
    }

    /// The length of the output that is kept, in bytes.
    private static let outputLimit = 8 << 10
    /// The time between two looks at the program, in milliseconds; its output and its end of file are noticed at once.
    private static let interval: Int32 = 10

    /// Runs a program without input. When it returns, the program and the processes that it started in its process group are gone.
    ///
    /// - Parameters:
    ///   - folders: the folders in which the loader looks first for its libraries.
    ///   - files: the open files that it inherits, under the same numbers.
    ///   - answerLimit: the largest answer, in bytes; the rest is dropped.
    ///   - words: returns the arguments, given the descriptor to which the program writes its answer.
    /// - Throws: ``AtriumError`` with code `inputOutput`.
    init(
        running program: FilePath, within limit: Duration, findingLibrariesIn folders: [FilePath],
        inheriting files: [Int32], answerLimit: Int = 4 << 20, _ words: (Int32) -> [String]
    ) throws(AtriumError) {
        let (answer, output) = (try Pipe(program), try Pipe(program))
        let inherited = files + [answer.writeEnd]
        let child = try Self.start(
            program, words(answer.writeEnd), Environment.variables(findingLibrariesIn: folders), inheriting: inherited,
            writingTo: output.writeEnd)
        answer.closeWriteEnd()
        output.closeWriteEnd()
        let deadline = ContinuousClock.now + limit
        var (answered, printed): ([UInt8], [UInt8]) = ([], [])
        var hasEnded = false
        while !hasEnded, ContinuousClock.now < deadline {
            Self.wait(for: [answer, output])
            // First whether it has ended and then its text, so that nothing is missed.
            hasEnded = Self.hasEnded(child)
            answered += answer.read(atMost: answerLimit - answered.count)
            printed = (printed + output.read(atMost: .max)).suffix(Self.outputLimit)
        }
        // The child is not reaped yet, so its number still means its group.
        kill(-child, SIGKILL)
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        end =
            !hasEnded ? .timedOut : signal == 0 ? .exited(status: status >> 8 & 0xFF) : .killed(signal: signal)
        self.answer = answered
        self.output = printed
    }

    /// Starts a program in a process group of its own.
    private static func start(
        _ program: FilePath, _ words: [String], _ variables: [String], inheriting files: [Int32],
        writingTo output: Int32
    ) throws(AtriumError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
        // A descriptor that is copied to itself stays open in the program.
        for file in files { posix_spawn_file_actions_adddup2(&actions, file, file) }
        // Files that this process has inherited itself are not marked to be closed.
        let flags = POSIX_SPAWN_SETPGROUP
        let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        for file in open.compactMap({ Int32($0) }) where file > STDERR_FILENO && !files.contains(file) {
            posix_spawn_file_actions_addclose(&actions, file)
        }
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var arguments = ([program.string] + words).map { strdup($0) } + [nil]
        var environment = variables.map { strdup($0) } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var child: pid_t = 0
        let error = posix_spawn(&child, program.string, &actions, &attributes, &arguments, &environment)
        guard error == 0 else {
            throw AtriumError(
                .inputOutput, program.string, reason: "startingFailed",
                ["message": .text(Files.message(forError: error))])
        }
        return child
    }

    /// Waits until a pipe has text or has been closed, for one interval at most.
    private static func wait(for pipes: [Pipe]) {
        var polled = pipes.filter { !$0.isAtEnd }.map { pollfd(fd: $0.readEnd, events: Int16(POLLIN), revents: 0) }
        _ = poll(&polled, nfds_t(polled.count), interval)
    }

    /// Returns whether a child has ended, without reaping it.
    private static func hasEnded(_ child: pid_t) -> Bool {
        var info = siginfo_t()
        return waitid(P_PID, id_t(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_signo != 0
    }
}

/// A pipe from a child to this process.
private final class Pipe {
    let readEnd: Int32
    private(set) var writeEnd: Int32
    private(set) var isAtEnd = false

    init(_ program: FilePath) throws(AtriumError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw AtriumError(.inputOutput, program.string, reason: .verbatim(Files.message(forError: errno)))
        }
        (readEnd, writeEnd) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(readEnd, F_SETFL, O_NONBLOCK)
    }

    deinit {
        closeWriteEnd()
        close(readEnd)
    }

    func closeWriteEnd() {
        if writeEnd >= 0 { close(writeEnd) }
        writeEnd = -1
    }

    /// Reads what is there without waiting, and returns the first bytes of it.
    func read(atMost limit: Int) -> [UInt8] {
        var (text, buffer): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 1 << 16))
        // One look takes a bounded amount, however fast the child writes.
        for _ in 0..<64 where !isAtEnd {
            let count = buffer.withUnsafeMutableBytes { Glibc.read(readEnd, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { break }
            guard count > 0 else {
                isAtEnd = true
                break
            }
            text += buffer[..<count].prefix(max(0, limit - text.count))
        }
        return text
    }
}
