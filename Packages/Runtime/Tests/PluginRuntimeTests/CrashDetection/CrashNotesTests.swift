import Glibc
import PluginCore
@testable import Registry
@testable import PluginRuntime
import Testing

/// Each test runs in its own process because signal handlers are process-wide.
@Suite("Crash signal handlers", .tags(.large))
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

    @Test(
        "A termination request reaches the host's own handler each time, and the handler is restored afterwards",
        arguments: endings)
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
}

// because: written before the only handler that reads it is installed.
private nonisolated(unsafe) var handlerBefore = sigaction()
// because: only a handler writes it, and it is read when that has run.
private nonisolated(unsafe) var timesTold = 0
