import Glibc
import PluginCore
@testable import Registry
@testable import PluginRuntime
import Testing

/// Each test runs in its own process because resource limits are process-wide.
@Suite("Shortages of threads and memory", .tags(.large))
struct ShortageTests {
    private let temporary = TemporaryFolder()
    private let crashLogs: CrashLogStore

    init() throws { crashLogs = try CrashLogStore(inNew: temporary.path) }

    /// Limits the address space of this process to its current size plus a number of MiB.
    ///
    /// A thread that starts afterwards reserves up to 128 MiB for its heap.
    private static func limitMemory(to more: rlim_t) {
        var statistics = [UInt8](repeating: 0, count: 256)
        let file = open("/proc/self/statm", O_RDONLY)
        let count = read(file, &statistics, statistics.count)
        close(file)
        let pages = String(decoding: statistics.prefix(max(0, count)), as: UTF8.self).split(separator: " ").first
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

    @Test("A host that watches for a shortage of threads is told of one, and no version is reported")
    func told() async throws {
        for _ in 0..<2 {
            await #expect(processExitsWith: .exitCode(75)) { [root = crashLogs.root.string as String] in
                guard ThreadShortage.watch({ _exit(75) }) else { _exit(94) }
                let sentinel = CrashLogStore(Sandbox(root: FilePath(root))).begin(DyingHost.version, .load)
                withExtendedLifetime(sentinel) {
                    Self.takeAllThreads()
                    Self.hold()
                }
            }
            #expect(crashLogs.reports() == [])
        }
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
                for size in [1 << 20, 1 << 12, 16] { while malloc(size) != nil {} }
                abort()
            }
        }
        #expect(crashLogs.reports().map(\.cause) == row.causes)
    }
}
