import Console
import PluginRuntime
import Testing

@testable import AppHost

@MainActor
@Suite("A call")
struct HostCallTests {
    @Test("is known to others by its command and arguments, and by no option, whose value may be a secret")
    func command() async throws {
        let house = try AssetsHouse()
        let parsed = try CommandLineParser(HostCommands.root)
            .parse(["--sandbox", "secret", "install", "com.example.a", "com.example.b", "--stage"])
        let call = try HostCall(parsed: parsed, environment: house.environment)
        #expect(call.command == "hostapp install com.example.a com.example.b")
        let manager = call.manager
        try await manager.whileAlone {
            let finding = try #require(manager.checkup().first { $0.check == .lock })
            #expect(finding.subject.contains(", hostapp install com.example.a com.example.b, since "))
        }
    }
}
