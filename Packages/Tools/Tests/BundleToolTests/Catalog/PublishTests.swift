import BundleFormat
import BundleTool
import CatalogFormat
import CatalogPublisher
import Console
import FoundationEssentials
import HostSystem
import PluginCore
import PluginRuntime
import TUFMetadata
import Testing

@Suite("bundletool publish", .tags(.medium))
struct PublishTests {
    private let fixture: CatalogFixture

    init() throws { fixture = try CatalogFixture(isNew: true) }

    @Test("creates a catalog with an encrypted key for each role, from which a host chooses and fetches a package")
    func creation() async throws {
        let package = try fixture.package(routes: ["shop/item/:id", ":tab/x"], targets: ["Money"])
        let reply = try fixture.run("publish", package)
        #expect(reply.status == .done && reply.text.contains("added  com.example.app.shop@1.0.0\n"))
        #expect(reply.text.contains(fixture.site.appending("metadata/1.root.json").string))
        let report = try fixture.report()
        #expect(report.problems.isEmpty && report.roles.filter { $0.name.hasPrefix("bin-") }.count == 16)
        let keys = try FileManager.default.contentsOfDirectory(atPath: fixture.keys.string)
        #expect(keys.count == 5 && Set(report.roles.flatMap(\.keys)).count == 5)
        for name in keys {
            let text = try String(contentsOf: URL(filePath: fixture.keys.appending(name).string), encoding: .utf8)
            #expect(text.contains("ENCRYPTED PRIVATE KEY"))
        }

        let reader = try CatalogReader(of: fixture)
        let versions = try await reader.versions("com.example.app.shop")
        #expect(versions?.offered.map(\.description) == ["1.0.0"])
        let path = CatalogPath.package(try identity("1.0.0"))
        let entry = try await reader.entry(identity("1.0.0"))
        #expect(entry.texts["de"]?.name == "Muster" && entry.platforms.count == 1)
        let downloaded = try #require(await reader.download(path))
        try entry.requireSame(as: PackageFile(path: downloaded))
        let icon = try #require(entry.icon)
        #expect(try await reader.find(icon)?.length == 1)
        for need in [CatalogNeed.route(firstSegment: "shop"), .route(firstSegment: ""), .target("Money")] {
            #expect(try await reader.providers(need) == ["com.example.app.shop"], "\(need)")
        }
        #expect(try await reader.providers(.target("Other")) == [])
        // The content of a list is its custom data, for a web page or another program.
        let list = try #require(await reader.download(CatalogPath.versions(of: "com.example.app.shop")))
        let content = versions.map { JSONValue.object($0.custom).text }
        #expect(Array(try Data(contentsOf: URL(filePath: list.string))) == content)
    }

    @Test("adds versions to the catalog, newest first, and changes nothing if there is nothing new")
    func update() async throws {
        let fixture = try CatalogFixture()
        try fixture.published()
        let reader = try CatalogReader(of: fixture)
        #expect(try await reader.versions("com.example.app.shop")?.offered.count == 1)
        try fixture.package("com.example.app.shop", "1.10.0")
        try fixture.package("com.example.app.shop", "1.9.0")
        try fixture.package("com.example.app.account", "1.0.0", targets: ["Account"])
        let reply = try fixture.run("publish", fixture.path("packages"), "--json")
        #expect(reply.text.contains("\"unchanged\"") && reply.text.contains("\"added\""))
        let versions = try await reader.versions("com.example.app.shop")
        #expect(versions?.offered.map(\.description) == ["1.10.0", "1.9.0", "1.0.0"])
        let before = try fixture.files()
        #expect(try fixture.run("publish", fixture.path("packages")).text.hasSuffix("nothing has changed\n"))
        #expect(try fixture.files() == before)
    }

    @Test("refuses a version that is published with other content, and leaves the catalog as it was")
    func sameVersion() throws {
        let fixture = try CatalogFixture()
        try fixture.published()
        let before = try fixture.files()
        let package = try fixture.package(content: "other")
        let other = try fixture.package("com.example.app.account")
        #expect(try refusal { try fixture.run("publish", other, package) } == "77 versionReused")
        #expect(try fixture.files() == before)
    }

    @Test("refuses a package that no host would accept")
    func invalidPackage() throws {
        let path = try fixture.package()
        var bytes = Array(try Data(contentsOf: URL(filePath: path)))
        // The content of the library is stored before the directory of the archive.
        let index = try #require(bytes.firstRange(of: Array("library".utf8))).lowerBound
        bytes[index] ^= 1
        try Data(bytes).write(to: URL(filePath: path))
        let error = #expect(throws: AtriumError.self) { try fixture.run("publish", path) }
        #expect([AtriumError.Code.packageInvalid, .sealBroken].contains(error?.code))
        try Data("no zip".utf8).write(to: URL(filePath: path))
        #expect(throws: AtriumError.self) { try fixture.run("publish", path) }
        #expect(throws: CommandError.self) { try fixture.run("publish", fixture.path("missing.zip")) }
        // A mistake leaves no keys behind.
        #expect(!FileManager.default.fileExists(atPath: fixture.keys.string))
    }

    @Test("changes the channel and the share of a version without its package")
    func channels() async throws {
        let fixture = try CatalogFixture()
        let package = try fixture.package()
        try fixture.run("publish", package, "--channel", "beta", "--rollout", "10")
        let reader = try CatalogReader(of: fixture)
        var found = try await reader.entry(identity("1.0.0"))
        #expect(found.channel == "beta" && found.rollout == 10)
        #expect(try fixture.run("publish", package, "--rollout", "50").text.hasPrefix("updated"))
        found = try await reader.entry(identity("1.0.0"))
        #expect(found.channel == "stable" && found.rollout == 50)
        for words in [["--channel", "Beta"], ["--rollout", "101"], ["--bins", "3"], ["--bins", "8192"]] {
            #expect(throws: UsageError.self) { try fixture.run(["publish", package] + words) }
        }
    }

    @Test("divides packages into the requested number of bins, which can be raised", arguments: [1, 4])
    func bins(_ first: Int) async throws {
        let identifiers = (0..<12).compactMap { BundleIdentifier("com.example.app.sample\($0)") }
        for identifier in identifiers { try fixture.package(identifier, targets: ["Common"]) }
        try fixture.run("publish", fixture.path("packages"), "--bins", "\(first)")
        let reader = try CatalogReader(of: fixture)
        for count in [first, 32, 64] {
            if count > first { try fixture.run("publish", "--bins", "\(count)") }
            #expect(try fixture.report().packages.count == 12)
            for identifier in identifiers {
                #expect(try await reader.versions(identifier)?.offered.count == 1, "\(identifier) in \(count)")
            }
            #expect(try await reader.providers(.target("Common")).count == 12)
        }
        #expect(try refusal { try fixture.run("publish", "--bins", "16") }.hasPrefix("64 "))
        // Packages can be added afterwards.
        try fixture.package("com.example.app.late")
        try fixture.run("publish", fixture.path("packages"))
        #expect(try await reader.versions("com.example.app.late") != nil)
    }

    @Test("needs the password and the keys of the roles that change, and no others")
    func neededKeys() throws {
        try fixture.published()
        try fixture.moveKeys(of: ["root", "targets"], to: "offline")
        let package = try fixture.package("com.example.app.account")
        try fixture.write(Array("wrong".utf8), to: "wrong")
        let keys = ["publish", package, "--to", fixture.site.string, "--keys", fixture.keys.string]
        #expect(
            try refusal { try bundletool(keys + ["--password-file", fixture.path("wrong")]) } == "77 passwordWrong")
        #expect(try fixture.run("publish", package).status == .done)
        try fixture.moveKeys(of: ["snapshot"], to: "offline")
        let before = try fixture.files()
        let other = try fixture.package("com.example.app.other")
        let error = #expect(throws: CommandError.self) { try fixture.run("publish", other) }
        #expect(error?.report.code == "keysMissing" && error?.report.subject == "snapshot")
        #expect(try fixture.files() == before)
    }

    @Test("asks for the password of new keys twice if no file has it, and reports that there is no terminal")
    func withoutPassword() throws {
        let package = try fixture.package()
        try fixture.write([], to: "empty")
        let keys = ["publish", package, "--to", fixture.site.string, "--keys", fixture.keys.string]
        #expect(throws: CommandError.self) { try bundletool(keys + ["--password-file", fixture.path("empty")]) }
        #expect(throws: UsageError.self) { try fixture.run("publish") }
    }
}
