import Console
import PluginCore
import Testing

@testable import AppHost

/// Tests that the identifier of a bundle on the command line never becomes a path.
@MainActor
@Suite("Bundle identifiers that look like paths")
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
        let house = try AssetsHouse()
        let place = [
            "--sandbox", house.folder.path.appending("sandbox").string,
            "--catalog", house.folder.path.appending("catalog").string,
        ]
        try house.offer("com.example.notes")
        try house.folder.write("kept", to: "outside/file")
        let line = HostCommandLine(environment: house.environment)
        #expect(await line.run(["install", "com.example.notes"] + place) == .done)
        try house.folder.write("kept", to: "sandbox/Containers/Data/Plugins/com.example.notes/Documents/diary")
        let before = try house.folder.names()
        for way in Self.ways {
            let status = await line.run(command + place + ["--", way])
            #expect(status != .done, "\(command) \(way)")
            #expect(try house.folder.names() == before, "\(command) \(way)")
        }
    }
}
