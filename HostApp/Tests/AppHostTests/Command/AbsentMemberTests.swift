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
              {"uri": "offered", "pkg": "com.example.offered"}, {"uri": "absent", "pkg": "com.example.absent", "rules": {"rule": "page"}}]}
            """, to: "bundle.json")
    }

    private func run(_ words: String...) async throws -> Answer {
        try await fixture.call(words, at: AssetsFixture.place + ["--composition", "bundle.json"]).answer()
    }

    @Test("Doctor reports a bundle of bundle.json that is neither installed nor in the catalog, and no other")
    func doctor() async throws {
        let answer = try await run("doctor")
        #expect(answer.status == .refused)
        #expect(
            answer.json.text().contains(
                #"{"check":"composition","finding":"wrong","subject":"com.example.absent","#
                    + #""what":"the app's composition names it, and it is neither installed nor in the catalog","#
                    + #""remedy":"correct bundle.json, or put a package of it into the catalog"}"#))
        #expect(!answer.json.text().contains(#""subject":"com.example.offered""#))
    }

    @Test("Without a catalog that answers, doctor does not say that bundles can be installed")
    func unknown() async throws {
        try fixture.folder.remove("catalog")
        let answer = try await run("doctor")
        #expect(!answer.text.contains("is installed or can be"), "\(answer.text)")
        for identifier in ["com.example.offered", "com.example.absent"] {
            let finding = #""finding":"notice","subject":"\#(identifier)","what":"it is not installed"#
            #expect(answer.json.text().contains(finding))
        }
    }

    @Test("Route explain names the missing bundle that bundle.json gives the address to")
    func explain() async throws {
        let absent = try await run("route", "explain", "app://absent/x")
        #expect(
            absent.text == """
                app://absent/x has no route
                  bundle.json assigns its addresses to com.example.absent, which is neither installed nor in the catalog

                """)
        #expect(absent.json.text().contains(#""absent":"com.example.absent""#))
        let offered = try await run("route", "explain", "app://offered/x")
        #expect(!offered.text.contains("neither installed") && offered.json.text().contains(#""absent":null"#))
    }

    @Test("An address of a missing bundle is told so, with a remedy and without a suggestion that fails, too")
    func open() async throws {
        func error(_ address: String) async -> AtriumError? {
            await #expect(throws: AtriumError.self) { try await run("open", address) }
        }
        for address in ["app://absent", "app://absent/x", "app://absent/rul"] {
            let absent = try #require(await error(address))
            #expect(absent.code == .routeUnknown && absent.nearest.isEmpty, "\(absent)")
            let words = "\"absent\" to com.example.absent, which is neither"
            #expect(absent.report.message.contains(words), "\(absent.report)")
            #expect(absent.report.remedy?.contains("hostapp install PACKAGE.zip") == true)
        }
        let misspelled = try #require(await error("app://absen/rule"))
        #expect(misspelled.nearest.isEmpty, "\(misspelled.nearest)")
        // A fallback still catches it.
        try fixture.folder.write(
            """
            {"formatVersion": 1, "name": "App", "fallback": "app://offered/one", "bundles": [
              {"uri": "offered", "pkg": "com.example.offered", "rules": {"one": "help/one"}},
              {"uri": "absent", "pkg": "com.example.absent"}]}
            """, to: "bundle.json")
        let page = try await run("open", "app://absent/x", "--json")
        #expect(page.json.text().contains("com.example.offered one"), "\(page.json.text())")
    }

    @Test("A rule that leads to a page which the installed bundle lacks is reported by doctor and by routes")
    func deadRule() async throws {
        try fixture.folder.write(
            """
            {"formatVersion": 1, "name": "App", "bundles": [{"uri": "offered", "pkg": "com.example.offered", "rules": {
              "good": "help/one", "bad": "NoSuchController", "worse": "help/three", "worst": "none/one"}}]}
            """, to: "bundle.json")
        #expect(try await run("doctor").status == .done)
        _ = try await run("install", "com.example.offered")
        let doctor = try await run("doctor")
        let routes = try await run("routes")
        #expect(doctor.status == .refused && routes.status == .done)
        for (key, page) in [("bad", "NoSuchController"), ("worse", "help/three"), ("worst", "none/one")] {
            let problem =
                "the rule offered/\(key) leads to the page \"\(page)\", which com.example.offered@1.0.0 does not have"
            #expect(doctor.text.contains(problem) && routes.text.contains(problem), "\(doctor.text)\(routes.text)")
        }
        #expect(!doctor.text.contains("offered/good") && !routes.text.contains("rule offered/good"))
        #expect(routes.json.text().contains(#""problems":["the rule offered/bad"#))
    }

    @Test("Doctor reports a bundle.json that cannot be parsed with the position of the error")
    func broken() async throws {
        try fixture.folder.write("{,}", to: "bundle.json")
        let answer = try await run("doctor")
        #expect(answer.json.text().contains(#""check":"composition","finding":"wrong""#), "\(answer.text)")
        #expect(answer.json.text().contains("line 1, column 2: "))
    }
}
