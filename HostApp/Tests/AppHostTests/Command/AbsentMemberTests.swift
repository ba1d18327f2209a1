import Console
import PluginCore
import Testing

@testable import AppHost

@MainActor
@Suite("Bundles of bundle.json that are neither installed nor offered", .tags(.medium))
struct AbsentMemberTests {
    private let fixture: AssetsFixture

    init() throws {
        fixture = try AssetsFixture()
        try fixture.offer("com.example.offered")
        try fixture.folder.write(
            """
            {"formatVersion": 1, "name": "App", "theme": "com.example.offered", "bundles": [
              {"uri": "offered", "pkg": "com.example.offered"}, {"uri": "absent", "pkg": "com.example.absent"}]}
            """, to: "bundle.json")
    }

    private func answer(_ command: HostCommand, _ words: String...) async throws -> Answer {
        let options = ["--sandbox", "sandbox", "--catalog", "catalog", "--composition", "bundle.json"]
        let parsed = try CommandLineParser(HostCommands.root).parse(words + options)
        return try #require(await command.run(HostCall(parsed: parsed, environment: fixture.environment)))
    }

    @Test("Doctor reports a bundle of bundle.json that is neither installed nor in the catalog, and no other")
    func doctor() async throws {
        let answer = try await answer(doctorCommand, "doctor")
        #expect(answer.status == .refused)
        #expect(
            answer.json.text().contains(
                #"{"check":"composition","finding":"wrong","subject":"com.example.absent","#
                    + #""what":"the app's composition names it, and it is neither installed nor in the catalog","#
                    + #""remedy":"correct bundle.json, or put a package of it into the catalog"}"#))
        #expect(!answer.json.text().contains(#""subject":"com.example.offered""#))
    }

    @Test("Route explain names the missing bundle that bundle.json gives the address to")
    func explain() async throws {
        let absent = try await answer(routeCommand, "route", "explain", "app://absent/x")
        #expect(
            absent.text == """
                app://absent/x has no route
                  bundle.json assigns its addresses to com.example.absent, which is neither installed nor in the catalog

                """)
        #expect(absent.json.text().contains(#""absent":"com.example.absent""#))
        let offered = try await answer(routeCommand, "route", "explain", "app://offered/x")
        #expect(!offered.text.contains("neither installed") && offered.json.text().contains(#""absent":null"#))
    }

    @Test("Doctor reports a bundle.json that cannot be parsed with the position of the error")
    func broken() async throws {
        try fixture.folder.write("{,}", to: "bundle.json")
        let answer = try await answer(doctorCommand, "doctor")
        #expect(answer.json.text().contains(#""check":"composition","finding":"wrong""#), "\(answer.text)")
        #expect(answer.json.text().contains("line 1, column 2: "))
    }
}
