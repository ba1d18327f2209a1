import Authoring
import BundleFormat
import Console
import PluginCore
import Testing

@testable import BundleTool

@Suite("Packing a bundle with the bundle.json of an app", .tags(.medium))
struct CompositionPackTests {
    /// Packs a bundle of kind assets with a bundle.json, and returns its manifest and what packing has added.
    private static func pack(_ composition: String, requires: String = "") throws -> (
        manifest: Manifest, added: [String]
    ) {
        let manifest = PluginFixture.assets.replacing("\"kind\"", with: "\"requires\": [\(requires)], \"kind\"")
        let fixture = try PluginFixture(manifest: manifest)
        try fixture.write(composition, to: "plugin/Resources/bundle.json")
        var added: [String] = []
        let package = try Packer(folder: fixture.folder).pack(into: fixture.output, added: { added = $0.requirements })
        return (try PackageFile(path: package).manifest(), added)
    }

    private static let composition = """
        {"formatVersion": 1, "name": "App", "version": "1.0.0", "theme": "com.example.assets.lantern", "bundles": [
          {"uri": "shop", "pkg": "com.example.app.shop", "version": "^1.1.0"},
          {"uri": "account", "pkg": "com.example.app.account"}]}
        """

    @Test("The manifest requires the bundles that bundle.json names, in the versions that it allows")
    func added() throws {
        let (manifest, added) = try Self.pack(Self.composition)
        let required = ["com.example.app.shop ^1.1.0", "com.example.app.account *", "com.example.assets.lantern *"]
        #expect(manifest.requirements.map { "\($0.identifier) \($0.versions)" } == required)
        #expect(manifest.requirements.allSatisfy { !$0.isOnDemand })
        #expect(added == manifest.requirements.map(\.identifier.text))
    }

    @Test("A requirement that the manifest has already is kept if it agrees, and is an error if it does not")
    func written() throws {
        let (manifest, added) = try Self.pack(
            Self.composition, requires: #"{"bundle": "com.example.app.shop", "versions": "^1.1.0"}"#)
        #expect(manifest.requirements.count == 3 && !added.contains("com.example.app.shop"))
        for other in [#""versions": "^1.0.0""#, #""versions": "^1.1.0", "onDemand": true"#] {
            let requires = "{\"bundle\": \"com.example.app.shop\", \(other)}"
            let error = try #require(throws: AtriumError.self) { try Self.pack(Self.composition, requires: requires) }
            #expect(error.code == .manifestInvalid)
            #expect(error.report.details.first?.hasPrefix("requires[0]: bundle.json allows ^1.1.0, but") == true)
        }
    }

    @Test(
        "A bundle.json that no host could use is not packed",
        arguments: [
            ("{", "line 1, column 2"),
            (#"{"formatVersion": 2, "name": "A", "bundles": []}"#, "formatVersion: expected 1"),
            (#"{"formatVersion": 1, "name": "A", "version": "1", "bundles": []}"#, "version: \"1\" is not a version"),
            (
                #"{"formatVersion": 1, "name": "A", "composition": "com.example.x", "bundles": []}"#,
                "composition: its bundle.json names another composition"
            ),
            (
                #"{"formatVersion": 1, "name": "A", "bundles": [{"uri": "a", "pkg": "b"}]}"#,
                "bundles[0]: \"b\" is not a reverse-domain name"
            ),
            (
                #"{"formatVersion": 1, "name": "A", "bundles": [{"uri": "a", "pkg": "a.b", "version": "~1"}]}"#,
                "bundles[0].version: \"~1\" is not a version range"
            ),
            (
                #"{"formatVersion": 1, "name": "A", "bundles": [{"pkg": "a.b"}, {"pkg": "a.b", "version": "^1.0.0"}]}"#,
                "bundles[1].version: the bundle \"a.b\" occurs twice"
            ),
        ])
    func invalid(composition: String, problem: String) throws {
        let error = try #require(throws: AtriumError.self) { try Self.pack(composition) }
        #expect(error.code == .resourceInvalid)
        let details = error.report.details
        #expect(details.count == 1 && details[0].hasPrefix("Resources/bundle.json: \(problem)"), "\(details)")
    }
}
