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
        #expect(
            listing.packages.map { "\($0.identifier)@\($0.version)" } == [
                "com.example.app.account@1.0.0", "com.example.app.notes@1.0.0", "com.example.app.orders@1.0.0",
                "com.example.app.photos@1.0.0", "com.example.app.shop@1.0.0", "com.example.app.stocks@1.0.0",
                "com.example.assets.lantern@1.0.0", "com.example.lib.money@1.1.0", "com.example.lib.money@1.0.0",
            ])
        #expect(listing.problems == [["error": Self.ten.told(in: scene)]])
    }

    @Test(
        "A manifest that is not a JSON object is reported as such",
        arguments: [
            (
                "{\n  \"formatVersion\": 1,\n}",
                "line 3, column 1: no comma is allowed before \"}\""
            ),
            ("", "line 1, column 1: expected a value, found the end of the file"),
            ("[]", "it is not a JSON object; expected an object with \"identifier\", \"version\" and so on"),
        ])
    func noManifest(row: (text: String, finding: String)) async throws {
        let scene = try Scene()
        try scene.change(Scene.account) { $0.set("manifest.json", to: row.text) }
        var refusal = Self.ten
        refusal.subject = "com.example.app.account-1.0.0.zip"
        refusal.message = "the manifest of \"com.example.app.account-1.0.0.zip\" is not valid"
        refusal.details = ["manifest.json: \(row.finding)"]
        try await scene.refuses("install", Scene.account, with: refusal)
    }

    @Test("A package whose manifest does not match its file name is rejected")
    func otherName() async throws {
        let scene = try Scene()
        let shop = scene.catalog.folder.appending("com.example.app.shop-1.0.0.zip")
        try scene.catalog.add(shop, named: "com.example.app.account-7.0.0.zip")
        try await scene.refuses(
            "install", "\(Scene.account)@7.0.0",
            with: Refusal(
                status: 65, code: "packageInvalid", subject: "com.example.app.account-7.0.0.zip",
                message: "\"com.example.app.account-7.0.0.zip\" is not a valid package: "
                    + "its manifest says that it is com.example.app.shop@1.0.0",
                remedy: ArchiveTests.remedy))
    }

    @Test(
        "A package for another Core ABI is rejected with the remedy to rebuild it",
        arguments: [
            (1, "the plugin's author must rebuild it with Core 2.0.0 and this host's compiler"),
            (9, "the host's author must rebuild the host with the newer Core"),
        ])
    func otherCore(row: (abi: Int, act: String)) async throws {
        let scene = try Scene()
        try scene.change(Scene.account) { try $0.setManifest("coreABI", to: "\(row.abi)") }
        try await scene.refuses(
            "install", Scene.account,
            with: Refusal(
                status: 77, code: "libraryIncompatible", subject: "com.example.app.account@1.0.0",
                message: "\"com.example.app.account@1.0.0\" is not compatible with this host",
                remedy: "rebuild the older of the two: plugin and host need the same compiler "
                    + "and the same Core ABI",
                details: [
                    "manifest.json says \"coreABI\": \(row.abi), but this host has Core ABI 2; \(row.act), "
                        + "or the plugin's author must correct manifest.json if it is wrong"
                ]))
    }
}
