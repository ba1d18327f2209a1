import FoundationEssentials
import Glibc
import HostSystem
public import PluginCore
import Processes

/// A program of the system, which this process starts.
enum SystemProgram {
    /// The most that is read of what a program prints, in bytes.
    private static let answerLimit = 16 << 20

    /// Returns the file of a program in the folders of a search path; `nil` if none has it.
    ///
    /// - Parameter path: Folders with colons between them. Relative ones are skipped, because what is in them depends on where a host is started.
    static func find(_ name: String, on path: String) -> FilePath? {
        path.split(separator: ":").filter { $0.hasPrefix("/") }
            .map { FilePath(String($0)).appending(name) }
            .first { file in
                var status = stat()
                return stat(file.string, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
                    && access(file.string, X_OK) == 0
            }
    }

    /// Runs a program, and returns what it has printed.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` if it fails, or does not end within the limit.
    static func output(
        of program: FilePath, _ arguments: [String], within limit: Duration = .seconds(60)
    ) throws(AtriumError) -> String {
        guard let file = tmpfile() else {
            throw AtriumError(.inputOutput, program, reason: .verbatim(String(cString: strerror(errno))))
        }
        defer { fclose(file) }
        let process = try SpawnedProcess(
            program, arguments: arguments, environment: environment(with: [:]), output: fileno(file))
        let deadline = ContinuousClock.now + limit
        while !process.wait(milliseconds: 10) {
            if ContinuousClock.now > deadline { throw AtriumError(.inputOutput, program, reason: "programTooSlow") }
        }
        guard case .exited(status: 0) = process.reap() else {
            throw AtriumError(.inputOutput, program, reason: "programEnded")
        }
        var bytes = [UInt8](repeating: 0, count: min(Int(lseek(fileno(file), 0, SEEK_END)), answerLimit))
        rewind(file)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    /// The variables of this process with changes, as `NAME=value`.
    static func environment(with changes: [String: String]) -> [String] {
        let variables = ProcessInfo.processInfo.environment.merging(changes) { $1 }
        return variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    }
}

/// The program `dot` of Graphviz, which draws graphs.
///
/// ```swift
/// let drawing = try Graphviz(searchPath: "/usr/bin:/bin").svg(of: "digraph { a -> b }")
/// ```
struct Graphviz {
    private static let program = "dot"
    /// The largest drawing in bytes.
    private static let answerLimit = 64 << 20

    /// The folders in which the program is looked for, with colons between them.
    let searchPath: String
    /// The time after which it is killed.
    var limit = Duration.seconds(30)

    /// Returns the drawing of a graph in the DOT language as SVG.
    ///
    /// - Throws: ``AtriumError`` with code `graphvizMissing` or `graphvizFailed`.
    func svg(of dot: String) throws(AtriumError) -> String {
        guard let program = SystemProgram.find(Self.program, on: searchPath) else {
            throw AtriumError(.graphvizMissing, Self.program)
        }
        let input = try MemoryFile(Array(dot.utf8), named: "graph.dot")
        guard let drawing = tmpfile() else {
            throw failed("startingFailed", ["message": .text(String(cString: strerror(errno)))])
        }
        defer { fclose(drawing) }
        let process: SpawnedProcess
        do {
            process = try SpawnedProcess(
                program, arguments: ["-Tsvg", "-o/proc/self/fd/4", "/proc/self/fd/3"],
                environment: SystemProgram.environment(with: [:]), inheriting: [input.descriptor, fileno(drawing)])
        } catch {
            throw AtriumError(.graphvizFailed, Self.program, reason: error.reason)
        }
        // The process is killed when an error is thrown.
        let deadline = ContinuousClock.now + limit
        var (size, hasEnded) = (0, false)
        while !hasEnded {
            hasEnded = process.wait(milliseconds: 10)
            size = Int(lseek(fileno(drawing), 0, SEEK_END))
            guard size <= Self.answerLimit else {
                throw failed("answerTooLarge", ["limit": .integer(Self.answerLimit)])
            }
            guard ContinuousClock.now < deadline else {
                throw failed("graphvizTooSlow", ["seconds": .integer(Int(limit / .seconds(1)))])
            }
        }
        switch process.reap() {
        case .exited(status: 0): break
        case .exited(let number), .signaled(let number):
            throw failed("graphvizStatus", ["status": .integer(Int(number))])
        }
        var answer = [UInt8](repeating: 0, count: size)
        guard pread(fileno(drawing), &answer, size, 0) == size, let text = String(validating: answer, as: UTF8.self),
            text.contains("<svg")
        else { throw failed("graphvizAnswer") }
        return text
    }

    private func failed(_ reason: String, _ values: [String: ErrorReason.Value] = [:]) -> AtriumError {
        AtriumError(.graphvizFailed, Self.program, reason: reason, values)
    }
}

extension AtriumError.Code {
    /// Graphviz is not installed.
    public static let graphvizMissing = Self("graphvizMissing")
    /// Graphviz did not draw the graph.
    public static let graphvizFailed = Self("graphvizFailed")
}
