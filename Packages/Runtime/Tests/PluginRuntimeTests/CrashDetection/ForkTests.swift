import Glibc
import PluginCore
@testable import Registry
@testable import HostSystem
@testable import PluginRuntime
import Testing

/// A plugin may fork a child that outlives its host.
@Suite("Forked children of a host", .tags(.large))
struct ForkTests {
    private let temporary = TemporaryFolder()
    private let crashLogs: CrashLogStore
    private var library: FilePath { temporary.path.appending("libFork.so") }
    private var pipe: FilePath { temporary.path.appending("pipe") }

    init() async throws {
        crashLogs = try CrashLogStore(inNew: temporary.path)
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
                const void *plugin_entry_v2(void) { return NULL; }
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
    func crashLog() async throws {
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
        let folder = crashLogs.sandbox.folder(of: VersionLockTests.bundle)
        try folder.makeFolder()
        await #expect(processExitsWith: .exitCode(42)) { [root = crashLogs.root.string as String] in
            let sandbox = Sandbox(root: FilePath(root))
            let (lock, versionLocks) = (WriterLock(sandbox), VersionLocks(sandbox))
            try await lock.acquire()
            try versionLocks.lockVersion(VersionLockTests.bundle)
            try FileSystem.whileLocked(sandbox.plugins) {
                Self.fork(in: root)
                withExtendedLifetime((lock, versionLocks)) { _exit(42) }
            }
        }
        let lock = WriterLock(crashLogs.sandbox, patience: .zero)
        await #expect(throws: Never.self) {
            try await lock.acquire()
            lock.release()
        }
        let removal = try VersionLocks.removal(of: folder)
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
