import Glibc
import PluginCore
import Processes
import Testing
@testable import HostSystem
@testable import PluginRuntime
@testable import Registry

/// Each test runs in its own process because signal handlers are process-wide.
@Suite("Crash signal handlers, shortages of threads and memory, and forked children", .tags(.large))
struct CrashNotesTests {
    private let temporary = TemporaryFolder()
    private let crashLogs: CrashLogStore

    init() throws { crashLogs = try CrashLogStore(inNew: temporary.path) }

    private typealias Handler = @convention(c) (Int32) -> Void

    private static func begin(in root: String) -> CrashSentinel? {
        let sentinel = CrashLogStore(Sandbox(root: FilePath(root))).begin(DyingHost.version, .load)
        #expect(sentinel != nil)
        return sentinel
    }

    private static func handle(_ signal: Int32, _ handler: Handler?) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = handler
        sigaction(signal, &action, nil)
    }

    /// Returns the current handler of a signal.
    private static func handler(of signal: Int32) -> sigaction {
        var action = sigaction()
        sigaction(signal, nil, &action)
        return action
    }

    private static func isSame(_ one: sigaction, _ other: sigaction) -> Bool {
        let pointer = { (action: sigaction) in unsafeBitCast(action.__sigaction_handler, to: Int.self) }
        return pointer(one) == pointer(other)
    }

    @Test(
        "A crash signal is recorded and then passed on to the previous handler", arguments: [SIGSEGV, SIGABRT, SIGTRAP])
    func handedOn(signal: Int32) async throws {
        await #expect(processExitsWith: .exitCode(42)) {
            [root = crashLogs.root.string as String, signal = signal as Int32] in
            Self.handle(signal) { _ in _exit(42) }
            let sentinel = Self.begin(in: root)
            withExtendedLifetime(sentinel) {
                if signal == SIGSEGV { UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1 }
                // A signal handler may run on threads that block the signal, and `abort` unblocks it.
                if signal == SIGABRT { abort() }
                raise(signal)
            }
        }
        #expect(crashLogs.reports().map(\.signal) == [signal])
    }

    @Test("The previous signal handlers are restored when no new code runs anymore")
    func givenBack() async throws {
        await #expect(processExitsWith: .success) { [root = crashLogs.root.string as String] in
            Self.handle(SIGBUS) { _ in _exit(42) }
            let before = [SIGSEGV, SIGBUS].map(Self.handler)
            let (one, two) = (Self.begin(in: root), Self.begin(in: root))
            #expect(!Self.isSame(before[1], Self.handler(of: SIGBUS)))
            one?.end()
            #expect(!Self.isSame(before[1], Self.handler(of: SIGBUS)))
            two?.end()
            for (signal, old) in zip([SIGSEGV, SIGBUS], before) { #expect(Self.isSame(old, Self.handler(of: signal))) }
        }
    }

    @Test("An ignored crash signal isn't recorded as a crash")
    func ignored() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [root = crashLogs.root.string as String] in
            Self.handle(SIGTRAP, SIG_IGN)
            let sentinel = Self.begin(in: root)
            raise(SIGTRAP)
            sentinel?.gaveWay()
            withExtendedLifetime(sentinel) { _ = kill(getpid(), SIGKILL) }
        }
        #expect(crashLogs.reports() == [])
    }

    private static let endings = [SIGTERM, SIGINT, SIGHUP]

    @Test("A termination request from outside ends the host and isn't recorded as a crash", arguments: endings)
    func told(signal: Int32) async throws {
        for _ in 0..<2 {
            await #expect(processExitsWith: .signal(signal)) {
                [root = crashLogs.root.string as String, signal = signal as Int32] in
                // A parent that runs tests in the background may have the signal ignored.
                Self.handle(signal, SIG_DFL)
                withExtendedLifetime(Self.begin(in: root)) { DyingHost.isTold(signal) { false } }
            }
            #expect(try crashLogs.folder.names.count == 1)
            #expect(crashLogs.reports() == [])
            #expect(try crashLogs.folder.names == [])
        }
    }

    @Test("A termination request reaches the host's own handler, which is restored afterwards", arguments: endings)
    func toldHandler(signal: Int32) async throws {
        await #expect(processExitsWith: .exitCode(42)) {
            [root = crashLogs.root.string as String, signal = signal as Int32] in
            Self.handle(signal) { _ in timesTold += 1 }
            let own = Self.handler(of: signal)
            let sentinel = Self.begin(in: root)
            #expect(!Self.isSame(own, Self.handler(of: signal)))
            for times in 1...2 { DyingHost.isTold(signal) { timesTold == times } }
            sentinel?.end()
            #expect(Self.isSame(own, Self.handler(of: signal)))
            let other = Self.begin(in: root)
            DyingHost.isTold(signal) { timesTold == 3 }
            withExtendedLifetime(other) { _exit(timesTold == 3 ? 42 : 1) }
        }
        #expect(crashLogs.reports() == [])
        #expect(try crashLogs.folder.names == [])
    }

    @Test("A termination request that the host ignores stays ignored, also by its programs", arguments: endings)
    func toldIgnored(signal: Int32) async throws {
        await #expect(processExitsWith: .success) {
            [root = crashLogs.root.string as String, signal = signal as Int32] in
            Self.handle(signal, SIG_IGN)
            let own = Self.handler(of: signal)
            let sentinel = Self.begin(in: root)
            #expect(Self.isSame(own, Self.handler(of: signal)))
            DyingHost.isTold(signal) { true }
            sentinel?.end()
        }
    }

    @Test("A crash signal is recorded once, and ends the process, even if two handlers pass it on to each other")
    func handedBack() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) { [root = crashLogs.root.string as String] in
            let first = Self.begin(in: root)
            handlerBefore = Self.handler(of: SIGSEGV)
            var action = sigaction()
            action.__sigaction_handler.sa_sigaction = { handlerBefore.__sigaction_handler.sa_sigaction?($0, $1, $2) }
            action.sa_flags = SA_SIGINFO
            sigaction(SIGSEGV, &action, nil)
            // The crash handler is installed again in front of it, so each passes the signal on to the other.
            first?.end()
            withExtendedLifetime(Self.begin(in: root)) { UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1 }
        }
        #expect(crashLogs.reports().map(\.signal) == [SIGSEGV])
    }

    /// Limits the address space of this process to its current size plus a number of MiB.
    ///
    /// A thread that starts afterwards reserves up to 128 MiB for its heap.
    private static func limitMemory(to more: rlim_t) {
        let pages = try? FilePath("/proc/self/statm").text.split(separator: " ").first
        guard let size = pages.flatMap({ rlim_t($0) }) else { _exit(96) }
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else { _exit(97) }
        limit.rlim_cur = size * rlim_t(sysconf(Int32(_SC_PAGESIZE))) + (more << 20)
        guard setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else { _exit(98) }
    }

    /// Leaves this process too little memory for another thread.
    private static func takeAllThreads() {
        limitMemory(to: 7)
        takeThreadsLeft()
    }

    /// Uses up the thread stacks that the C library caches for reuse.
    private static func takeThreadsLeft() {
        var thread = pthread_t()
        while pthread_create(&thread, nil, { _ in while true { pause() } }, nil) == 0 {}
    }

    private static func hold() -> Never {
        while true {
            takeThreadsLeft()
            usleep(1_000)
        }
    }

    @Test("A shortage of threads is reported to the host as a shortage, never as a hang of a version")
    func hang() async throws {
        for _ in 0..<3 {
            await #expect(processExitsWith: .exitCode(75)) { [root = crashLogs.root.string as String] in
                let limits = CrashMonitorLimits(load: .milliseconds(100))
                let crashLogs = CrashLogStore(Sandbox(root: FilePath(root)), limits: limits) { hang in
                    _exit(hang.outcome == .shortage ? 75 : 70)
                }
                let sentinel = crashLogs.begin(DyingHost.version, .load)
                withExtendedLifetime(sentinel) {
                    Self.takeAllThreads()
                    Self.hold()
                }
            }
            #expect(crashLogs.reports() == [])
        }
        #expect(try crashLogs.folder.names == [])
    }

    @Test(
        "Memory exhaustion is reported as a crash only if the memory was used up after the version was loaded",
        arguments: [(1, []), (1024, [.crashed(signal: SIGABRT)])] as [(UInt64, [CrashReport.Cause])])
    func memory(row: (more: UInt64, causes: [CrashReport.Cause])) async throws {
        await #expect(processExitsWith: .signal(SIGABRT)) {
            [root = crashLogs.root.string as String, more = row.more as UInt64] in
            Self.limitMemory(to: rlim_t(more))
            let sentinel = CrashLogStore(Sandbox(root: FilePath(root))).begin(DyingHost.version, .load)
            withExtendedLifetime(sentinel) {
                // What is left is too little for a new thread, but enough for other threads of the test library, which would trap.
                for size in [1 << 20, 1 << 17] { while malloc(size) != nil {} }
                abort()
            }
        }
        #expect(crashLogs.reports().map(\.cause) == row.causes)
    }

    private var library: FilePath { temporary.path.appending("libFork.so") }
    private var pipe: FilePath { temporary.path.appending("pipe") }

    /// Prepares the folder for a child.
    private func prepareFork() async throws {
        try library.write(await Self.library.value)
        try #require(mkfifo(pipe.string, 0o600) == 0)
    }

    /// A library that forks a child, which lives until a pipe is opened for writing.
    private static let library = Task {
        try PluginRuntimeTests.library(
            ofC: """
                #include <fcntl.h>
                #include <sys/stat.h>
                #include <unistd.h>
                const void *plugin_entry_v3(void) { return NULL; }
                int fork_child(const char *pipe) {
                    pid_t child = fork();
                    if (child != 0) return child > 0;
                    // Closes inherited pipes, so that readers of the parent's output don't wait for this child.
                    for (int file = 0; file < 65536; file++) {
                        struct stat status;
                        if (fstat(file, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) close(file);
                    }
                    open(pipe, O_RDONLY);
                    _exit(0);
                }
                """)
    }

    /// Forks a child that waits for the pipe in a folder.
    private static func fork(in root: String) {
        typealias Fork = @convention(c) (UnsafePointer<CChar>) -> Int32
        guard let opened = dlopen(root + "/libFork.so", RTLD_NOW), let symbol = dlsym(opened, "fork_child") else {
            _exit(97)
        }
        guard unsafeBitCast(symbol, to: Fork.self)(root + "/pipe") == 1 else { _exit(96) }
    }

    @Test("A crash is detected even while a forked child of the host still lives")
    func crashInFork() async throws {
        try await prepareFork()
        await #expect(processExitsWith: .signal(SIGSEGV)) { [root = crashLogs.root.string as String] in
            let sentinel = CrashLogStore(Sandbox(root: FilePath(root))).begin(DyingHost.version, .load)
            Self.fork(in: root)
            withExtendedLifetime(sentinel) { UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1 }
        }
        #expect(crashLogs.reports().map(\.identity) == [DyingHost.identity])
        Self.end(pipe)
    }

    @Test("A forked child inherits neither the sandbox's lock nor a lock on any version")
    func locks() async throws {
        try await prepareFork()
        let folder = crashLogs.sandbox.folder(of: VersionLockTests.bundle)
        try folder.makeFolder()
        await #expect(processExitsWith: .exitCode(42)) { [root = crashLogs.root.string as String] in
            let sandbox = Sandbox(root: FilePath(root))
            let lock = WriterLock(sandbox)
            try await lock.acquire()
            let use = try UsedFolders(sandbox).version(VersionLockTests.bundle)
            try FileSystem.whileLocked(sandbox.plugins) {
                Self.fork(in: root)
                withExtendedLifetime((lock, use)) { _exit(42) }
            }
        }
        let lock = WriterLock(crashLogs.sandbox, patience: .zero)
        await #expect(throws: Never.self) {
            try await lock.acquire()
            lock.release()
        }
        let removal = try FolderLock.removal(of: folder)
        #expect(removal != nil)
        if let removal { removal.release() }
        #expect(throws: Never.self) { try FileSystem.whileLocked(crashLogs.sandbox.plugins) {} }
        Self.end(pipe)
    }

    /// Ends the child that waits for the pipe.
    private static func end(_ pipe: FilePath) {
        close(open(pipe.string, O_WRONLY))
    }
}

// because: written before the only handler that reads it is installed.
private nonisolated(unsafe) var handlerBefore = sigaction()
// because: only a handler writes it, and it is read when that has run.
private nonisolated(unsafe) var timesTold = 0
