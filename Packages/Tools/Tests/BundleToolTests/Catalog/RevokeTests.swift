import BundleTool
import CatalogFormat
import CatalogPublisher
import Console
import PluginCore
import PluginRuntime
import Testing

@Suite("bundletool revoke and unpublish", .tags(.medium))
struct RevokeTests {
    private let fixture: CatalogFixture

    init() throws { fixture = try Self.fixture() }

    private static func fixture() throws -> CatalogFixture {
        let fixture = try CatalogFixture()
        try fixture.package("com.example.app.shop", "1.0.0", targets: ["Money"])
        try fixture.package("com.example.app.shop", "1.1.0", targets: ["Money", "Price"])
        try fixture.package("com.example.app.bank", "1.0.0", targets: ["Money"])
        try fixture.run("publish", fixture.path("packages"))
        return fixture
    }

    @Test("A revoked version is no longer offered, and is listed with its content and the reason")
    func revoked() async throws {
        let reader = try CatalogReader(of: fixture)
        #expect(try await reader.providers(.target("Price")) == ["com.example.app.shop"])
        let reply = try fixture.run("revoke", "com.example.app.shop@1.1.0", "--reason", "It loses orders.")
        #expect(reply.text == "revoked  com.example.app.shop@1.1.0: It loses orders.\n")
        let versions = try #require(await reader.versions("com.example.app.shop"))
        #expect(versions.offered.map(\.description) == ["1.0.0"])
        #expect(versions.revoked.first?.reason == "It loses orders." && versions.revoked.first?.sealDigest.count == 64)
        #expect(try await reader.find("com.example.app.shop/com.example.app.shop-1.1.0.zip") == nil)
        #expect(try await reader.find("com.example.app.shop/com.example.app.shop-1.1.0.png") == nil)
        // Only needs that no other version of the bundle meets lose it.
        #expect(try await reader.providers(.target("Price")) == [])
        #expect(try await reader.providers(.target("Money")) == ["com.example.app.bank", "com.example.app.shop"])
        let listed = try fixture.report().packages.map { "\($0.identity): \($0.revocation ?? "offered")" }
        #expect(listed.contains("com.example.app.shop@1.1.0: It loses orders."))
    }

    @Test("A revoked version cannot be published again, even with the same content")
    func again() throws {
        try fixture.run("revoke", "com.example.app.shop@1.1.0", "--reason", "No.")
        #expect(try refusal { try fixture.run("publish", fixture.path("packages")) } == "77 versionRevoked")
        let again = ["revoke", "com.example.app.shop@1.1.0", "--reason", "No."]
        #expect(try refusal { try fixture.run(again) } == "77 versionRevoked")
    }

    @Test("An unpublished version is no longer offered, and a bundle without versions is gone")
    func unpublished() async throws {
        let reader = try CatalogReader(of: fixture)
        try fixture.run("unpublish", "com.example.app.bank@1.0.0")
        #expect(try await reader.versions("com.example.app.bank") == nil)
        #expect(try await reader.providers(.target("Money")) == ["com.example.app.shop"])
        let left = try fixture.report().packages.map { "\($0.identity)" }
        #expect(left == ["com.example.app.shop@1.1.0", "com.example.app.shop@1.0.0"])
    }

    @Test("A version that is not offered is unknown", arguments: ["revoke", "unpublish"])
    func unknown(command: String) throws {
        for (version, status) in [
            ("com.example.app.shop@3.0.0", "66"), ("com.example.app.none@1.0.0", "66"),
            ("com.example.app.shop", "64"), ("com.example.app.shop@1", "64"),
        ] {
            #expect(try refusal { try fixture.withdraw(version, by: command) }.hasPrefix(status), "\(version)")
        }
    }

    @Test(
        "A folder without a catalog is not changed",
        arguments: ["revoke", "unpublish", "renew", "rotate-key", "delegate"])
    func noCatalog(command: String) throws {
        let fixture = try CatalogFixture(isNew: true)
        let words =
            switch command {
            case "revoke": ["com.example.app.shop@1.0.0", "--reason", "No."]
            case "unpublish": ["com.example.app.shop@1.0.0"]
            case "rotate-key": ["root"]
            case "delegate": ["com.acme", "--key", try fixture.team("acme")]
            default: [String]()
            }
        #expect(try refusal { try fixture.run([command] + words) } == "66 catalogMissing")
        #expect(try fixture.files().isEmpty)
    }
}
