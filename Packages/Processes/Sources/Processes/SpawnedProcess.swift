import CProcesses
import Dispatch
import Glibc
import HostSystem
public import PluginCore
import Synchronization

/// A program that this process has started, and must reap.
public final class SpawnedProcess: Sendable {
    /// The way in which a process ended.
    public enum End: Hashable, Sendable {
        case exited(status: Int32)
        case signaled(Int32)
    }

    /// The number of the process.
    public let number: Int32
    /// The descriptor that becomes readable when the process ends, or a negative number.
    private let handle: Int32
    private let end = Mutex<End?>(nil)

    /// Starts a program with default actions for all signals, none of which is blocked.
    ///
    /// - Parameters:
    ///   - program: The program's file.
    ///   - arguments: The arguments after the program's name.
    ///   - environment: The variables, as `NAME=value`.
    ///   - files: The descriptors that it inherits as 3, 4 and so on. It inherits no others.
    ///   - input: The descriptor for its standard input, or nil for an empty one.
    ///   - output: The descriptor for its standard output, or nil to drop it.
    ///   - error: The descriptor for its standard error, or nil for that of the standard output.
    ///   - terminal: The device that is its terminal, and in place of the descriptors its standard input, output and error.
    ///   - folder: Its working folder, or nil for that of this process.
    ///   - isDetached: Whether it has a session of its own, and so lives on when this process or its terminal ends.
    ///   - isGroup: Whether it has a process group of its own.
    /// - Throws: ``AtriumError`` with code `inputOutput`.
    public init(
        _ program: FilePath, arguments: [String], environment: [String], inheriting files: [Int32] = [],
        input: Int32? = nil, output: Int32? = nil, error: Int32? = nil, terminal: String? = nil,
        folder: FilePath? = nil, isDetached: Bool = false, isGroup: Bool = false
    ) throws(AtriumError) {
        let session =
            (isDetached || terminal != nil ? Int32(process_new_session) : 0) | (isGroup ? POSIX_SPAWN_SETPGROUP : 0)
        let standard = terminal == nil ? [input, output, error ?? output] : []
        let (number, failure) = try Launcher.shared.run {
            Self.start(program, arguments, environment, standard + files, terminal, folder, session)
        }
        guard failure == 0 else { throw FileSystem.failure(reason: "startingFailed", program, failure) }
        self.number = number
        handle = process_open_handle(number)
    }

    /// Starts a program.
    ///
    /// - Parameter files: The descriptors that it inherits as 0, 1 and so on; nil stands for an empty file.
    /// - Returns: The number of the process, or an error number.
    private static func start(
        _ program: FilePath, _ arguments: [String], _ environment: [String], _ files: [Int32?], _ terminal: String?,
        _ folder: FilePath?, _ session: Int32
    ) -> (number: Int32, failure: Int32) {
        var errors: [Int32] = []
        let empty = open("/dev/null", O_RDWR | O_CLOEXEC)
        // Copies have higher numbers than those that the program inherits, so that none replaces one that is still needed.
        let copies = files.map { file in
            let copy = fcntl(file ?? empty, F_DUPFD_CLOEXEC, 64)
            if copy < 0 { errors.append(errno) }
            return copy
        }
        defer { for file in copies + [empty] { close(file) } }
        var (attributes, all, none) = (posix_spawnattr_t(), sigset_t(), sigset_t())
        sigfillset(&all)
        sigemptyset(&none)
        let flags = Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | session)
        errors += [
            posix_spawnattr_init(&attributes), posix_spawnattr_setsigdefault(&attributes, &all),
            posix_spawnattr_setsigmask(&attributes, &none), posix_spawnattr_setflags(&attributes, flags),
        ]
        defer { posix_spawnattr_destroy(&attributes) }
        var actions = posix_spawn_file_actions_t()
        errors.append(posix_spawn_file_actions_init(&actions))
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let folder { errors.append(posix_spawn_file_actions_addchdir_np(&actions, folder.string)) }
        if let terminal {
            // The device becomes the controlling terminal because the leader of a new session opens it.
            errors += [
                posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0),
                posix_spawn_file_actions_adddup2(&actions, 0, 1), posix_spawn_file_actions_adddup2(&actions, 0, 2),
            ]
        }
        for (number, copy) in copies.enumerated() where copy >= 0 {
            errors.append(posix_spawn_file_actions_adddup2(&actions, copy, Int32(number)))
        }
        errors.append(posix_spawn_file_actions_addclosefrom_np(&actions, Int32(max(3, copies.count))))
        if let error = errors.first(where: { $0 != 0 }) { return (0, error) }
        let words = ([program.string] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { strdup($0) } + [nil]
        defer { for text in words + variables { free(text) } }
        var number: Int32 = 0
        let error = posix_spawn(&number, program.string, &actions, &attributes, words, variables)
        return (number, error)
    }

    deinit {
        kill()
        _ = reap()
        if handle >= 0 { close(handle) }
    }

    /// Ends the process at once.
    package func kill() { signal(SIGKILL) }

    /// Sends a signal to the process, or to its process group. Does nothing after it was reaped, because another process may have its number.
    public func signal(_ signal: Int32, toGroup isGroup: Bool = false) {
        end.withLock { end in
            if end == nil { Glibc.kill(isGroup ? -number : number, signal) }
        }
    }

    /// Sends a signal to each thread of the process but the initial one. Does nothing after it was reaped.
    func signalThreads(_ signal: Int32) {
        end.withLock { end in
            guard end == nil, let names = try? FileSystem.names(in: FilePath("/proc/\(number)/task")) else { return }
            for thread in names.compactMap({ Int32($0) }) where thread != number { _ = tgkill(number, thread, signal) }
        }
    }

    /// A Boolean value that indicates whether a debugger has attached itself to the process.
    package var isTraced: Bool {
        ![nil, "0"].contains(ProcessUsage.field("TracerPid", ofProcess: number))
    }

    /// Waits until the process has ended, for a limited time.
    ///
    /// - Returns: Whether it has ended.
    public func wait(milliseconds: Int32) -> Bool {
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
    public func reap() -> End {
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
    package var processorTime: Double? {
        var (clock, time) = (clockid_t(), timespec())
        guard clock_getcpuclockid(number, &clock) == 0, clock_gettime(clock, &time) == 0 else { return nil }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// A Boolean value that indicates whether the process has ended, but has not been reaped.
    public var hasEnded: Bool {
        var info = siginfo_t()
        return waitid(P_PID, id_t(number), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_signo != 0
    }
}

/// The thread that starts all programs.
///
/// It lives as long as this process, because the parent of a process is, for `PR_SET_PDEATHSIG`, the thread that started it.
private final class Launcher: Sendable {
    static let shared = Launcher()

    private let starts = Mutex<[@Sendable () -> Void]?>(nil)
    private let added = DispatchSemaphore(value: 0)

    /// Runs a closure on the thread, and returns its result.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` if there are too many threads.
    func run<R: Sendable>(_ body: @escaping @Sendable () -> R) throws(AtriumError) -> R {
        let result = BlockingResult<R, Never>()
        try starts.withLock { starts throws(AtriumError) in
            if starts == nil { try DetachedThread.run { self.runAll() } }
            starts = (starts ?? []) + [{ result.finish(.success(body())) }]
        }
        added.signal()
        return result.wait().get()
    }

    private func runAll() {
        while true {
            added.wait()
            starts.withLock { $0?.removeFirst() }?()
        }
    }
}

/// The memory and the descriptors that this process uses, by which leaks are found.
///
/// ```swift
/// let before = ProcessUsage.descriptors
/// // Open and close a page.
/// if let before, let after = ProcessUsage.descriptors, after > before { print("a descriptor is still open") }
/// ```
public enum ProcessUsage {
    /// The bytes that all code of the process has allocated and not freed; `nil` if the C library doesn't tell.
    public static var allocatedBytes: Int? {
        let count = process_allocated_bytes()
        return count < 0 ? nil : count
    }

    /// The number of open descriptors; `nil` if it cannot be determined.
    public static var descriptors: Int? {
        // The listed folder itself is one of the descriptors.
        (try? FileSystem.names(in: "/proc/self/fd")).map { $0.count - 1 }
    }

    /// Returns the number of open descriptors of another process; `nil` if this process may not see it.
    public static func descriptors(ofProcess process: Int32) -> Int? {
        (try? FileSystem.names(in: FilePath("/proc/\(process)/fd")))?.count
    }

    /// Returns the number of descriptors for which the kernel has reserved room in a process; `nil` if it doesn't tell.
    ///
    /// Any process may see it. It begins with 64, and doubles at least when the process has more open at a time.
    public static func descriptorRoom(ofProcess process: Int32) -> Int? {
        field("FDSize", ofProcess: process).flatMap { Int($0) }
    }

    /// Returns a field of the kernel's text about a process, `/proc/PROCESS/status`.
    static func field(_ name: String, ofProcess process: Int32) -> Substring? {
        var status: [UInt8] = []
        guard (try? FileSystem.read(FilePath("/proc/\(process)/status")) { status += $0 }) != nil else { return nil }
        let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
        return lines.first { $0.hasPrefix(name + ":\t") }?.dropFirst(name.utf8.count + 2)
    }
}
