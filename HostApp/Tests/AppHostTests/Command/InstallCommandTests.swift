import Doctor
import Registry
import Console
import FoundationEssentials
import PluginCore
import PluginRuntime
import Testing

@testable import AppHost

@MainActor
@Suite("Answers of install and update", .tags(.medium))
struct InstallCommandTests {
    private let fixture: AssetsFixture
    private let notes: BundleIdentifier = "com.example.notes"

    init() throws {
        fixture = try AssetsFixture()
    }

    private func answer(_ command: HostCommand, _ words: any CustomStringConvertible...) async throws -> Answer {
        let place = ["--sandbox", "sandbox", "--catalog", "catalog"]
        let parsed = try CommandLineParser(HostCommands.root).parse(
            [command.description.name] + words.map(\.description) + place)
        return try #require(await command.run(HostCall(parsed: parsed, environment: fixture.environment)))
    }

    @Test("A staged version is reported as staged and not as installed")
    func staged() async throws {
        let waits = "\(notes)@1.1.0 is already staged; it becomes active at the next start of a host.\n"
        try fixture.offer(notes)
        try await fixture.manager.install(notes)
        try fixture.offer(notes, version: "1.1.0")
        #expect(try await answer(updateCommand, "--stage").text.hasPrefix("Staged \(notes)@1.1.0; it becomes active"))
        #expect(try await answer(updateCommand, "--stage").text == waits)
        #expect(try await answer(installCommand, notes, "--stage").text == waits)
        let back = try await answer(installCommand, "\(notes)@1.0.0")
        #expect(back.text == "\(notes)@1.0.0 is already installed; 1.1.0 is no longer staged.\n")
        #expect(back.json.text().contains("\"changed\":true,\"staged\":false,\"unstaged\":\"1.1.0\""))
        #expect(try await answer(installCommand, "\(notes)@1.0.0").text == "\(notes)@1.0.0 is already installed.\n")
    }

    private func harm(_ bundle: PluginBundle) throws {
        try fixture.folder.write("more", to: "sandbox/Containers/Bundle/Plugins/\(place(of: bundle))/more")
    }

    private func place(of bundle: PluginBundle) -> String {
        "\(bundle.identity.identifier)/\(bundle.identity.version)-\(bundle.digest.prefix(12))"
    }

    @Test("A repaired rollback target is reported as such and not as active")
    func kept() async throws {
        try fixture.offer(notes)
        let bundle = try await fixture.manager.install(notes).bundle
        try fixture.offer(notes, version: "1.1.0")
        try await fixture.manager.update(notes)
        try harm(bundle)
        let remedy = try #require(await failure(rollbackCommand, notes)?.report.remedy)
        #expect(remedy.hasPrefix("reinstall it with \"hostapp install \(notes)@1.0.0\", or from its package"))
        let anew =
            "Reinstalled \(notes)@1.0.0; it did not match its seal, and is kept to roll back to.\n"
        #expect(try await answer(installCommand, "\(notes)@1.0.0").text == anew)
        let back = "Rolled \(notes) back from 1.1.0 to 1.0.0. "
        #expect(try await answer(rollbackCommand, notes).text.hasPrefix(back))
    }

    @Test(
        "A damaged version can be repaired from the package that it was installed from, whatever the catalog offers",
        arguments: [false, true])
    func package(isReused: Bool) async throws {
        try fixture.offer(notes)
        let (listed, file) = ("catalog/\(notes)-1.0.0.zip", "own.zip")
        try FileManager.default.moveItem(
            atPath: fixture.folder.path.appending(listed).string, toPath: fixture.folder.path.appending(file).string)
        _ = try await answer(installCommand, file)
        if isReused {
            try fixture.offer(notes, routes: "{\"pattern\": \"n\", \"page\": \"one\", \"layout\": \"help/one\"}")
        }
        try harm(try #require(try fixture.manager.registry.active.bundle(notes)).active)
        let findings = Checkup(of: fixture.manager).findings().filter { $0.severity == .wrong }
        let words = "hostapp install \(notes)@1.0.0, or its package if the catalog does not have it"
        #expect(findings.map(\.remedy?.sentence) == [words])
        let failure = try #require(await failure(installCommand, "\(notes)@1.0.0"))
        #expect(failure.report.code == (isReused ? "versionReused" : "versionUnknown"))
        let anew = "Reinstalled \(notes)@1.0.0; it did not match its seal.\n"
        #expect(try await answer(installCommand, file).text == anew)
    }

    private func failure(_ command: HostCommand, _ words: any CustomStringConvertible...) async -> Failure? {
        do {
            let place = ["--sandbox", "sandbox", "--catalog", "catalog"]
            let parsed = try CommandLineParser(HostCommands.root).parse(
                [command.description.name] + words.map(\.description) + place)
            _ = try await command.run(HostCall(parsed: parsed, environment: fixture.environment))
            return nil
        } catch {
            return Failure(error)
        }
    }
}
