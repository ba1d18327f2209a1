import Console
import PluginCore
import PluginRuntime
import Testing

@testable import AppHost

@MainActor
@Suite("hostapp outdated", .tags(.medium))
struct OutdatedCommandTests {
    private let fixture: AssetsFixture

    init() throws { fixture = try AssetsFixture() }

    private func answer(_ words: String...) async throws -> Answer {
        try await fixture.call(["outdated"] + words).answer()
    }

    @Test("Each plugin is listed with the version of an update, the newest version, and the plugin that prevents it")
    func listing() async throws {
        try fixture.offer("com.example.lib")
        try fixture.offer("com.example.notes", requires: AssetsFixture.need("com.example.lib"))
        try await fixture.manager.install("com.example.lib")
        try await fixture.manager.install("com.example.notes")
        try fixture.offer("com.example.lib", version: "1.1.0")
        try fixture.offer("com.example.lib", version: "2.0.0")
        let answer = try await answer()
        #expect(
            answer.text == """
                NAME   IDENTIFIER         VERSION  UPDATE  NEWEST
                Notes  com.example.lib    1.0.0    1.1.0   2.0.0
                Notes  com.example.notes  1.0.0    -       1.0.0

                com.example.lib@2.0.0 cannot be installed: "com.example.lib@2.0.0" cannot be installed because of a \
                dependency conflict
                  - com.example.notes@1.0.0 (installed) needs com.example.lib ^1.0.0
                  - com.example.lib@2.0.0 is requested

                """)
        let json = answer.json.text()
        #expect(json.contains("\"version\":\"1.0.0\",\"update\":\"1.1.0\",\"newest\":\"2.0.0\",\"isOutdated\":true"))
        #expect(json.contains("\"update\":null,\"newest\":\"1.0.0\",\"isOutdated\":false,\"obstacle\":null"))
        #expect(json.hasSuffix("\"isKnown\":true,\"problem\":null}"))
    }

    @Test("Only outdated with --check ends with status 1, and only if an update would change something")
    func check() async throws {
        try await fixture.installed("com.example.notes")
        #expect(try await answer("--check").status == .done)
        try fixture.offer("com.example.notes", version: "1.1.0")
        #expect(try await answer("--check").status == .different)
        #expect(try await answer("com.example.notes", "--check").status == .different)
        #expect(try await answer().status == .done)
    }

    @Test(
        "Without the catalog, outdated marks versions as unknown instead of up to date, also if packages ship with the host",
        arguments: [false, true])
    func offline(isShipping: Bool) async throws {
        #expect(try await answer("--check").text == "Nothing is installed.\n")
        try await fixture.installed("com.example.notes")
        try fixture.loseCatalog(isShipping: isShipping)
        let answer = try await answer()
        #expect(answer.status == .done)
        #expect(answer.text.contains("Notes  com.example.notes  1.0.0    ?       ?\n"))
        #expect(answer.text.contains("\nNewer versions are unknown: the catalog "))
        #expect(answer.json.text().contains("\"update\":null,\"newest\":null,\"isOutdated\":null"))
        #expect(answer.json.text().contains("\"isKnown\":false,\"problem\":{\"code\":\"catalogUnreachable\""))
        #expect(try await self.answer("--check").status == .unavailable)
    }
}
