#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore
@testable import PluginRuntime
import Testing

/// Each in a process of its own: limits belong to all of it.
@Suite("A shortage of threads or memory")
struct ShortageTests {
    /// Lets this process have so much more address space, in MiB. A thread that starts meanwhile reserves up to 128 for its heap.
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

    /// Leaves this process some memory, and not enough for another thread.
    private static func takeAllThreads() {
        limitMemory(to: 7)
        takeThreadsLeft()
    }

    /// Takes the threads whose memory the C library keeps from threads that ended, for the next ones.
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

    @Test("is no hang: the host is told what it is, and no version is blamed, however often")
    func hang() async throws {
        try await withBook { book in
            for _ in 0..<3 {
                await #expect(processExitsWith: .exitCode(75)) { [root = book.root.string as String] in
                    let limits = ProbationLimits(load: .milliseconds(100))
                    let book = ProbationBook(Sandbox(root: FilePath(root)), limits: limits) { hang in
                        _exit(hang.consequence == .shortage ? 75 : 70)
                    }
                    let mark = book.begin(DyingHost.identity, digest: DyingHost.digest, phase: .load)
                    withExtendedLifetime(mark) {
                        Self.takeAllThreads()
                        Self.hold()
                    }
                }
                #expect(book.verdicts() == [])
            }
            let left = try book.folder.names
            #expect(left == [])
        }
    }

    @Test("is told to a host that watches for it, which would wait in silence, and no version is blamed")
    func told() async throws {
        try await withBook { book in
            for _ in 0..<2 {
                await #expect(processExitsWith: .exitCode(75)) { [root = book.root.string as String] in
                    guard ThreadShortage.watch({ _exit(75) }) else { _exit(94) }
                    let mark = ProbationBook(Sandbox(root: FilePath(root))).begin(
                        DyingHost.identity, digest: DyingHost.digest, phase: .load)
                    withExtendedLifetime(mark) {
                        Self.takeAllThreads()
                        Self.hold()
                    }
                }
                #expect(book.verdicts() == [])
            }
        }
    }

    @Test(
        "of memory is no crash of the version whose code asks for some, unless memory went since it was loaded",
        arguments: [(1, []), (1024, [.crashed(signal: SIGABRT)])] as [(UInt64, [ProbationVerdict.Cause])])
    func memory(row: (more: UInt64, causes: [ProbationVerdict.Cause])) async throws {
        try await withBook { book in
            await #expect(processExitsWith: .signal(SIGABRT)) {
                [root = book.root.string as String, more = row.more as UInt64] in
                Self.limitMemory(to: rlim_t(more))
                let mark = ProbationBook(Sandbox(root: FilePath(root))).begin(
                    DyingHost.identity, digest: DyingHost.digest, phase: .load)
                withExtendedLifetime(mark) {
                    for size in [1 << 20, 1 << 12, 16] { while malloc(size) != nil {} }
                    abort()
                }
            }
            #expect(book.verdicts().map(\.cause) == row.causes)
        }
    }
}
