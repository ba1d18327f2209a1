import PluginCore
import Processes
import Synchronization
import Testing

@Suite("Output of started programs", .tags(.large), .timeLimit(.minutes(1)))
struct ProcessOutputTests {
    /// Runs a script, and returns the reported lines and the last output.
    private func run(_ script: String) throws -> (lines: [String], last: String?) {
        let lines = Mutex<[String]>([])
        let output = try ProcessOutput { line in lines.withLock { $0.append(line) } }
        let process = try {
            defer { output.closeWriter() }
            return try SpawnedProcess(
                "/bin/sh", arguments: ["-c", script], environment: ["PATH=/usr/bin:/bin"], inheriting: [],
                output: output.writer)
        }()
        #expect(process.reap() == .exited(status: 0))
        let last = output.finish(milliseconds: 10_000)
        return (lines.withLock { $0 }, last)
    }

    @Test("Lines of both streams are reported, and the last bytes are kept")
    func lines() throws {
        let (lines, last) = try run("echo one; echo two >&2; printf three")
        #expect(lines == ["one", "two", "three"])
        #expect(last == "one\ntwo\nthree")
        #expect(try run("exit 0").last == nil)
    }

    @Test("A flood neither waits nor takes more memory than the limits, and its end is kept")
    func flood() throws {
        let (lines, last) = try run(
            // The pipe is full, and a write to it fails until the reader has made room.
            "head -c 300000000 /dev/zero | tr '\\0' 'x' 2>/dev/null; "
                + "until printf '\\nend\\n' 2>/dev/null; do sleep 0.05; done; exit 0")
        #expect(lines.last == "(more output is not shown)")
        #expect(lines.reduce(0) { $0 + $1.utf8.count } <= ProcessOutput.reportedSize + 100)
        #expect(last?.utf8.count == ProcessOutput.keptSize && last?.hasSuffix("\nend\n") == true)
    }
}
