import Synchronization

import Glibc

/// A program in a process group of its own, without input and output.
final class ServerProcess: Sendable {
    private let number: pid_t
    private let status = Mutex<Int32?>(nil)

    /// Starts a program.
    ///
    /// - Parameter errors: The file for its standard error.
    init(_ path: String, _ arguments: [String], errors: String) throws(WebServerError) {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        // A pipe of another test, which waits for its end, would stay open as long as the program runs.
        for descriptor in 3..<Int32(1_024) { posix_spawn_file_actions_addclose(&actions, descriptor) }
        // Test programs block signals, and shells ignore some, which the program would inherit.
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        let words = ([path] + arguments).map { strdup($0) }
        defer { for word in words { free(word) } }
        var number: pid_t = 0
        let error = posix_spawn(&number, path, &actions, &attributes, words + [nil], environ)
        guard error == 0 else { throw WebServerError("\(path) cannot be started: error \(error)") }
        self.number = number
    }

    var isRunning: Bool { end(waiting: false) == nil }

    /// Kills the program and its children.
    func kill() {
        status.withLock { status in
            guard status == nil else { return }
            _ = Glibc.kill(-number, SIGKILL)
            status = Self.wait(for: number, 0)
        }
    }

    /// Waits for the end of the program. Returns whether it succeeded.
    func succeeds() -> Bool { end(waiting: true) == 0 }

    private func end(waiting isWaiting: Bool) -> Int32? {
        status.withLock { status in
            if status == nil { status = Self.wait(for: number, isWaiting ? 0 : WNOHANG) }
            return status
        }
    }

    /// Returns the status of an ended process, or nil if it runs.
    private static func wait(for number: pid_t, _ options: Int32) -> Int32? {
        var status: Int32 = 0
        while true {
            let result = waitpid(number, &status, options)
            if result == -1, errno == EINTR { continue }
            // A process that somebody else has waited for has ended.
            return result == 0 ? nil : result == -1 ? -1 : status
        }
    }
}
