import Console
import PluginCore
import PluginRuntime
import Testing

@testable import AppHost

@MainActor
@Suite("What an install or an update has done")
struct InstallCommandTests {
    private let house: AssetsHouse
    private let notes = "com.example.notes"

    init() throws {
        house = try AssetsHouse()
    }

    private func answer(_ command: HostCommand, _ words: String...) async throws -> Answer {
        let place = ["--sandbox", "sandbox", "--catalog", "catalog"]
        let parsed = try CommandLineParser(HostCommands.root).parse([command.description.name] + words + place)
        return try #require(await command.run(HostCall(parsed: parsed, environment: house.environment)))
    }

    @Test("is told of a version that waits as what it is: staged, and not installed")
    func staged() async throws {
        let waits = "\(notes)@1.1.0 is staged already; it becomes active when a host starts next.\n"
        try house.offer(notes)
        try await house.manager.install(notes)
        try house.offer(notes, version: "1.1.0")
        #expect(try await answer(updateCommand, "--stage").text.hasPrefix("Staged \(notes)@1.1.0; it becomes active"))
        #expect(try await answer(updateCommand, "--stage").text == waits)
        #expect(try await answer(installCommand, notes, "--stage").text == waits)
        let back = try await answer(installCommand, "\(notes)@1.0.0")
        #expect(back.text == "\(notes)@1.0.0 is installed already; 1.1.0 is staged no more.\n")
        #expect(back.json.text().contains("\"changed\":true,\"staged\":false,\"unstaged\":\"1.1.0\""))
        #expect(try await answer(installCommand, "\(notes)@1.0.0").text == "\(notes)@1.0.0 is installed already.\n")
    }
}
