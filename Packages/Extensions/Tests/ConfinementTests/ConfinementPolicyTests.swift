import ConfinementReporting
import Foundation
import Glibc
import Testing

@Suite("Confining a process", .serialized, .tags(.medium))
struct ConfinementPolicyTests {
    /// Runs the test program with its own end of input.
    private func output(_ arguments: String...) throws -> (lines: [String], signal: String?) {
        let input = open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(input) }
        return try Child(arguments, input: input).wait()
    }

    @Test("Each version of Landlock has its stated level", arguments: 0...6)
    func levels(version: Int) throws {
        let full = try output("confine").lines
        // A kernel with an older version has the lower level anyway.
        guard full == ["confined full"] else { return }
        let missing = [
            0: "files, truncation, tcp, deviceControl, scopes", 1: "truncation, tcp, deviceControl, scopes",
            2: "truncation, tcp, deviceControl, scopes", 3: "tcp, deviceControl, scopes", 4: "deviceControl, scopes",
            5: "scopes",
        ]
        let expected = missing[version].map { "confined reduced: without \($0)" } ?? "confined full"
        #expect(try output("confine", "landlock=\(version)").lines == [expected])
    }

    @Test("Without Landlock and filters the level is none, and without a filter it is reduced")
    func noLevel() throws {
        #expect(try output("confine", "landlock=0", "filter=no").lines == ["confined none"])
        let report = ConfinementReport(landlockVersion: 7, hasFilter: false)
        #expect(report.missing == [.systemCalls])
    }

    @Test(
        "A process is confined only once, and not with several threads",
        arguments: [("times=2", 2, "confinedTwice"), ("threads=1", 1, "threadsRun(count: 2)")])
    func impossible(argument: String, count: Int, reason: String) throws {
        let lines = try output("confine", argument).lines
        #expect(lines.count == count && lines.last?.contains(reason) == true, "\(lines)")
    }

    @Test("A path that does not exist, or a writable path that is a link or a file, is an error")
    func paths() throws {
        let surroundings = try Surroundings()
        let folder = surroundings.folder.path
        for argument in [
            "read=\(folder)/none", "write=\(folder)/none", "write=\(folder)/container/door", "write=\(folder)/registry",
        ] {
            let lines = try output("confine", argument).lines
            #expect(lines.count == 1)
            #expect(lines.first?.hasPrefix("failed confinementFailed: \(folder)") == true, "\(lines)")
        }
        #expect(try output("confine", "read=\(folder)/registry").lines.first?.hasPrefix("confined") == true)
    }

    @Test("A process whose parent has ended before it was confined ends at once")
    func orphan() throws {
        // The process 1 is not the parent of the program.
        let (lines, signal) = try output("confine", "parent=1")
        #expect(lines == [] && signal == "SIGKILL")
    }

    @Test("A confined process ends with its parent")
    func parentEnds() throws {
        let surroundings = try Surroundings()
        let parent = try Child(
            ["parent", "container=\(surroundings.folder.path)/container"], input: surroundings.terminal)
        // The child's report comes through the same pipe.
        let lines = [parent.line(), parent.line()].compactMap(\.self)
        let child = try #require(
            lines.first { $0.hasPrefix("child ") }?.split(separator: " ").last.flatMap { pid_t($0) })
        #expect(lines.contains { $0.hasPrefix("confined") })
        #expect(kill(child, 0) == 0)
        kill(parent.number, SIGKILL)
        // The pipe ends when both processes have closed it.
        #expect(parent.wait().signal == "SIGKILL")
        let deadline = ContinuousClock.now + .seconds(5)
        while kill(child, 0) == 0, !Self.isZombie(child), ContinuousClock.now < deadline { usleep(10_000) }
        #expect(kill(child, 0) != 0 || Self.isZombie(child))
    }

    /// Returns whether a process has ended and only waits to be collected.
    private static func isZombie(_ process: pid_t) -> Bool {
        kernelFile("/proc/\(process)/stat").split(separator: ")").last?.hasPrefix(" Z") == true
    }

    @Test("Swift code works in a confined process: libraries, files, tasks, threads, timers, time zones")
    func work() throws {
        let surroundings = try Surroundings()
        let foundation = try #require(Self.loadedFoundation())
        let products = URL(filePath: try #require(CommandLine.arguments.first)).deletingLastPathComponent().path
        // Busy threads for three seconds let libdispatch look at their states.
        let (lines, signal) = try output(
            "work", "container=\(surroundings.folder.path)/container", "load=\(foundation)",
            "load=\(products)/libZip.so", "read=\(products)", "seconds=3", "addressSpace=\(4 << 30)", "openFiles=64")
        let parts = [
            "load", "load", "atomicWrite", "moveBetweenFolders", "copy", "remove", "timeZone", "random", "date",
            "tasks",
            "timers", "end",
        ]
        #expect(signal == nil)
        #expect(lines.dropFirst() == parts.map { "works \($0) " }[...], "\(lines)")
    }

    private static func loadedFoundation() -> String? {
        kernelFile("/proc/self/maps").split(separator: "\n").first { $0.hasSuffix("/libFoundation.so") }
            .flatMap { line in line.firstIndex(of: "/").map { String(line[$0...]) } }
    }

    @Test("Only plain variables and the kept descriptors reach a confined process")
    func inheritance() throws {
        let surroundings = try Surroundings()
        for name in [
            "find LD_PRELOAD in its environment", "find a secret of the host in the memory of its environment",
            "read an inherited file",
        ] {
            let attempt = try #require(try Attempt.all().first { $0.name == name })
            #expect(try surroundings.attempt(attempt.index).result.hasPrefix("refused"))
        }
    }
}
