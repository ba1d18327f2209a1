import PluginCore
import PluginTestKit
import Testing

import Glibc

@Suite("Communication with a program", .tags(.large))
struct RunningProcessTests {
    @Test("A program is used line by line until its input ends")
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

    @Test("Each wait starts after the previously awaited text")
    func waiting() async throws {
        let shell = try Executable("/bin/sh").start(["-c", "printf '> a> '; read x; printf \"$x> \"; cat"])
        #expect(try await shell.wait(for: "> ") == "> ")
        #expect(try await shell.wait(for: "> ") == "a> ")
        try await shell.send("b\n")
        #expect(try await shell.wait(for: "> ") == "b> ")
        #expect(try await shell.end().stdout == "> a> b> ")
    }

    @Test("The error for a missing text contains the actual output")
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

    @Test("Input that the program does not read is an error")
    func closed() async throws {
        let program = try Executable("/bin/sh").start(["-c", "exec <&-; echo closed; sleep 600"])
        #expect(try await program.nextLine() == "closed")
        await #expect(throws: ProcessFailure.self) { try await program.send("x\n") }
        program.signal(SIGTERM)
        #expect(try await program.result().signal == SIGTERM)
    }

    @Test("A program is killed with the last reference")
    func released() async throws {
        var shell: RunningProcess? = try Executable("/bin/sh").start(["-c", "echo up; exec sleep 600"])
        #expect(try await shell?.nextLine() == "up")
        let number = try #require(shell?.identifier)
        shell = nil
        // SIGKILL takes effect immediately, but reaping takes a moment longer.
        let deadline = ContinuousClock.now + .seconds(600)
        while kill(number, 0) == 0, ContinuousClock.now < deadline { await Task.yield() }
        #expect(kill(number, 0) == -1 && errno == ESRCH)
    }

    @Test("Two programs that run at the same time do not affect each other")
    func two() async throws {
        let one = try Executable("/bin/cat").start([])
        let other = try Executable("/bin/cat").start([])
        try await other.send("other\n")
        try await one.send("one\n")
        #expect(try await one.end().stdout == "one\n")
        #expect(try await other.end().stdout == "other\n")
    }
}

@Suite("Communication with a program on a terminal", .tags(.large))
struct TerminalTests {
    private func start(_ command: String, columns: UInt16 = 80, rows: UInt16 = 24) throws -> RunningProcess {
        try Executable("/bin/sh", leading: ["-c"]).startOnTerminal([command], columns: columns, rows: rows)
    }

    @Test("The program detects the terminal with its size and type")
    func facts() async throws {
        let shell = try start("test -t 0 && test -t 1 && test -t 2 && stty size && echo $TERM", columns: 57, rows: 11)
        let result = try await shell.result()
        #expect(result.lines == ["11 57", "xterm"], "\(result)")
    }

    @Test("Control-C reaches the program, because the terminal is its controlling terminal")
    func interrupt() async throws {
        let shell = try start("trap 'echo caught; exit 9' INT; echo ready; while :; do read x; done")
        try await shell.wait(for: "ready\r\n")
        try await shell.send("\u{3}")
        try await shell.wait(for: "caught")
        #expect(try await shell.result().status == 9)
    }

    @Test("The terminal echoes input, and Control-D ends it")
    func typing() async throws {
        let cat = try Executable("/bin/cat").startOnTerminal([])
        try await cat.send("hello\n")
        #expect(try await cat.nextLine() == "hello")
        #expect(try await cat.nextLine() == "hello")
        #expect(try await cat.end().status == 0)
    }

    @Test("The program is notified of a new size")
    func resize() async throws {
        let shell = try start("trap 'stty size; exit 0' WINCH; echo ready; while :; do read x; done")
        try await shell.wait(for: "ready\r\n")
        shell.resize(columns: 100, rows: 30)
        // Shells run traps only after the current command has ended.
        try await shell.send("\n")
        try await shell.wait(for: "30 100")
        #expect(try await shell.result().status == 0)
    }
}
