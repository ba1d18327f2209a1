import BundleTool
import CatalogFormat
import CatalogPublisher
import Console
import FoundationEssentials
import PluginCore
import PluginRuntime
import TUFMetadata
import TUFRepository
import Testing

@Suite("bundletool delegate", .tags(.medium))
struct TeamTests {
    private let fixture: CatalogFixture

    init() throws { fixture = try Self.delegated() }

    private static let acmeMap = "com.acme.app.map/com.acme.app.map-1.0.0.zip"

    /// Creates a catalog in which com.acme has one package, and delegates the prefix with the team's signature.
    static func delegated() throws -> CatalogFixture {
        let fixture = try CatalogFixture()
        try fixture.package("com.example.app.shop", targets: ["Money"])
        try fixture.package("com.acme.app.map", targets: ["Map"])
        try fixture.run("publish", fixture.path("packages"))
        #expect(try fixture.delegate("com.acme", to: "acme").text.hasPrefix("delegated  com.acme to "))
        return fixture
    }

    @Test("gives a prefix to a team, with the packages that are there")
    func delegation() async throws {
        let report = try fixture.report()
        #expect(report.role(of: "com.acme.app.map") == "com.acme")
        #expect(report.role(of: "com.example.app.shop")?.hasPrefix("bin-") == true)
        let reader = try CatalogReader(of: fixture)
        #expect(try await reader.download(Self.acmeMap) != nil)
        #expect(try await reader.versions("com.acme.app.map")?.offered.count == 1)
        #expect(try await reader.providers(.target("Map")) == ["com.acme.app.map"])
    }

    @Test("Only the team's key can publish its packages afterwards")
    func ownKey() async throws {
        let package = try fixture.package("com.acme.app.map", "1.1.0", targets: ["Map"])
        let error = #expect(throws: CommandError.self) { try fixture.run("publish", package) }
        #expect(error?.report.code == "keysMissing" && error?.report.subject == "com.acme")
        // The team has been given the keys that are online.
        try fixture.moveKeys(of: ["root", "targets"], to: "offline")
        for name in try FileManager.default.contentsOfDirectory(atPath: fixture.keys.string) {
            try FileManager.default.copyItem(atPath: fixture.path("keys/\(name)"), toPath: fixture.path("acme/\(name)"))
        }
        try fixture.run("publish", package, keys: "acme")
        #expect(try await CatalogReader(of: fixture).versions("com.acme.app.map")?.offered.count == 2)
    }

    @Test("A team without keys of the catalog exports its packages, and the owner imports them")
    func exchange() async throws {
        let package = try fixture.package("com.acme.app.map", "1.1.0", targets: ["Map", "Street"])
        let before = try fixture.files()
        let file = fixture.path("acme.zip")
        let reply = try fixture.run("publish", package, "--export", file, keys: "acme")
        #expect(reply.text.contains("signed for the role \"com.acme\""))
        #expect(try fixture.files() == before)
        #expect(try fixture.run("publish", "--import", file).text.contains("imported  the role \"com.acme\""))
        let reader = try CatalogReader(of: fixture)
        #expect(try await reader.versions("com.acme.app.map")?.offered.count == 2)
        #expect(try await reader.download("com.acme.app.map/com.acme.app.map-1.1.0.zip") != nil)
        #expect(try await reader.find("com.acme.app.map/com.acme.app.map-1.1.0.png") != nil)
        #expect(try await reader.providers(.target("Street")) == ["com.acme.app.map"])
        // An older export does not fit the catalog anymore.
        #expect(throws: CommandError.self) { try fixture.run("publish", "--import", file) }
    }

    @Test("A team cannot export packages of others")
    func foreignExport() throws {
        for package in [
            try fixture.package("com.example.app.shop", "1.1.0", targets: ["Money"]),
            try fixture.package("com.acmeother.app.map", "1.0.0"),
        ] {
            let words = ["publish", package, "--export", fixture.path("x.zip")]
            #expect(try refusal { try fixture.run(words, keys: "acme") }.hasSuffix(" exportInvalid"))
        }
    }

    /// Publishes metadata that the holder of a team's key and of a server, but of no key of the catalog, has made.
    private static func publish(
        _ fixture: CatalogFixture, _ change: (inout RepositoryEditor) throws -> Void
    ) throws {
        var keys = try fixture.catalogKeys()
        var editor = try RepositoryEditor(folder: fixture.site.string)
        try change(&editor)
        // Snapshot and timestamp stand for what a server that checks nothing would sign for a team.
        let root = editor.root
        let online = root.keys(of: .snapshot).ids + root.keys(of: .timestamp).ids
        try editor.publish(signedBy: try fixture.secretKeys(in: "acme") + keys.keys(online))
    }

    @Test("The stolen key of a team reaches nobody else's bundles, even with those of snapshot and timestamp")
    func stolenKey() async throws {
        let reader = try CatalogReader(of: fixture)
        let shop = "com.example.app.shop/com.example.app.shop-1.0.0.zip"
        let honest = try #require(await reader.find(shop))
        let new = "com.example.app.bank/com.example.app.bank-1.0.0.zip"
        try Self.publish(fixture) { editor in
            for path in [
                shop, new, "com.example.app.shop/versions.json", "com.acmeother.app.map/versions.json",
                "providers/targets/Money.json", "com.acme.app.map/versions.json",
            ] {
                try editor.addTarget(path, bytes: Array("stolen".utf8), custom: nil, role: "com.acme")
            }
        }
        #expect(try await reader.find(shop) == honest)
        #expect(try await reader.find(new) == nil)
        #expect(try await reader.versions("com.example.app.shop")?.offered.count == 1)
        #expect(try await reader.find("com.acmeother.app.map/versions.json") == nil)
        #expect(try await reader.providers(.target("Money")) == ["com.example.app.shop"])
        // It reaches the team's own.
        #expect(try await reader.find("com.acme.app.map/versions.json")?.custom == nil)
    }

    @Test("Nobody but the team reaches its bundles, not even with the keys of all other packages")
    func foreignBin() async throws {
        let reader = try CatalogReader(of: fixture)
        let honest = try #require(await reader.find(Self.acmeMap))
        try fixture.publish { editor in
            let roles = try #require(editor.targets(of: "targets").delegations).roles
            for bin in roles where bin.name.hasPrefix("bin-") {
                for path in [Self.acmeMap, "com.acme.app.new/versions.json"] where try bin.covers(path) {
                    try editor.addTarget(path, bytes: Array("stolen".utf8), custom: nil, role: bin.name)
                }
            }
        }
        #expect(try await reader.find(Self.acmeMap) == honest)
        #expect(try await reader.find("com.acme.app.new/versions.json") == nil)
    }

    @Test("An import that would change others' bundles or lists is refused, and leaves the catalog as it was")
    func foreignImport() throws {
        let before = try fixture.files()
        let signers = try fixture.secretKeys(in: "acme")
        func add(_ name: String) -> (inout RepositoryEditor) throws -> Void {
            { try $0.addTarget(name, bytes: [1], custom: nil, role: "com.acme") }
        }
        let copy = try RepositoryEditor(folder: fixture.site.string)
        for change in [
            add("com.example.app.shop/versions.json"), add("com.acme.app.map/other.txt"),
            add("com.acme.app.map/com.acme.app.map-0.9.0_to_1.0.0.delta"),
            add("com.acme.app.map/com.acme.app.map-2.0.0.zip"),
            { try $0.removeTarget("com.acme.app.map/versions.json", role: "com.acme") },
            { try $0.removeTarget(Self.acmeMap, role: "com.acme") },
            {
                try $0.delegate(
                    to: "other", keys: signers.map(\.publicKey), scope: .paths([PathPattern("com.acme.app.map/*")]),
                    from: "com.acme")
            },
        ] as [(inout RepositoryEditor) throws -> Void] {
            var editor = copy
            try change(&editor)
            let signed = try editor.unsignedTargets(of: "com.acme").signed(by: signers)
            try writeExport(signed.bytes, to: fixture.path("bad.zip"))
            let code = try refusal { try fixture.run("publish", "--import", fixture.path("bad.zip")) }
            #expect(code.hasSuffix(" importInvalid") || code.hasSuffix(" catalogInvalid"), "\(code)")
        }
        #expect(try fixture.files() == before)
    }

    @Test(
        "A longer prefix has precedence over a shorter one, in whichever order they are delegated",
        arguments: [true, false])
    func nested(_ isLongerFirst: Bool) async throws {
        let fixture = try CatalogFixture()
        try fixture.package("com.acme.app.map")
        try fixture.package("com.acme.games.chess")
        try fixture.run("publish", fixture.path("packages"))
        // The secret keys of the teams are in the folder of keys, so no draft is needed.
        let prefixes = isLongerFirst ? ["com.acme.games", "com.acme"] : ["com.acme", "com.acme.games"]
        for prefix in prefixes {
            let key = try fixture.team("keys")
            let named = fixture.path("keys/\(prefix)")
            try FileManager.default.moveItem(atPath: key, toPath: named + ".pub")
            try FileManager.default.moveItem(atPath: fixture.path("keys/keys.key"), toPath: named + ".key")
            try fixture.run("delegate", prefix, "--key", named + ".pub")
        }
        let report = try fixture.report()
        #expect(report.role(of: "com.acme.app.map") == "com.acme")
        #expect(report.role(of: "com.acme.games.chess") == "com.acme.games")
        let reader = try CatalogReader(of: fixture)
        for identifier in ["com.acme.app.map", "com.acme.games.chess"] as [BundleIdentifier] {
            #expect(try await reader.versions(identifier)?.offered.count == 1)
        }
    }

    @Test("Invalid prefixes, and files that contain no key, are refused")
    func invalid() throws {
        let fixture = try CatalogFixture()
        try fixture.published()
        let key = try fixture.team("acme")
        for prefix in ["acme", "com.acme.*", "com.Acme", ""] {
            #expect(throws: (any Error).self) { try fixture.run("delegate", prefix, "--key", key) }
        }
        try fixture.write(Array("no key".utf8), to: "other.pub")
        let words = ["delegate", "com.acme", "--key", fixture.path("other.pub")]
        #expect(try refusal { try fixture.run(words) }.hasSuffix(" keyInvalid"))
    }
}
