import Console
import FoundationEssentials
import Glibc
import HostSystem
import PluginCore
import PluginValidation
import Processes

/// The work for which `bundletool` starts a second `bundletool`, because code of plugins runs in it.
///
/// It is no command: its command line can change with any release.
public struct HelperProcess: Sendable {
    /// The work.
    enum Work: Codable {
        /// Answers with a ``DeclarationAnswer``: what the code of the last library declares, which is loaded after the others.
        case declarations([String])
        /// Answers with a `CheckMessage` for each step and result, one in each line.
        case checks(CheckRequest)
    }

    private static let word = "--help-bundletool"

    private let work: Work
    /// The descriptor for the answer; `nil` for a process that prints the result itself.
    private let descriptor: Int32?
    private let parent: Int32

    /// Returns the arguments of the process.
    static func words(_ work: Work, answeringTo descriptor: Int32? = ChildProcess.answerDescriptor) -> [String] {
        let text = (try? JSONEncoder().encode(work)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return [word, descriptor.map(String.init) ?? "-", "\(CurrentProcess.number)", text]
    }

    /// Reads the arguments of such a process; `nil` for any other command line.
    public init?(_ words: [String]) {
        guard words.count == 4, words[0] == Self.word, let parent = Int32(words[2]),
            let work = try? StrictJSON.decode(Work.self, from: Array(words[3].utf8))
        else { return nil }
        (self.work, self.parent, descriptor) = (work, parent, Int32(words[1]))
        // Before this process has a second thread.
        if case .checks(let request) = work { request.begin() }
    }

    /// Does the work, and ends the process. Exit handlers of plugins do not run.
    @MainActor
    public func give() async -> Never {
        guard let descriptor else {
            if case .checks(let request) = work { await request.printReport() }
            ProcessEnd.now(status: 1)
        }
        ConfinedProcess.confine(to: parent)
        switch work {
        case .declarations(let libraries): Self.write(DeclarationAnswer(loading: libraries), to: descriptor)
        case .checks(let request): await request.run { Self.write($0, to: descriptor) }
        }
        ProcessEnd.now(status: 0)
    }

    private static func write(_ answer: some Encodable, to descriptor: Int32) {
        guard let line = try? JSONEncoder().encode(answer) else { return }
        _ = try? StandardOutput.write(String(decoding: line, as: UTF8.self) + "\n", descriptor: descriptor)
    }

    /// The program that helps: `bundletool` itself, which stands beside the tests of this module, too.
    static var program: FilePath {
        let program = System.program.parent.appending(Program.command.name)
        return program.isFile ? program : System.program
    }
}

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
    ) throws {
        var (answer, output) = try (Pipe(), Pipe())
        let process = try SpawnedProcess(
            program, arguments: words, environment: Environment.variables(findingLibrariesIn: folders),
            inheriting: [answer.writer?.raw ?? -1] + files, output: output.writer?.raw, isDetached: true)
        (answer.writer, output.writer) = (nil, nil)
        let deadline = ContinuousClock.now + limit
        var (answered, printed, hasEnded) = ([UInt8](), [UInt8](), false)
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

    init() throws {
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
