import Glibc
import HostSystem
import PluginCore
import Processes

/// A program that runs until it ends or a deadline has passed.
struct ChildProcess {
    /// The way in which it ended; `nil` if the deadline has passed.
    let end: SpawnedProcess.End?
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
    /// The longest time between two looks at its output, in milliseconds.
    private static let interval: Int32 = 5

    /// The descriptor to which the program writes its answer. Those of the inherited files follow.
    static let answerDescriptor: Int32 = 3

    /// Returns the path of a file that the program inherits, in the program.
    static func path(ofInherited index: Int) -> FilePath {
        FilePath("/proc/self/fd/\(Int(answerDescriptor) + 1 + index)")
    }

    /// Runs a program without input. When it returns, the program and the processes that it started in its process group are gone.
    ///
    /// - Parameters:
    ///   - folders: the folders in which the loader looks first for its libraries.
    ///   - files: the open files that it inherits, besides the descriptor for its answer.
    ///   - answerLimit: the largest answer, in bytes; the rest is dropped.
    /// - Throws: ``AtriumError`` with code `inputOutput`.
    init(
        running program: FilePath, _ words: [String], within limit: Duration,
        findingLibrariesIn folders: [FilePath] = [], inheriting files: [Int32] = [], answerLimit: Int = 4 << 20
    ) throws(AtriumError) {
        var (answer, output) = (try Pipe(), try Pipe())
        let process = try SpawnedProcess(
            program, arguments: words, environment: Environment.variables(findingLibrariesIn: folders),
            inheriting: [answer.writer?.raw ?? -1] + files, output: output.writer?.raw, isDetached: true)
        (answer.writer, output.writer) = (nil, nil)
        let deadline = ContinuousClock.now + limit
        var (answered, printed): ([UInt8], [UInt8]) = ([], [])
        var hasEnded = false
        while !hasEnded, ContinuousClock.now < deadline {
            // First whether it has ended and then its text, so that nothing is missed.
            hasEnded = process.wait(milliseconds: Self.interval)
            answered += answer.read(atMost: answerLimit - answered.count)
            printed = (printed + output.read(atMost: .max)).suffix(Self.outputLimit)
        }
        // It is not reaped yet, so its number still means its group.
        kill(-process.number, SIGKILL)
        let ended = process.reap()
        end = hasEnded ? ended : nil
        self.answer = answered
        self.output = printed
    }
}

/// A pipe from a child to this process.
private struct Pipe {
    private let reader: OpenFile
    /// The end of the child, without which this process does not notice the end of the output.
    var writer: OpenFile?

    init() throws(AtriumError) {
        var ends: [Int32] = [-1, -1]
        try OpenFile.call("creatingFailed", "pipe") { pipe(&ends) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reader, writer) = (OpenFile(ends[0], at: "pipe"), OpenFile(ends[1], at: "pipe"))
        _ = fcntl(reader.raw, F_SETFL, O_NONBLOCK)
    }

    /// Reads what is there, and returns it up to a limit.
    func read(atMost limit: Int) -> [UInt8] {
        var text: [UInt8] = []
        // One look takes a bounded amount, however fast the child writes.
        for _ in 0..<64 {
            guard let piece = try? reader.next() else { break }
            text += piece.prefix(max(0, limit - text.count))
        }
        return text
    }
}
