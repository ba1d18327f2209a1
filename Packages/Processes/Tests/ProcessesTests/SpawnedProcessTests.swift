import Foundation
import PluginCore
import Processes
import Testing

@Suite("A started process", .tags(.large))
struct SpawnedProcessTests {
    @Test("is traced as long as a debugger is attached to it", .timeLimit(.minutes(1)))
    func traced() throws {
        let process = try SpawnedProcess("/bin/sleep", arguments: ["600"], environment: [], inheriting: [])
        #expect(!process.isTraced)

        let tracer = Process()
        let messages = Pipe()
        tracer.executableURL = URL(filePath: "/usr/bin/strace")
        tracer.arguments = ["-p", "\(process.number)"]
        tracer.standardError = messages
        try tracer.run()
        // "strace: Process N attached"
        #expect(!messages.fileHandleForReading.availableData.isEmpty)
        #expect(process.isTraced)

        // SIGTERM may be blocked in a process that Foundation starts. Without its tracer, the process goes on.
        kill(tracer.processIdentifier, SIGKILL)
        tracer.waitUntilExit()
        #expect(!process.isTraced)
        process.kill()
        #expect(process.reap() == .signaled(SIGKILL))
        #expect(!process.isTraced)
    }
}
