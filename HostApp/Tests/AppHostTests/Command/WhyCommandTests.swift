import Console
import PluginCore
import PluginRuntime
import Testing

@testable import AppHost

@MainActor
@Suite("Why")
struct WhyCommandTests {
    private let house: AssetsHouse

    init() throws {
        house = try AssetsHouse()
    }

    private func answer(_ identifier: String) async throws -> Answer {
        let parsed = try CommandLineParser(HostCommands.root)
            .parse(["why", identifier, "--sandbox", "sandbox", "--catalog", "catalog"])
        return try #require(await whyCommand.run(HostCall(parsed: parsed, environment: house.environment)))
    }

    @Test("lists what was found out, and ends with what to do")
    func obstacle() async throws {
        try house.offer("com.example.notes")
        try house.offer(
            "com.example.notes", version: "1.1.0",
            requires: "{\"bundle\": \"com.example.lib\", \"versions\": \"^1.0.0\"}")
        let answer = try await answer("com.example.notes")
        #expect(
            answer.text == """
                installed   it is not installed
                offered     the catalog has 1.1.0, 1.0.0
                refused     "com.example.notes@1.1.0" can not be installed: it calls com.example.lib ^1.0.0, and the catalog has none
                what to do  the catalog's keeper must offer a version that will do; "hostapp catalog" lists what there is
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

    @Test("says so when nothing is wrong")
    func nothing() async throws {
        try house.offer("com.example.notes")
        try await house.manager.install("com.example.notes")
        let answer = try await answer("com.example.notes")
        #expect(answer.text.hasSuffix("code        it has no code\nwhat to do  nothing; it is as it should be\n"))
        #expect(answer.json.text().hasSuffix("\"remedies\":[]}"))
    }
}
