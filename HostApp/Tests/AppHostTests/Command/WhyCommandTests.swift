import PluginRuntime
import Registry
import Console
import PluginCore
import Testing

@testable import AppHost

@MainActor
@Suite("hostapp why", .tags(.medium))
struct WhyCommandTests {
    private let fixture: AssetsFixture

    init() throws { fixture = try AssetsFixture() }

    private func answer(_ identifier: String) async throws -> Answer { try await fixture.run("why", identifier) }

    @Test("Why lists the findings and ends with the remedies")
    func obstacle() async throws {
        try fixture.offer("com.example.notes")
        try fixture.offer("com.example.notes", version: "1.1.0", requires: AssetsFixture.need("com.example.lib"))
        let answer = try await answer("com.example.notes")
        #expect(
            answer.text == """
                installed   it is not installed
                offered     the catalog has 1.1.0, 1.0.0
                refused     "com.example.notes@1.1.0" cannot be installed: it requires com.example.lib ^1.0.0, and the catalog has none
                what to do  the catalog's maintainer must provide a compatible version; "hostapp catalog" lists what \
                is available
                            run "hostapp install com.example.notes"

                """)
        #expect(
            answer.json.text().hasPrefix(
                """
                {"identifier":"com.example.notes","active":null,"installable":"1.0.0","findings":[{"topic":"installed",\
                "words":"it is not installed","obstacle":null}
                """))
        #expect(answer.json.text().contains("\"obstacle\":{\"code\":\"requirementUnmet\""))
    }

    @Test("The remedies of why do not recommend to run why")
    func conflict() async throws {
        try fixture.offer("com.example.lib")
        try await fixture.installed("com.example.notes", requires: AssetsFixture.need("com.example.lib"))
        try fixture.offer("com.example.lib", version: "2.0.0")
        let answer = try await answer("com.example.lib")
        let remedy = "what to do  choose other versions; \"hostapp catalog\" lists what is available\n"
        #expect(answer.text.contains(remedy) && !answer.text.contains("hostapp why"))
    }

    @Test("Why names a staged version as other commands do, and does not recommend to update to it")
    func staged() async throws {
        try await fixture.installed("com.example.notes")
        try fixture.offer("com.example.notes", version: "1.1.0")
        try await fixture.manager.change([.update("com.example.notes")], staging: true)
        let answer = try await answer("com.example.notes")
        #expect(answer.text.contains("\nstaged      1.1.0 is staged; it becomes active when a host starts next\n"))
        #expect(answer.text.hasSuffix("what to do  nothing\n"))
        let list = try await fixture.run("list")
        let waits = "\ncom.example.notes@1.1.0 is staged; it becomes active at the next start of a host.\n"
        #expect(list.text.hasSuffix(waits))
        #expect(list.json.text().contains("\"staged\":[{\"name\":\"Notes\","))
        let info = try await fixture.run("info", "com.example.notes")
        #expect(info.text.contains("\nstaged           1.1.0, becomes active at the next start\n"))
        #expect(info.json.text().contains("\"staged\":\"1.1.0\""))
        #expect(try await fixture.run("history").text.contains("staged"))
        #expect(try await fixture.run("doctor").text.contains("1.1.0 is staged"))
        #expect(try await fixture.run("catalog").json.text().contains("\"state\":\"staged\""))
    }

    @Test("Why explains an uninstalled plugin that the catalog no longer offers")
    func gone() async throws {
        try await fixture.installed("com.example.notes")
        try await fixture.manager.uninstall("com.example.notes")
        try fixture.folder.remove("catalog/com.example.notes-1.0.0.zip")
        let answer = try await answer("com.example.notes")
        #expect(
            answer.text == """
                installed   it is not installed; last event: "uninstalled" of 1.0.0
                offered     the catalog has none
                what to do  get its package, and run "hostapp install PACKAGE.zip"

                """)
        await #expect(throws: AtriumError.self) { try await self.answer("com.example.nothing") }
    }

    @Test("Why explains that an update does not install a pre-release unless it is named")
    func prerelease() async throws {
        try await fixture.installed("com.example.notes")
        try fixture.offer("com.example.notes", version: "2.0.0-beta.1")
        let answer = try await answer("com.example.notes")
        let words = "the catalog has 2.0.0-beta.1, 1.0.0; pre-releases are installed only on request: 2.0.0-beta.1"
        #expect(answer.text.contains("offered     \(words)\n"))
        let update = try await fixture.run("update", "com.example.notes")
        #expect(update.text == "com.example.notes@1.0.0 is the newest.\n")
    }

    @Test("Why recommends an install command that repairs a damaged version, and nothing for a sound one")
    func damaged() async throws {
        let bundle = try await fixture.installed("com.example.notes")
        let folder = Sandbox(root: fixture.folder.path.appending("sandbox"))
            .folder(of: bundle.identity, digest: bundle.digest).string.dropFirst(fixture.folder.path.string.count + 1)
        for part in ["/signature/seal.json.minisig", ""] {
            try fixture.folder.remove(folder + part)
            let text = try await answer("com.example.notes").text
            #expect(text.contains("hostapp install com.example.notes@1.0.0"), "\(text)")
            #expect(!text.contains("bundletool") && !text.contains("uninstall"), "\(text)")
            _ = try await fixture.run("install", "com.example.notes@1.0.0")
            let sound = try await answer("com.example.notes")
            #expect(sound.text.hasSuffix("code        it has no code\nwhat to do  nothing\n"))
            #expect(sound.json.text().hasSuffix("\"remedies\":[]}"))
        }
    }

    @Test("The catalog lists a version that cannot be installed with the reason")
    func blocked() async throws {
        try fixture.offer("com.example.notes")
        try fixture.offer("com.example.notes", version: "1.1.0")
        try await fixture.manager.install("com.example.notes")
        try await fixture.manager.uninstall("com.example.notes")
        let catalog = try await fixture.run("catalog")
        #expect(catalog.text.contains("1.0.0") && catalog.text.contains("  blocked\n"))
        #expect(catalog.text.hasSuffix("\n\n\"com.example.notes@1.0.0\" would be a downgrade: 1.1.0 has run here\n"))
        #expect(catalog.json.text().contains("\"state\":\"blocked\",\"obstacle\":{\"code\":\"downgrade\""))
    }
}
