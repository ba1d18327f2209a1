import Foundation
import Glibc
import Testing

/// The type of a stream socket that children do not inherit.
let streamType = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)

/// Returns the text of a file in /proc, which has no size.
func kernelFile(_ path: String) -> String {
    let data = try? FileHandle(forReadingAtPath: path)?.readToEnd()
    return String(decoding: data ?? Data(), as: UTF8.self)
}

/// The test program in a process of its own.
final class Child {
    let number: pid_t
    private let output: Int32
    private var text = ""
    private var hasEnded = false

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - arguments: The arguments after the program's name.
    ///   - input: The standard input. The child also has each open descriptor that was not opened with O_CLOEXEC.
    ///   - environment: Variables in addition to those of this process.
    init(_ arguments: [String], input: Int32, environment: [String: String] = [:]) throws {
        let products = URL(filePath: try #require(CommandLine.arguments.first)).deletingLastPathComponent()
        let program = products.appending(path: "breakout").path
        var ends: [Int32] = [0, 0]
        // Swift's Glibc has no pipe2(), and other children must not inherit the ends.
        try #require(socketpair(AF_UNIX, streamType, 0, &ends) == 0)
        defer { close(ends[1]) }
        output = ends[0]

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        let variables = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        var texts: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        var settings: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in texts + settings { free(text) } }
        var child: pid_t = 0
        try #require(posix_spawn(&child, program, &actions, nil, &texts, &settings) == 0, "\(program) does not start")
        number = child
    }

    /// Reads the next line, or returns nil at the end of the output.
    func line() -> String? {
        while true {
            if let end = text.firstIndex(of: "\n") {
                let line = String(text[..<end])
                text.removeSubrange(...end)
                return line
            }
            var file = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            // A child that hangs is killed, and its attempt ends with SIGKILL.
            if poll(&file, 1, 30_000) == 0 { kill(number, SIGKILL) }
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = read(output, &bytes, bytes.count)
            guard count > 0 else { return nil }
            text += String(decoding: bytes[..<count], as: UTF8.self)
        }
    }

    /// Waits for the end, and returns the remaining lines and the name of the signal that ended the process.
    func wait() -> (lines: [String], signal: String?) {
        var lines: [String] = []
        while let line = line() { lines.append(line) }
        var status: Int32 = 0
        while waitpid(number, &status, 0) < 0, errno == EINTR {}
        hasEnded = true
        let signal = status & 0x7f
        let names = [SIGSYS: "SIGSYS", SIGXCPU: "SIGXCPU", SIGXFSZ: "SIGXFSZ", SIGKILL: "SIGKILL", SIGSEGV: "SIGSEGV"]
        return (lines, signal == 0 ? nil : names[signal] ?? "signal \(signal)")
    }

    /// A Boolean value that indicates whether the process runs and was not ended by anybody.
    var isRunning: Bool {
        guard !hasEnded else { return false }
        var status: Int32 = 0
        let result = waitpid(number, &status, WNOHANG)
        if result != 0 { hasEnded = true }
        return result == 0
    }

    deinit {
        close(output)
        guard !hasEnded else { return }
        kill(number, SIGKILL)
        var status: Int32 = 0
        waitpid(number, &status, 0)
    }
}
