import Doctor
import PluginRuntime
import Testing

@testable import AppHost

@MainActor
@Suite("Calls of the command line", .tags(.medium))
struct HostCallTests {
    @Test("The recorded command contains the arguments but no options, whose values may be secret")
    func command() async throws {
        let fixture = try AssetsFixture()
        let call = try fixture.call(
            ["install", "com.example.a", "com.example.b", "--stage"], at: ["--sandbox", "secret"])
        #expect(call.command == "hostapp install com.example.a com.example.b")
        let manager = call.manager
        try await manager.transactions.writer.withWriterLock {
            let finding = try #require(Checkup(of: manager).findings().first { $0.check == .lock })
            #expect(finding.subject.contains(", hostapp install com.example.a com.example.b, since "))
        }
    }
}
