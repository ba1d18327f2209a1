import PluginCore
import PluginTestKit
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite("Talking to a program")
struct RunningProcessTests {
    @Test("goes line by line, until its input ends")
    func lines() async throws {
        let cat = try Executable("/bin/cat").start([])
        try await cat.send("one\n")
        #expect(try await cat.nextLine() == "one")
        try await cat.send("two\nthree")
        #expect(try await cat.nextLine() == "two")
        cat.closeInput()
        #expect(try await cat.nextLine() == "three")
        #expect(try await cat.nextLine() == nil)
        let result = try await cat.result()
        #expect(result.status == 0 && result.stdout == "one\ntwo\nthree")
    }

    @Test("waits for a text, each time behind the one before")
    func waiting() async throws {
        let shell = try Executable("/bin/sh").start(["-c", "printf '> a> '; read x; printf \"$x> \"; cat"])
        #expect(try await shell.wait(for: "> ") == "> ")
        #expect(try await shell.wait(for: "> ") == "a> ")
        try await shell.send("b\n")
        #expect(try await shell.wait(for: "> ") == "b> ")
        #expect(try await shell.end().stdout == "> a> b> ")
    }

    @Test("says what came instead when a text does not come")
    func never() async throws {
        let shell = try Executable("/bin/sh").start(["-c", "echo here; echo err >&2; read x; exit 3"])
        try await shell.wait(for: "here\n")
        let late = await #expect(throws: ProcessFailure.self) {
            try await shell.wait(for: "there", timeout: .milliseconds(200))
        }
        #expect(late.map { "\($0)" }?.contains("here") == true)
        try await shell.send("go\n")
        let ended = await #expect(throws: ProcessFailure.self) { try await shell.wait(for: "there") }
        guard case .ended(_, let result) = ended else {
            Issue.record("\(String(describing: ended))")
            return
        }
        #expect(result.status == 3 && result.stderr == "err\n")
    }

    @Test("reports input that nobody takes any more")
    func closed() async throws {
        let program = try Executable("/bin/sh").start(["-c", "exec <&-; echo closed; sleep 600"])
        #expect(try await program.nextLine() == "closed")
        await #expect(throws: ProcessFailure.self) { try await program.send("x\n") }
        program.signal(SIGTERM)
        #expect(try await program.result().signal == SIGTERM)
    }

    @Test("ends with the last who talks to it")
    func released() async throws {
        var shell: RunningProcess? = try Executable("/bin/sh").start(["-c", "echo up; exec sleep 600"])
        #expect(try await shell?.nextLine() == "up")
        let number = try #require(shell?.identifier)
        shell = nil
        // SIGKILL ends it at once; its reaper needs a moment more.
        let deadline = ContinuousClock.now + .seconds(600)
        while kill(number, 0) == 0, ContinuousClock.now < deadline { await Task.yield() }
        #expect(kill(number, 0) == -1 && errno == ESRCH)
    }

    @Test("keeps two programs apart that run at once")
    func two() async throws {
        let one = try Executable("/bin/cat").start([])
        let other = try Executable("/bin/cat").start([])
        try await other.send("other\n")
        try await one.send("one\n")
        #expect(try await one.end().stdout == "one\n")
        #expect(try await other.end().stdout == "other\n")
    }
}

@Suite("A program on a terminal")
struct TerminalTests {
    private func start(_ command: String, columns: UInt16 = 80, rows: UInt16 = 24) throws -> RunningProcess {
        try Executable("/bin/sh", leading: ["-c"]).startOnTerminal([command], columns: columns, rows: rows)
    }

    @Test("sees one, with its size and type")
    func facts() async throws {
        let shell = try start("test -t 0 && test -t 1 && test -t 2 && stty size && echo $TERM", columns: 57, rows: 11)
        let result = try await shell.result()
        #expect(result.lines == ["11 57", "xterm"], "\(result)")
    }

    @Test("has it as its controlling terminal: Control-C reaches it")
    func interrupt() async throws {
        let shell = try start("trap 'echo caught; exit 9' INT; echo ready; while :; do read x; done")
        try await shell.wait(for: "ready\r\n")
        try await shell.send("\u{3}")
        try await shell.wait(for: "caught")
        #expect(try await shell.result().status == 9)
    }

    @Test("echoes what is typed, and ends at Control-D")
    func typing() async throws {
        let cat = try Executable("/bin/cat").startOnTerminal([])
        try await cat.send("hello\n")
        #expect(try await cat.nextLine() == "hello")
        #expect(try await cat.nextLine() == "hello")
        #expect(try await cat.end().status == 0)
    }

    @Test("is told of a new size")
    func resize() async throws {
        let shell = try start("trap 'stty size; exit 0' WINCH; echo ready; while :; do read x; done")
        try await shell.wait(for: "ready\r\n")
        shell.resize(columns: 100, rows: 30)
        // Shells run traps only after the command that waits has come back.
        try await shell.send("\n")
        try await shell.wait(for: "30 100")
        #expect(try await shell.result().status == 0)
    }
}
