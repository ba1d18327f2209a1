import PluginCore
import PluginTestKit
import Testing

@Suite("Invalid manifests in the catalog", .tags(.large))
struct ManifestTests {
    private static let broken = """
        {
          "formatVersion": 1, "identifier": "Shop", "version": "1.x", "name": "", "kind": "ap", "entry": "../x.so",
          "coreABI": -1, "rotes": [],
          "requires": [{"bundle": "a b", "versions": "^x"}],
          "routes": [{"pattern": "**/a", "page": "home"}, {"pattern": "b"}]
        }
        """

    static let remedy = "the plugin's author must correct manifest.json and run \"bundletool pack\" again"

    static let ten = Refusal(
        status: 65, code: "manifestInvalid", subject: "com.example.app.shop-1.1.0.zip",
        message: "the manifest of \"com.example.app.shop-1.1.0.zip\" is not valid", remedy: remedy,
        details: [
            "rotes: no such field; did you mean \"routes\"?",
            "identifier: \"Shop\" is not a reverse-domain name such as com.example.app.shop",
            "version: \"1.x\" is not a version such as 1.2.3",
            "kind: unknown value \"ap\"; expected one of app, lib, assets",
            "name: it is empty",
            "coreABI: -1 is not an ABI version",
            "entry: \"../x.so\" is not a file name such as libShop.so",
            "requires[0].bundle: \"a b\" is not a reverse-domain name",
            "requires[0].versions: \"^x\" is not a version range such as ^1.2.0",
            "routes[0].pattern: \"**/a\": \"**\" is not last",
            "routes[1]: expected exactly one of page, handler and object",
        ])

    @Test("All problems of a manifest are listed at once", arguments: Scene.Start.allCases)
    func broken(start: Scene.Start) async throws {
        let scene = try await Scene(start)
        try scene.change(Scene.shop, "1.1.0") { $0.set("manifest.json", to: Self.broken) }
        try await scene.refuses("install", "\(Scene.shop)@1.1.0", with: Self.ten)
    }

    @Test("An invalid manifest prevents the update to its version, but no other update")
    func update() async throws {
        let scene = try await Scene(installed: "\(Scene.shop)@1.0.0", Scene.account)
        try scene.change(Scene.shop, "1.1.0") { $0.set("manifest.json", to: Self.broken) }
        try scene.change(Scene.account) { try $0.rename(version: "1.0.1") }
        try await scene.refuses("update", Scene.shop, with: Self.ten)
        let all = try await scene.does("update")
        #expect(
            all.stdout == """
                Updated com.example.app.account from 1.0.0 to 1.0.1.
                com.example.app.shop@1.0.0 stays; the package of 1.1.0 is not usable.

                """)
        #expect(all.stderr.contains("1.1.0 is skipped: manifestInvalid"))
    }

    @Test("An invalid manifest does not hide other packages of the catalog")
    func listing() async throws {
        let scene = try Scene()
        try scene.change(Scene.shop, "1.1.0") { $0.set("manifest.json", to: Self.broken) }
        let person = try await scene.does("catalog")
        #expect(person.stderr == Self.ten.text(in: scene))
        #expect(person.stdout.contains("com.example.app.account"))
        #expect(person.lines.filter { $0.contains(Scene.shop) }.map { $0.contains("1.1.0") } == [false])

        struct Listing: Decodable {
            struct Package: Decodable {
                let identifier: String
                let version: String
            }
            let packages: [Package]
            let problems: [[String: Refusal.Told]]
        }
        let listing = try await scene.does("catalog", "--json").json(as: Listing.self)
        let shops = listing.packages.filter { $0.identifier == Scene.shop }
        #expect(shops.map(\.version) == ["1.0.0"] && listing.packages.count == 9)
        #expect(listing.problems == [["error": Self.ten.told(in: scene)]])
    }
}
