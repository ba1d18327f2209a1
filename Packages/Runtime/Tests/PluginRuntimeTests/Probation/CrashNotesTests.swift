#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore
@testable import PluginRuntime
import Testing

/// Each in a process of its own: signals belong to all of it.
@Suite("A signal that tells of a crash")
struct CrashNotesTests {
    private typealias Handler = @convention(c) (Int32) -> Void

    private static func begin(in root: String) -> ProbationMark? {
        let mark = ProbationBook(Sandbox(root: FilePath(root))).begin(
            DyingHost.identity, digest: DyingHost.digest, phase: .load)
        #expect(mark != nil)
        return mark
    }

    private static func handle(_ signal: Int32, _ handler: Handler?) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = handler
        sigaction(signal, &action, nil)
    }

    /// Who handles a signal.
    private static func handler(of signal: Int32) -> sigaction {
        var action = sigaction()
        sigaction(signal, nil, &action)
        return action
    }

    private static func isSame(_ one: sigaction, _ other: sigaction) -> Bool {
        let pointer = { (action: sigaction) in unsafeBitCast(action.__sigaction_handler, to: Int.self) }
        return pointer(one) == pointer(other)
    }

    @Test("is handed on to whoever handled it before, once it is noted", arguments: [SIGSEGV, SIGABRT, SIGTRAP])
    func handedOn(signal: Int32) async throws {
        try await withBook { book in
            await #expect(processExitsWith: .exitCode(42)) {
                [root = book.root.string as String, signal = signal as Int32] in
                Self.handle(signal) { _ in _exit(42) }
                let mark = Self.begin(in: root)
                withExtendedLifetime(mark) {
                    if signal == SIGSEGV { UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1 }
                    // Pools block it on their threads, and this lets it through.
                    if signal == SIGABRT { abort() }
                    raise(signal)
                }
            }
            #expect(book.verdicts().map(\.signal) == [signal])
        }
    }

    @Test("goes the way it went, once no new code is at work")
    func givenBack() async throws {
        try await withBook { book in
            await #expect(processExitsWith: .success) { [root = book.root.string as String] in
                Self.handle(SIGBUS) { _ in _exit(42) }
                let before = [SIGSEGV, SIGBUS].map(Self.handler)
                let (one, two) = (Self.begin(in: root), Self.begin(in: root))
                #expect(!Self.isSame(before[1], Self.handler(of: SIGBUS)))
                one?.end()
                #expect(!Self.isSame(before[1], Self.handler(of: SIGBUS)))
                two?.end()
                for (signal, old) in zip([SIGSEGV, SIGBUS], before) {
                    #expect(Self.isSame(old, Self.handler(of: signal)))
                }
            }
        }
    }

    @Test("that is ignored is no crash")
    func ignored() async throws {
        try await withBook { book in
            await #expect(processExitsWith: .signal(SIGKILL)) { [root = book.root.string as String] in
                Self.handle(SIGTRAP, SIG_IGN)
                let mark = Self.begin(in: root)
                raise(SIGTRAP)
                mark?.gaveWay()
                withExtendedLifetime(mark) { _ = kill(getpid(), SIGKILL) }
            }
            #expect(book.verdicts() == [])
        }
    }

    private static let endings = [SIGTERM, SIGINT, SIGHUP]

    @Test(
        "is no crash when somebody tells the host to end, which it does, and speaks against nobody", arguments: endings)
    func told(signal: Int32) async throws {
        try await withBook { book in
            for _ in 0..<2 {
                await #expect(processExitsWith: .signal(signal)) {
                    [root = book.root.string as String, signal = signal as Int32] in
                    // Who is started in the background may have it ignored.
                    Self.handle(signal, SIG_DFL)
                    let mark = Self.begin(in: root)
                    withExtendedLifetime(mark) { DyingHost.isTold(signal) { false } }
                }
                let left = try book.folder.names
                #expect(left.count == 1)
                #expect(book.verdicts() == [])
                let names = try book.folder.names
                #expect(names == [])
            }
        }
    }

    @Test(
        "and tells the host to end reaches the host's own handler each time, and is the host's again",
        arguments: endings)
    func toldHandler(signal: Int32) async throws {
        try await withBook { book in
            await #expect(processExitsWith: .exitCode(42)) {
                [root = book.root.string as String, signal = signal as Int32] in
                Self.handle(signal) { _ in timesTold += 1 }
                let own = Self.handler(of: signal)
                let mark = Self.begin(in: root)
                #expect(!Self.isSame(own, Self.handler(of: signal)))
                for times in 1...2 { DyingHost.isTold(signal) { timesTold == times } }
                mark?.end()
                #expect(Self.isSame(own, Self.handler(of: signal)))
                let other = Self.begin(in: root)
                DyingHost.isTold(signal) { timesTold == 3 }
                withExtendedLifetime(other) { _exit(timesTold == 3 ? 42 : 1) }
            }
            #expect(book.verdicts() == [])
            let names = try book.folder.names
            #expect(names == [])
        }
    }

    @Test(
        "and would tell the host to end goes on being ignored, also by the programs that it starts", arguments: endings)
    func toldIgnored(signal: Int32) async throws {
        try await withBook { book in
            await #expect(processExitsWith: .success) {
                [root = book.root.string as String, signal = signal as Int32] in
                Self.handle(signal, SIG_IGN)
                let own = Self.handler(of: signal)
                let mark = Self.begin(in: root)
                #expect(Self.isSame(own, Self.handler(of: signal)))
                DyingHost.isTold(signal) { true }
                mark?.end()
            }
        }
    }

    @Test("is noted when another handler has come that hands it back, and ends the process all the same")
    func handedBack() async throws {
        try await withBook { book in
            await #expect(processExitsWith: .signal(SIGSEGV)) { [root = book.root.string as String] in
                let first = Self.begin(in: root)
                handlerBefore = Self.handler(of: SIGSEGV)
                var action = sigaction()
                action.__sigaction_handler.sa_sigaction = {
                    handlerBefore.__sigaction_handler.sa_sigaction?($0, $1, $2)
                }
                action.sa_flags = SA_SIGINFO
                sigaction(SIGSEGV, &action, nil)
                // Ours goes in front of it again, and each hands on to the other.
                first?.end()
                let mark = Self.begin(in: root)
                withExtendedLifetime(mark) { UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1 }
            }
            #expect(book.verdicts().map(\.signal) == [SIGSEGV])
        }
    }
}

// because: written before the only handler that reads it is installed.
private nonisolated(unsafe) var handlerBefore = sigaction()
// because: only a handler writes it, and it is read when that has run.
private nonisolated(unsafe) var timesTold = 0
