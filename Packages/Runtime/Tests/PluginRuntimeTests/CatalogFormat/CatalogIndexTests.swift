import PluginRuntime
import CatalogFormat
import PluginCore
import TUFMetadata
import Testing

@Suite("Lists of versions and providers", .tags(.small))
struct CatalogIndexTests {
    private static let identifier: BundleIdentifier = "com.example.app.shop"
    private static let digest = String(repeating: "a", count: 64)

    private static func version(_ text: String) throws -> SemanticVersion { try #require(SemanticVersion(text)) }

    private static func versions() throws -> CatalogVersions {
        CatalogVersions(
            identifier: identifier, offered: try ["2.0.0-beta.1", "1.1.0", "1.0.0"].map(version),
            revoked: [RevokedVersion(version: try version("1.0.1"), sealDigest: digest, reason: "It loses orders.")])
    }

    @Test("A list of versions reads as it was written, newest first")
    func versions() throws {
        let versions = try Self.versions()
        #expect(try CatalogVersions(custom: versions.custom, identifier: Self.identifier) == versions)
        var unsorted = versions
        unsorted.offered.reverse()
        #expect(unsorted.custom == versions.custom)
        #expect(versions.content == JSONValue.object(versions.custom).text)
    }

    @Test(
        "A list of versions that breaks a rule is refused",
        arguments: [
            ("formatVersion", 2), ("identifier", "com.example.app.other"), ("identifier", nil), ("offered", nil),
            ("offered", ["1.0.0", "1.1.0"]), ("offered", ["1.1.0", "1.1.0"]), ("offered", ["1.1"]), ("offered", [1]),
            ("offered", ["1.0.1"]), ("revoked", [1]), ("revoked", ["version": "1.0.0"]),
            ("revoked", [["version": "1.0.1", "seal": "a", "reason": ""]]), ("revoked", nil),
        ] as [(String, JSONValue?)])
    func invalidVersions(name: String, value: JSONValue?) throws {
        var custom = try Self.versions().custom
        custom[name] = value
        let error = #expect(throws: AtriumError.self) {
            try CatalogVersions(custom: custom, identifier: Self.identifier)
        }
        #expect(error?.code == .catalogInvalid && error?.subject == "com.example.app.shop/versions.json")
    }

    @Test("More versions than the limit are refused")
    func limit() {
        let many = CatalogVersions(
            identifier: Self.identifier,
            offered: (0...CatalogLimits.versions).map { SemanticVersion(major: 1, minor: 0, patch: $0) })
        #expect(throws: AtriumError.self) { try CatalogVersions(custom: many.custom, identifier: Self.identifier) }
    }

    @Test("A list of providers reads as it was written, sorted and without repetitions")
    func providers() throws {
        let providers = CatalogProviders(bundles: ["com.example.b", "com.example.a", "com.example.b"])
        let read = try CatalogProviders(custom: providers.custom)
        #expect(read.bundles == ["com.example.a", "com.example.b"])
        #expect(read.content == providers.content)
    }

    @Test(
        "A list of providers that breaks a rule is refused",
        arguments: [
            ["bundles": ["com.example.a"]], ["formatVersion": 1], ["formatVersion": 1, "bundles": "com.example.a"],
            ["formatVersion": 1, "bundles": ["com.example.b", "com.example.a"]],
            ["formatVersion": 1, "bundles": ["A"]],
        ] as [JSONValue])
    func invalidProviders(custom: JSONValue) throws {
        guard case .object(let custom) = custom else { return }
        try failing(.catalogInvalid) { try CatalogProviders(custom: custom) }
    }
}
