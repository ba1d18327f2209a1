import PluginRuntime
import CatalogFormat
import PluginCore
import Testing

@Suite("Paths of a catalog", .tags(.small))
struct CatalogPathTests {
    private static let identity = BundleIdentity(
        identifier: "com.example.app.shop",
        version: SemanticVersion(major: 1, minor: 1, patch: 0, prerelease: ["beta", "1"]))

    @Test("A package, its icon and the list of versions are in a folder named by the identifier")
    func folder() {
        #expect(CatalogPath.package(Self.identity) == "com.example.app.shop/com.example.app.shop-1.1.0-beta.1.zip")
        #expect(CatalogPath.icon(of: Self.identity) == "com.example.app.shop/com.example.app.shop-1.1.0-beta.1.png")
        #expect(CatalogPath.versions(of: "com.example.app.shop") == "com.example.app.shop/versions.json")
    }

    @Test("The path of a package states its identity, and no other path does")
    func identity() {
        #expect(CatalogPath.identity(ofPackage: CatalogPath.package(Self.identity)) == Self.identity)
        for path in [
            "com.example.app.shop/versions.json", "com.example.app.shop-1.0.0.zip", "",
            "com.example.app.other/com.example.app.shop-1.0.0.zip",
            "a/com.example.app.shop/com.example.app.shop-1.0.0.zip",
            "com.example.app.shop/com.example.app.shop-1.0.zip", "com.example.app.shop/",
        ] {
            #expect(CatalogPath.identity(ofPackage: path) == nil, "\(path)")
        }
    }

    @Test(
        "The providers of a need are in a file whose name is encoded",
        arguments: [
            (.route(firstSegment: "shop"), "providers/routes/shop.json"),
            (.route(firstSegment: ""), "providers/routes/.json"),
            (.route(firstSegment: ".."), "providers/routes/...json"),
            (.route(firstSegment: "a/b é"), "providers/routes/a%2Fb%20%C3%A9.json"),
            (.target("Money"), "providers/targets/Money.json"),
            (.service("PriceList"), "providers/services/PriceList.json"),
        ] as [(CatalogNeed, String)])
    func providers(need: CatalogNeed, path: String) {
        #expect(CatalogPath.providers(of: need) == path)
    }

    @Test("The name of a long need is its digest, which no short need has")
    func longNeed() {
        let path = CatalogPath.providers(of: .route(firstSegment: String(repeating: "a", count: 129)))
        #expect(path == "providers/routes/sha256=c12cb024a2e5551cca0e08fce8f1c5e314555cc3fef6329ee994a3db752166ae.json")
        #expect(CatalogPath.providers(of: .route(firstSegment: "sha256=c1")) == "providers/routes/sha256%3Dc1.json")
        let limit = String(repeating: "a", count: 128)
        #expect(CatalogPath.providers(of: .target(limit)) == "providers/targets/\(limit).json")
    }
}
