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
        let result = if case .ended(_, let result) = ended { result } else { nil as ProcessResult? }
        #expect(result?.status == 3 && result?.stderr == "err\n", "\(String(describing: ended))")
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
}

@Suite("Communication with a program on a terminal", .tags(.large))
struct TerminalTests {
    @Test("The program detects the terminal with its size and type")
    func facts() async throws {
        let command = "test -t 0 && test -t 1 && test -t 2 && stty size && echo $TERM"
        let shell = Executable("/bin/sh", leading: ["-c"])
        let result = try await shell.startOnTerminal([command], columns: 57, rows: 11).result()
        #expect(result.lines == ["11 57", "xterm"], "\(result)")
    }
}
