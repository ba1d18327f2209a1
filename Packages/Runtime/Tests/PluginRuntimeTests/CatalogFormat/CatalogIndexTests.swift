import CatalogFormat
import HostSystem
import PluginCore
import PluginRouter
import PluginRuntime
import TUFMetadata
import Testing
@testable import BundleFormat

@Suite("Lists, paths and needs of a catalog", .tags(.small))
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
    }

    @Test(
        "A list of versions that breaks a rule, or has more than the limit, is refused",
        arguments: [
            ("formatVersion", 2), ("identifier", "com.example.app.other"), ("identifier", nil), ("offered", nil),
            ("offered", ["1.0.0", "1.1.0"]), ("offered", ["1.1.0", "1.1.0"]), ("offered", ["1.1"]), ("offered", [1]),
            ("offered", ["1.0.1"]), ("revoked", [1]), ("revoked", ["version": "1.0.0"]),
            ("revoked", [["version": "1.0.1", "seal": "a", "reason": ""]]), ("revoked", nil),
            ("offered", .array((0...CatalogLimits.versions).reversed().map { .string("2.0.\($0)") })),
        ] as [(String, JSONValue?)])
    func invalidVersions(name: String, value: JSONValue?) throws {
        var custom = try Self.versions().custom
        custom[name] = value
        try failing(.catalogInvalid, of: "com.example.app.shop/versions.json") {
            try CatalogVersions(custom: custom, identifier: Self.identifier)
        }
    }

    @Test("A list of providers reads as it was written, sorted and without repetitions")
    func providers() throws {
        let providers = CatalogProviders(bundles: ["com.example.b", "com.example.a", "com.example.b"])
        let read = try CatalogProviders(custom: providers.custom)
        #expect(read.bundles == ["com.example.a", "com.example.b"] && read.custom == providers.custom)
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

    private static let identity = BundleIdentity(
        identifier: "com.example.app.shop",
        version: SemanticVersion(major: 1, minor: 1, patch: 0, prerelease: ["beta", "1"]))

    @Test("A package, its icon and the versions are in a folder named by the identifier, and no other path is one")
    func identity() {
        #expect(CatalogPath.package(Self.identity) == "com.example.app.shop/com.example.app.shop-1.1.0-beta.1.zip")
        #expect(CatalogPath.icon(of: Self.identity) == "com.example.app.shop/com.example.app.shop-1.1.0-beta.1.png")
        #expect(CatalogPath.versions(of: "com.example.app.shop") == "com.example.app.shop/versions.json")
        #expect(CatalogPath.identity(ofPackage: CatalogPath.package(Self.identity)) == Self.identity)
        for path in [
            "com.example.app.shop/versions.json", "com.example.app.shop-1.0.0.zip", "",
            "com.example.app.other/com.example.app.shop-1.0.0.zip",
            "a/com.example.app.shop/com.example.app.shop-1.0.0.zip",
            "com.example.app.shop/com.example.app.shop-1.0.zip", "com.example.app.shop/",
        ] { #expect(CatalogPath.identity(ofPackage: path) == nil, "\(path)") }
    }

    private static let longest = String(repeating: "a", count: 128)
    private static let digest129 = "sha256=c12cb024a2e5551cca0e08fce8f1c5e314555cc3fef6329ee994a3db752166ae"

    @Test(
        "The providers of a need are in a file whose name is encoded, or a digest if it is long, which no short need has",
        arguments: [
            (.route(firstSegment: "shop"), "providers/routes/shop.json"),
            (.route(firstSegment: ""), "providers/routes/.json"),
            (.route(firstSegment: ".."), "providers/routes/...json"),
            (.route(firstSegment: "a/b é"), "providers/routes/a%2Fb%20%C3%A9.json"),
            (.target("Money"), "providers/targets/Money.json"),
            (.service("PriceList"), "providers/services/PriceList.json"),
            (.target(longest), "providers/targets/\(longest).json"),
            (.route(firstSegment: longest + "a"), "providers/routes/\(digest129).json"),
            (.route(firstSegment: "sha256=c1"), "providers/routes/sha256%3Dc1.json"),
        ] as [(CatalogNeed, String)])
    func providersPath(need: CatalogNeed, path: String) {
        #expect(CatalogPath.providers(of: need) == path)
    }

    @Test("A bundle meets the needs for its targets, services and the first segments of all routes, in any case")
    func all() throws {
        var sample = SamplePackage()
        sample.routes = ["Shop/item/:id", "shop", "(/beta)/cart", ":tab/x", "app://help/**", "photo/:id<slug>/:x<int>"]
        sample.targets = ["Money", "Shop"]
        sample.services = ["PriceList"]
        let manifest = try ManifestReader.read(
            Array(sample.manifest.utf8), of: "sample", converters: .standard(registering: ["slug"]))
        let routes: Set<CatalogNeed> = [
            .route(firstSegment: "shop"), .route(firstSegment: "beta"), .route(firstSegment: "cart"),
            .route(firstSegment: ""), .route(firstSegment: "help"), .route(firstSegment: "photo"),
        ]
        #expect(
            CatalogNeed.needs(of: manifest)
                == routes.union([.target("Money"), .target("Shop"), .service("PriceList")]))
        let keys = RoutePattern.firstSegments(matching: try ResourceURI("app://sHOP/item/7"))
        #expect(keys.contains { !$0.isEmpty && routes.contains(.route(firstSegment: $0)) })
    }
}
