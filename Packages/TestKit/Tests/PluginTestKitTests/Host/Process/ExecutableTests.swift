import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

import Glibc

@Suite("Running a program until it ends", .tags(.large))
struct ExecutableTests {
    private let shell = Executable("/bin/sh", leading: ["-c"])

    @Test("Input and output of any size, and arguments, are passed unchanged")
    func large() async throws {
        let input = String(repeating: "0123456789abcde\n", count: 1 << 17)
        let result = try await Executable("/bin/sh").run(
            "-c", "tee /dev/stderr; echo \"$1\"", "sh", "a  'b'", input: input)
        #expect(result.stdout == input + "a  'b'\n" && result.stderr == input)
    }

    @Test("A program need not read its input, and children that it leaves behind are not waited for")
    func unread() async throws {
        let input = String(repeating: "x", count: 1 << 20)
        #expect(try await shell.run("exec <&-; echo done", input: input).stdout == "done\n")
        let result = try await shell.run("sleep 600 & echo $!", timeout: .seconds(20))
        #expect(result.status == 0 && result.lines.count == 1)
    }

    @Test("A program has a controlled environment and folder, and no home folder")
    func environment() async throws {
        let folder = try ThrowawayFolder()
        let program = Executable("/bin/sh", leading: ["-c"], environment: ["A": "1", "B": "2"])
        let result = try await program.run(
            "echo $A $B $HOME $TERM; pwd -P", environment: ["B": "3"], folder: folder.path)
        #expect(result.lines.first == "1 3 /dev/null")
        #expect(result.lines.last?.hasSuffix(folder.path.lastComponent) == true)
    }

    @Test("After the time limit, the program and its children are killed and reaped")
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

    @Test("A program does not inherit descriptors of the test")
    func descriptors() async throws {
        let folder = try ThrowawayFolder()
        // The file is opened without O_CLOEXEC, as careless code does.
        let open = creat(folder.appending("open").string, 0o600)
        defer { close(open) }
        try #require(open > 2)
        let test = "if test -e /dev/fd/\(open); then echo open; else echo closed; fi"
        #expect(try await shell.run(test).stdout == "closed\n")
    }

    @Test("The error for a program that cannot be started says why")
    func missing() async throws {
        let error = await #expect(throws: ProcessFailure.self) { try await Executable("/nowhere/x").run("a") }
        #expect(error.map { "\($0)" } == "x a could not be started: No such file or directory")
    }

    @Test("Output is decoded only if it is exactly one JSON document")
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
