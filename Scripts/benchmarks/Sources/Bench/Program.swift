import Glibc
import PluginCore

/// Runs a program to its end with its output thrown away.
struct Program {
    struct Failure: Error {
        let path: FilePath
        let status: Int32
    }

    let path: FilePath
    let arguments: [String]

    /// How long it takes from start to exit, in seconds.
    func time() async throws -> Double {
        try await seconds { try run() }
    }

    private func run() throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var words: [UnsafeMutablePointer<CChar>?] = ([path.string] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process = pid_t()
        var status: Int32 = 0
        guard posix_spawn(&process, path.string, &actions, nil, &words, environ) == 0 else {
            throw Failure(path: path, status: errno)
        }
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw Failure(path: path, status: errno) }
        }
        guard status == 0 else { throw Failure(path: path, status: status) }
    }
}

/// The medians of two programs that are run in turn, so that both meet the same machine.
func medians(of one: Program, and other: Program, runs: Int = 31) async throws -> (Double, Double) {
    _ = try await one.time()
    _ = try await other.time()
    var (ones, others): ([Double], [Double]) = ([], [])
    for _ in 0..<runs {
        ones.append(try await one.time())
        others.append(try await other.time())
    }
    return (median(ones), median(others))
}
