internal import CSystem
import Glibc
package import PluginCore
internal import Synchronization

/// A program that this process has started, and must reap.
package final class SpawnedProcess: Sendable {
    /// The way in which a process ended.
    package enum End: Hashable, Sendable {
        case exited(status: Int32)
        case signaled(Int32)
    }

    /// The number of the process.
    package let number: Int32
    /// The descriptor that becomes readable when the process ends, or a negative number.
    private let handle: Int32
    private let end = Mutex<End?>(nil)

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: The program's file.
    ///   - arguments: The arguments after the program's name.
    ///   - environment: The variables, as `NAME=value`.
    ///   - files: The descriptors that it inherits as 3, 4 and so on. It inherits no others.
    ///   - output: The descriptor for its standard output and standard error, or nil to drop both.
    /// - Throws: ``AtriumError`` with code `inputOutput`.
    package init(
        _ program: FilePath, arguments: [String], environment: [String], inheriting files: [Int32], output: Int32? = nil
    ) throws(AtriumError) {
        var words = ([program.string] + arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup($0) } + [nil]
        defer { for text in words + variables { free(text) } }
        var number: Int32 = 0
        let error = csystem_spawn(
            program.string, &words, &variables, files, Int32(files.count), output ?? -1, &number)
        guard error == 0 else { throw FileSystem.failure(reason: "startingFailed", program, error) }
        self.number = number
        handle = csystem_open_process(number)
    }

    /// Starts a program in a session of its own, which inherits no descriptors and whose output is dropped.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput`.
    init(detached program: FilePath, arguments: [String], environment: [String]) throws(AtriumError) {
        var words = ([program.string] + arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup($0) } + [nil]
        defer { for text in words + variables { free(text) } }
        var number: Int32 = 0
        let error = csystem_spawn_detached(program.string, &words, &variables, &number)
        guard error == 0 else { throw FileSystem.failure(reason: "startingFailed", program, error) }
        self.number = number
        handle = csystem_open_process(number)
    }

    deinit {
        kill()
        _ = reap()
        if handle >= 0 { close(handle) }
    }

    /// Ends the process at once. Does nothing after it was reaped, because another process may have its number.
    package func kill() {
        end.withLock { end in
            if end == nil { _ = signal(SIGKILL) }
        }
    }

    /// Sends a signal to each thread of the process but the initial one. Does nothing after it was reaped.
    func signalThreads(_ signal: Int32) {
        end.withLock { end in
            if end == nil { csystem_signal_threads(number, signal) }
        }
    }

    /// A Boolean value that indicates whether a debugger has attached itself to the process.
    package var isTraced: Bool {
        guard let status = try? FileSystem.bytes(of: FilePath("/proc/\(number)/status"), limit: 1 << 16) else {
            return false
        }
        let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
        return lines.contains { $0.hasPrefix("TracerPid:") && $0 != "TracerPid:\t0" }
    }

    /// Waits until the process has ended, for a limited time.
    ///
    /// - Returns: Whether it has ended.
    package func wait(milliseconds: Int32) -> Bool {
        if handle >= 0 {
            var watched = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
            var count = poll(&watched, 1, milliseconds)
            while count < 0, errno == EINTR { count = poll(&watched, 1, milliseconds) }
            return count > 0
        }
        for _ in 0..<max(1, milliseconds / 5) {
            if hasEnded { return true }
            usleep(5_000)
        }
        return hasEnded
    }

    /// Waits until the process has ended, and returns how.
    package func reap() -> End {
        // The process ends, and stays a zombie, before the lock is taken; so `kill` never waits for it.
        var info = siginfo_t()
        while waitid(P_PID, id_t(number), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        return end.withLock { end in
            if let end { return end }
            var status: Int32 = 0
            while waitpid(number, &status, 0) < 0, errno == EINTR {}
            let signal = status & 0x7F
            let found: End = signal == 0 ? .exited(status: status >> 8 & 0xFF) : .signaled(signal)
            end = found
            return found
        }
    }

    /// The processor time that the process has used, in seconds; `nil` if it has been reaped.
    package var processorTime: Double? { Clock.processorTime(of: number) }

    /// A Boolean value that indicates whether the process has ended, but has not been reaped.
    package var hasEnded: Bool {
        var info = siginfo_t()
        return waitid(P_PID, id_t(number), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_signo != 0
    }

    private func signal(_ number: Int32) -> Int32 {
        Glibc.kill(self.number, number)
    }
}
