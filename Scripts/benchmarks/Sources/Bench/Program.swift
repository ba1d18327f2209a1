import Glibc
import PluginCore

/// A program that is run to its end.
struct Program {
    struct Failure: Error, CustomStringConvertible {
        let program: Program
        let description: String

        init(_ program: Program, _ what: String) {
            self.program = program
            description = "\(([program.path.string] + program.arguments).joined(separator: " ")): \(what)"
        }

        init(_ program: Program, errno code: Int32) {
            self.init(program, String(cString: strerror(code)))
        }
    }

    let path: FilePath
    let arguments: [String]

    /// Returns the time from start to exit in seconds; the output is discarded.
    func time() async throws -> Double {
        try await seconds { _ = try run(output: nil) }
    }

    /// Returns the number that the program prints.
    func reading() throws -> Double {
        var pipe: [Int32] = [0, 0]
        guard Glibc.pipe(&pipe) == 0 else { throw Failure(self, errno: errno) }
        defer { close(pipe[0]) }
        do {
            defer { close(pipe[1]) }
            try run(output: pipe[1])
        }
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = read(pipe[0], &buffer, buffer.count)
        let text = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
        guard let number = Double(text.prefix { $0 != "\n" }) else {
            throw Failure(self, "it printed \"\(text)\" and not a number")
        }
        return number
    }

    /// Returns the peak memory of the program in bytes.
    ///
    /// This includes the memory of the current process, because the system counts the memory of a process before it executes
    /// another program.
    func peakMemory() throws -> Int { try run(output: nil).ru_maxrss * 1024 }

    @discardableResult
    private func run(output: Int32?) throws -> rusage {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let output {
            posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        }
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var words: [UnsafeMutablePointer<CChar>?] = ([path.string] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process = pid_t()
        var status: Int32 = 0
        var usage = rusage()
        let fault = posix_spawn(&process, path.string, &actions, nil, &words, environ)
        guard fault == 0 else { throw Failure(self, errno: fault) }
        while wait4(process, &status, 0, &usage) < 0 {
            guard errno == EINTR else { throw Failure(self, errno: errno) }
        }
        guard status == 0 else {
            let signal = status & 0x7f
            throw Failure(self, signal == 0 ? "status \(status >> 8 & 0xff)" : "signal \(signal)")
        }
        return usage
    }
}

/// Returns the medians of two programs that alternate, so that both run under the same conditions.
func medians(of one: Program, and other: Program, runs: Int) async throws -> (Double, Double) {
    _ = try await one.time()
    _ = try await other.time()
    var (ones, others): ([Double], [Double]) = ([], [])
    for _ in 0..<runs {
        ones.append(try await one.time())
        others.append(try await other.time())
    }
    return (median(ones), median(others))
}
