import Console
import PluginCore
import PluginRuntime
import Testing

@testable import AppHost

@MainActor
@Suite("The versions that bundle.json allows", .tags(.medium))
struct AppRangeTests {
    private let fixture: AppFixture

    init() throws {
        fixture = try AppFixture()
        for version in ["1.0.0", "1.1.0", "2.0.0"] {
            try fixture.assets.offer("com.example.a", version: version, routes: AssetsFixture.page(at: "a"))
        }
        try fixture.compose([("com.example.a", "^1.0.0")])
    }

    @Test("An install gets the newest version in the range, and another version is refused by name")
    func install() async throws {
        let error = try await fixture.error(of: "install com.example.a@2.0.0")
        #expect(error.code == .excludedByApp && error.exitStatus == .refused)
        #expect(error.report.message == "\"com.example.a@2.0.0\" does not belong to the app: bundle.json allows ^1.0.0")
        try await fixture.run("install com.example.a")
        #expect(try fixture.active() == ["com.example.a@1.1.0"])
    }

    @Test("An update stays in the range, and outdated and why say what prevents more")
    func update() async throws {
        try await fixture.run("install com.example.a@1.0.0")
        try await fixture.run("update")
        #expect(try fixture.active() == ["com.example.a@1.1.0"])
        try await fixture.run("update com.example.a")
        #expect(try fixture.active() == ["com.example.a@1.1.0"])
        let outdated = try await fixture.run("outdated --check")
        #expect(outdated.status == .done && outdated.text.contains("bundle.json allows ^1.0.0"), "\(outdated.text)")
        #expect(try await fixture.run("why com.example.a").text.contains("bundle.json allows ^1.0.0"))
    }

    @Test("A bundle that requires a version outside of the range cannot be installed")
    func required() async throws {
        try fixture.assets.offer("com.example.b", requires: AssetsFixture.need("com.example.a", "^2.0.0"))
        let error = try await fixture.error(of: "install com.example.b")
        #expect(error.code == .requirementUnmet || error.code == .dependencyConflict, "\(error)")
    }

    @Test("An install on demand gets a version in the range")
    func onDemand() async throws {
        try await fixture.run("open app://a")
        #expect(try fixture.active() == ["com.example.a@1.1.0"])
    }

    @Test("A staged version that a new bundle.json rules out is not activated")
    func staged() async throws {
        try await fixture.run("install com.example.a@1.0.0")
        try await fixture.run("update --stage")
        try fixture.compose([("com.example.a", "1.0.0")])
        try await fixture.run("open app://a")
        #expect(try fixture.active() == ["com.example.a@1.0.0"])
    }

    @Test("A rollback goes back to a version outside of the range, because there is no other")
    func rollback() async throws {
        try await fixture.run("install com.example.a@1.0.0")
        try await fixture.run("update")
        try fixture.compose([("com.example.a", "^1.1.0")])
        try await fixture.run("rollback com.example.a")
        #expect(try fixture.active() == ["com.example.a@1.0.0"])
        let status = try await fixture.run("app status")
        #expect(status.text.contains("com.example.a@1.0.0 is active, but bundle.json allows ^1.1.0"), "\(status.text)")
    }

    @Test("The doctor names a version outside of the range, and its remedy works")
    func doctor() async throws {
        try await fixture.run("install com.example.a@1.0.0")
        #expect(try await !fixture.run("doctor").text.contains("allows"))
        try fixture.compose([("com.example.a", "^1.1.0")])
        let text = try await fixture.run("doctor").text
        #expect(text.contains("com.example.a@1.0.0 is active, but bundle.json allows ^1.1.0"), "\(text)")
        #expect(text.contains("hostapp app install"), "\(text)")
        try await fixture.run("app install")
        #expect(try fixture.active() == ["com.example.a@1.1.0"])
        #expect(try await !fixture.run("doctor").text.contains("allows"))
    }
}
