import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite("Running a program to its end")
struct ExecutableTests {
    private let shell = Executable("/bin/sh", leading: ["-c"])

    @Test("tells its status, output and error apart")
    func result() async throws {
        let result = try await shell.run("echo out; echo err >&2; exit 7")
        #expect(result.status == 7 && result.signal == nil)
        #expect(result.stdout == "out\n" && result.stderr == "err\n")
        #expect(result.lines == ["out"])
    }

    @Test("counts a signal as shells do")
    func signal() async throws {
        let result = try await shell.run("kill -TERM $$")
        #expect(result.status == 128 + SIGTERM && result.signal == SIGTERM)
    }

    @Test("passes input and output of any size at once, and words as they are")
    func large() async throws {
        let input = String(repeating: "0123456789abcde\n", count: 1 << 17)
        let result = try await Executable("/bin/sh").run(
            "-c", "tee /dev/stderr; echo \"$1\"", "sh", "a  'b'", input: input)
        #expect(result.stdout == input + "a  'b'\n")
        #expect(result.stderr == input)
    }

    @Test("is not hurt by a program that does not read its input")
    func unread() async throws {
        let input = String(repeating: "x", count: 1 << 20)
        #expect(try await shell.run("exec <&-; echo done", input: input).stdout == "done\n")
    }

    @Test("gives the program its own environment and folder, and no home of anybody")
    func environment() async throws {
        let folder = try ThrowawayFolder()
        let program = Executable("/bin/sh", leading: ["-c"], environment: ["A": "1", "B": "2"])
        let result = try await program.run(
            "echo $A $B $HOME $TERM; pwd -P", environment: ["B": "3"], folder: folder.path)
        #expect(result.lines.first == "1 3 /dev/null")
        #expect(result.lines.last?.hasSuffix(folder.path.lastComponent) == true)
    }

    @Test("kills it with all that it has started when the time is over, and leaves no zombie")
    func timeout() async throws {
        let folder = try ThrowawayFolder()
        let command = "sleep 600 & echo $! $$ > pids; echo before; wait"
        let error = await #expect(throws: ProcessFailure.self) {
            try await shell.run(command, folder: folder.path, timeout: .seconds(2))
        }
        guard case .timedOut(_, let time, let stdout, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(time == .seconds(2) && stdout == "before\n")
        let words = String(decoding: try folder.bytes(of: "pids"), as: UTF8.self).split { $0.isWhitespace }
        let shellNumber = try #require(words.last.flatMap { pid_t($0) })
        #expect(kill(shellNumber, 0) == -1 && errno == ESRCH)
    }

    @Test("does not wait for what a program leaves running")
    func leftBehind() async throws {
        let result = try await shell.run("sleep 600 & echo $!", timeout: .seconds(20))
        #expect(result.status == 0 && result.lines.count == 1)
    }

    @Test("closes all descriptors of the test to the program")
    func descriptors() async throws {
        let folder = try ThrowawayFolder()
        // Without O_CLOEXEC, as careless code opens files.
        let open = creat(folder.appending("open").string, 0o600)
        defer { close(open) }
        try #require(open > 2)
        #expect(
            try await shell.run("if test -e /dev/fd/\(open); then echo open; else echo closed; fi").stdout == "closed\n"
        )
    }

    @Test("says why a program could not be started")
    func missing() async throws {
        let error = await #expect(throws: ProcessFailure.self) { try await Executable("/nowhere/x").run("a") }
        #expect(error.map { "\($0)" } == "x a could not be started: No such file or directory")
    }

    @Test("decodes output that is one JSON document, and nothing else")
    func json() async throws {
        struct Answer: Decodable, Equatable {
            let name: String
        }
        let answer = try await shell.run("echo '{\"name\": \"Shop\"}'").json(as: Answer.self)
        #expect(answer == Answer(name: "Shop"))
        let two = try await shell.run("echo '{\"name\": \"Shop\"} {}'; echo why >&2")
        let error = #expect(throws: ProcessFailure.self) { try two.json(as: Answer.self) }
        #expect(error.map { "\($0)" }?.contains("why") == true)
    }
}
