import Glibc
import PluginCore
@testable import Registry
@testable import PluginRuntime
import Testing

/// A way in which a host process dies, for exit tests only.
enum DyingHost: String, CaseIterable, Codable, Sendable {
    // Deaths in the library's constructor.
    case segmentationFault, busError, illegalInstruction, division, abortion, breakpoint, overflow, exit, rawExit, loop
    case threadOfPlugin, crashInFork
    // Deaths in the host's own code.
    case killed, killedOutside, killedWaiting, crashWaiting, crashOutside, crashElsewhere, crashUnheld, crashInner
    case exitElsewhere, signaled
    /// A termination request from another process, and one from the host itself.
    case told, toldItself

    static let identity = BundleIdentity(
        identifier: "com.example.app.shop", version: SemanticVersion(major: 1, minor: 0, patch: 0))
    static let other = BundleIdentity(
        identifier: "com.example.app.other", version: SemanticVersion(major: 2, minor: 0, patch: 0))
    static let digest = "0123456789abcdef"
    static let version = VersionKey(identity: identity, digest: digest)

    /// The expected end of the process.
    var condition: ExitTest.Condition {
        switch self {
        case .segmentationFault, .overflow, .threadOfPlugin, .crashWaiting, .crashOutside, .crashElsewhere, .crashInner:
            .signal(SIGSEGV)
        case .busError: .signal(SIGBUS)
        case .illegalInstruction: .signal(SIGILL)
        case .division: .signal(SIGFPE)
        case .abortion, .crashUnheld: .signal(SIGABRT)
        case .breakpoint: .signal(SIGTRAP)
        case .signaled: .signal(SIGSYS)
        case .killed, .killedOutside, .killedWaiting: .signal(SIGKILL)
        case .told, .toldItself: .signal(SIGTERM)
        case .exit, .exitElsewhere: .exitCode(0)
        case .crashInFork: .exitCode(98)
        case .rawExit: .exitCode(3)
        case .loop: .exitCode(70)
        }
    }

    /// A library whose constructor dies in the way that an environment variable names.
    static let library = Task {
        try PluginRuntimeTests.library(
            ofC: """
                #include <pthread.h>
                #include <signal.h>
                #include <stdlib.h>
                #include <string.h>
                #include <sys/wait.h>
                #include <unistd.h>
                static volatile int nothing;
                static int *volatile nowhere;
                static int deep(int depth) {
                    volatile char room[4096];
                    room[0] = (char)depth;
                    return deep(depth + 1) + room[0];
                }
                static void *die(void *unused) { *nowhere = 1; return unused; }
                __attribute__((constructor)) static void begin(void) {
                    const char *way = getenv("ATRIUM_TEST_DEATH");
                    if (!way) return;
                    if (!strcmp(way, "segmentationFault")) *nowhere = 1;
                    if (!strcmp(way, "busError")) raise(SIGBUS);
                    if (!strcmp(way, "illegalInstruction")) __builtin_trap();
                    if (!strcmp(way, "division")) raise(SIGFPE);
                    if (!strcmp(way, "abortion")) abort();
                    if (!strcmp(way, "breakpoint")) __builtin_debugtrap();
                    if (!strcmp(way, "overflow")) nothing = deep(0);
                    if (!strcmp(way, "exit")) exit(0);
                    if (!strcmp(way, "rawExit")) _exit(3);
                    if (!strcmp(way, "loop")) while (!nothing) continue;
                    if (!strcmp(way, "crashInFork")) {
                        pid_t child = fork();
                        if (child == 0) die(NULL);
                        waitpid(child, NULL, 0);
                    }
                    if (!strcmp(way, "threadOfPlugin")) {
                        pthread_t thread;
                        pthread_create(&thread, NULL, die, NULL);
                        pthread_join(thread, NULL);
                    }
                }
                const void *plugin_entry_v3(void) { return NULL; }
                """)
    }

    /// Runs until the process dies.
    func run(in root: String, opening library: String) {
        // A busy machine may stop the other ways for a while.
        let limits = CrashMonitorLimits(load: self == .loop ? .milliseconds(200) : .seconds(600))
        let crashLogs = CrashLogStore(Sandbox(root: FilePath(root)), limits: limits, onHang: { _ in _exit(70) })
        let begin = { (identity: BundleIdentity, isHeld: Bool) in
            crashLogs.begin(VersionKey(identity: identity, digest: Self.digest), .load, isHeld: isHeld)
        }
        guard let sentinel = begin(Self.identity, self != .crashUnheld) else { _exit(99) }
        switch self {
        case .killed: kill(getpid(), SIGKILL)
        case .killedOutside, .crashOutside:
            sentinel.end()
            if self == .crashOutside { Self.crash() }
            kill(getpid(), SIGKILL)
        case .killedWaiting, .crashWaiting:
            sentinel.gaveWay()
            if self == .crashWaiting { Self.crash() }
            kill(getpid(), SIGKILL)
        case .crashElsewhere:
            Self.onAnotherThread { _ in
                DyingHost.crash()
                return nil
            }
        case .exitElsewhere: Self.onAnotherThread { _ in Glibc.exit(0) }
        case .crashUnheld: abort()
        case .signaled: raise(SIGSYS)
        case .told: Self.isTold(SIGTERM) { false }
        case .toldItself:
            kill(getpid(), SIGTERM)
            Self.wait { false }
        case .crashInner:
            withExtendedLifetime(begin(Self.other, true)) { Self.crash() }
        default:
            sentinel.isOpening(library)
            setenv("ATRIUM_TEST_DEATH", rawValue, 1)
            _ = dlopen(library, RTLD_NOW | RTLD_LOCAL)
        }
        withExtendedLifetime(sentinel) { _exit(98) }
    }

    /// Makes another process send this one a signal, and waits until its effect is visible.
    static func isTold(_ signal: Int32, isDone: () -> Bool) {
        let words: [String] = ["sh", "-c", "kill -\(signal) $PPID"]
        let script = words.map { word in strdup(word) } + [nil]
        defer { for word in script { free(word) } }
        var child = pid_t()
        guard posix_spawn(&child, "/bin/sh", nil, nil, script, environ) == 0 else { _exit(97) }
        while waitpid(child, nil, 0) < 0, errno == EINTR {}
        wait(isDone)
    }

    /// Polls, because the signal can reach any thread at any time; gives up after ten seconds.
    private static func wait(_ isDone: () -> Bool) {
        for _ in 0..<10_000 where !isDone() { usleep(1_000) }
    }

    private static func crash() {
        UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
    }

    private static func onAnotherThread(
        _ body: @escaping @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
    ) {
        var thread = pthread_t()
        pthread_create(&thread, nil, body, nil)
        pthread_join(thread, nil)
    }
}

extension CrashLogStore {
    func reports(sweeping isSweeping: Bool = true) -> [CrashReport] { reading(sweeping: isSweeping).reports }
}
