import BundleFormat
import Console
import FoundationEssentials
import PluginCore
import Testing

@testable import AppHost

@MainActor
@Suite("An app whose bundle.json comes from a catalog", .tags(.medium))
struct CatalogCompositionTests {
    private let fixture: AppFixture

    init() throws {
        fixture = try AppFixture()
        for version in ["1.0.0", "2.0.0"] {
            try fixture.assets.offer("com.example.a", version: version, routes: AssetsFixture.page(at: "a/first"))
        }
        try fixture.compose([("com.example.a", nil)], fields: "\"composition\": \"com.example.app\"")
    }

    /// Offers the bundle with the app's bundle.json, in which app://u0/page opens a page.
    private func offer(
        _ version: String, page: String, range: String = "^1.0.0", requires: String? = nil, more: String = ""
    ) throws {
        try fixture.assets.offer(
            "com.example.app", version: version,
            requires: requires ?? AssetsFixture.need("com.example.a", range),
            composition: """
                {"formatVersion": 1, "name": "Remote"\(more), "bundles": [
                  {"uri": "u0", "pkg": "com.example.a", "version": "\(range)", "rules": {"page": "help/\(page)"}}]}
                """)
    }

    /// Offers the first version, and installs the app.
    @discardableResult
    private func install() async throws -> Answer {
        try offer("1.0.0", page: "one")
        return try await fixture.run("app install")
    }

    private func title() async throws -> String {
        let text = try await fixture.run("open app://u0/page --json").json.text()
        return text.contains("com.example.a one") ? "one" : text.contains("com.example.a two") ? "two" : text
    }

    @Test("The host's own bundle.json applies until the bundle is installed, and again after it was uninstalled")
    func fallback() async throws {
        try offer("1.0.0", page: "one")
        try await fixture.run("install com.example.a@1.0.0")
        await #expect(throws: AtriumError.self) { try await fixture.run("open app://u0/page") }
        try await fixture.run("install com.example.app")
        #expect(try await title() == "one")
        try await fixture.run("uninstall com.example.app")
        await #expect(throws: AtriumError.self) { try await fixture.run("open app://u0/page") }
    }

    @Test("app install installs the bundle with all that it names, and locks them in the sandbox")
    func installed() async throws {
        let answer = try await install()
        #expect(try fixture.active() == ["com.example.a@1.0.0", "com.example.app@1.0.0"])
        #expect(answer.text.contains("Containers/Data/Host/Library/bundle.lock"), "\(answer.text)")
        #expect(fixture.lock == nil)
        #expect(try await fixture.run("app status").status == .done)
    }

    @Test(
        "A lock is written beside a bundle.json of the user's own alone",
        arguments: ["app/bundle.json", "app/share/atrium/bundle.json", "link/bundle.json"])
    func lockPlace(file: String) async throws {
        let folder = fixture.assets.folder
        try folder.write(#"{"formatVersion": 1, "name": "App", "bundles": []}"#, to: "app/share/atrium/bundle.json")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path.appending("link").string,
            withDestinationPath: folder.path.appending("app/share/atrium").string)
        try folder.write(#"{"formatVersion": 1, "name": "App", "bundles": []}"#, to: file)
        let answer = try await fixture.assets.run("app", "install", "--composition", file)
        let isOwn = file == "app/bundle.json"
        #expect(answer.text.contains("sandbox/Containers/Data/Host/Library/bundle.lock") != isOwn)
        let lock = folder.path.appending(file).parent.appending("bundle.lock")
        #expect(FileManager.default.fileExists(atPath: lock.string) == isOwn)
    }

    @Test("A new version changes the app together with the versions of its bundles, and a rollback takes it back")
    func update() async throws {
        try await install()
        #expect(try await title() == "one")
        try offer("2.0.0", page: "two", range: "^2.0.0")
        try await fixture.run("app update")
        #expect(try fixture.active() == ["com.example.a@2.0.0", "com.example.app@2.0.0"])
        #expect(try await title() == "two")
        try await fixture.run("rollback com.example.app com.example.a")
        #expect(try await title() == "one")
    }

    @Test("A member does not leave the range without the bundle.json that allows it")
    func range() async throws {
        try await install()
        let error = try await fixture.error(of: "install com.example.a@2.0.0")
        #expect(error.code == .dependencyConflict, "\(error)")
        try await fixture.run("update")
        #expect(try fixture.active().contains("com.example.a@1.0.0"))
    }

    @Test("A staged bundle.json applies at the next start")
    func staged() async throws {
        try await install()
        try offer("1.1.0", page: "two")
        try await fixture.run("app update --stage")
        #expect(try fixture.active().contains("com.example.app@1.0.0"))
        #expect(try await title() == "two")
        #expect(try fixture.active().contains("com.example.app@1.1.0"))
    }

    @Test(
        "A version whose bundle.json this host cannot use is not installed, and the older one stays",
        arguments: [", \"strat\": \"app://a\"", ", \"composition\": \"com.example.other\"", ", \"start\": 7"])
    func unusable(more: String) async throws {
        try await install()
        try offer("1.1.0", page: "two", more: more)
        let error = try await fixture.error(of: "install com.example.app@1.1.0")
        #expect(error.code == .packageInvalid && !error.problems.isEmpty, "\(error)")
        #expect(error.report.message.contains("this host cannot use its bundle.json"))
        try await fixture.run("update")
        #expect(try fixture.active().contains("com.example.app@1.0.0"))
        #expect(try await title() == "one")
    }

    @Test("A package whose manifest does not require what its bundle.json names is not installed")
    func incomplete() async throws {
        for requires in ["", AssetsFixture.need("com.example.a", "*")] {
            try offer("1.0.0", page: "one", requires: requires)
            let error = try await fixture.error(of: "install com.example.app")
            #expect(error.code == .packageInvalid)
            #expect(error.report.details.first?.contains("com.example.a ^1.0.0") == true)
        }
    }

    @Test("An installed bundle.json that was altered is refused, not replaced by the host's own")
    func tampered() async throws {
        try await install()
        let names = try fixture.assets.folder.names()
        let file = try #require(names.first { $0.hasSuffix("Resources/bundle.json") })
        try fixture.assets.folder.write(#"{"formatVersion": 1, "name": "Open", "bundles": []}"#, to: file)
        #expect(try await fixture.error(of: "open app://a/first").code == .sealBroken)
    }

    @Test("An app opens without any catalog once it is installed")
    func offline() async throws {
        try await install()
        for name in try fixture.assets.folder.names() where name.hasPrefix("catalog/") {
            try fixture.assets.folder.remove(name)
        }
        #expect(try await title() == "one")
        #expect(try await fixture.run("app status").status == .done)
        #expect(try await fixture.run("app install").text.hasPrefix("Nothing to install"))
    }

    @Test("Doctor names the bundle of bundle.json if no catalog has it")
    func doctor() async throws {
        let answer = try await fixture.run("doctor")
        #expect(answer.json.text().contains(#""check":"composition","finding":"wrong","subject":"com.example.app""#))
    }
}
