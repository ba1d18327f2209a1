import Console
import PluginCore
import Testing

@testable import AppHost

/// Tests that the identifier of a bundle on the command line never becomes a path.
@MainActor
@Suite("Bundle identifiers that look like paths", .tags(.medium))
struct HostileArgumentTests {
    nonisolated private static let commands = [
        ["uninstall"], ["uninstall", "--delete-data"], ["uninstall", "--delete-data", "--cascade"], ["install"],
        ["install", "--stage"], ["update"], ["update", "--stage"], ["rollback"], ["info"], ["why"], ["history"],
        ["verify"], ["outdated"], ["call", "Notes"], ["call"],
    ]
    nonisolated private static let ways = [".", "..", "../Host", "../../../../outside", "com.example.notes/..", "/"]

    @Test(
        "An identifier that looks like a path changes nothing and reads nothing outside the sandbox",
        arguments: commands)
    func hostile(command: [String]) async throws {
        let fixture = try AssetsFixture()
        let place = AssetsFixture.place
        try fixture.offer("com.example.notes")
        try fixture.folder.write("kept", to: "outside/file")
        let line = HostCommandLine(environment: fixture.environment)
        #expect(await line.run(["install", "com.example.notes"] + place) == .done)
        try fixture.folder.write("kept", to: "sandbox/Containers/Data/Plugins/com.example.notes/Documents/diary")
        let before = try fixture.folder.names()
        for way in Self.ways {
            #expect(await line.run(command + place + ["--", way]) != .done, "\(command) \(way)")
            #expect(try fixture.folder.names() == before, "\(command) \(way)")
        }
    }
}
