import BundleTool
import CatalogFormat
import CatalogPublisher
import Console
import Deltas
import FoundationEssentials
import PluginCore
import Signing
import TUFMetadata
import TUFRepository
import Testing

@Suite("Deltas of a catalog", .tags(.medium))
struct DeltaTests {
    private let fixture: CatalogFixture

    init() throws { fixture = try CatalogFixture() }

    private static let shop: BundleIdentifier = "com.example.app.shop"
    /// Lines that all versions have in common.
    private static let lines = (0..<2000).map { "line \($0 &* 2_654_435_761)\n" }.joined()

    @discardableResult
    private static func package(
        _ version: String, in fixture: CatalogFixture, _ identifier: BundleIdentifier = shop, content: String = lines,
        signedBy key: SigningKey? = nil
    ) throws -> String {
        try fixture.package(identifier, version, content: content + version, signedBy: key)
    }

    private static func path(_ base: String, _ version: String) throws -> String {
        CatalogPath.delta(from: try #require(SemanticVersion(base)), to: try identity(version, of: shop))
    }

    @Test("A new version is published with deltas from the two before it, from which it comes out byte for byte")
    func published() async throws {
        let first = try Self.package("1.0.0", in: fixture)
        try fixture.run("publish", first)
        // Versions of one publication, of which the newest comes first.
        let (newest, middle) = (try Self.package("1.10.0", in: fixture), try Self.package("1.9.0", in: fixture))
        let reply = try fixture.run("publish", newest, middle)
        #expect(reply.text.contains("added  \(Self.shop)@1.10.0, with deltas from 1.9.0 ("), "\(reply.text)")
        let report = try fixture.report()
        #expect(report.problems.isEmpty && report.deltas(to: "1.10.0") == ["1.9.0", "1.0.0"])
        #expect(report.deltas(to: "1.9.0") == ["1.0.0"] && report.deltas(to: "1.0.0").isEmpty)

        let reader = try CatalogReader(of: fixture)
        let whole = try Data(contentsOf: URL(filePath: newest))
        let package = try #require(await reader.find("\(Self.shop)/\(Self.shop)-1.10.0.zip"))
        for (base, file) in [("1.0.0", first), ("1.9.0", middle)] {
            let delta = try #require(await reader.download(Self.path(base, "1.10.0")))
            #expect(try Data(contentsOf: URL(filePath: delta.string)).count * 5 < whole.count)
            let result = fixture.path("result.zip")
            try Delta.apply(
                delta.string, to: .package(file), length: Int64(package.length),
                sha256: try #require(package.hashes.known[.sha256]), at: result)
            #expect(try Data(contentsOf: URL(filePath: result)) == whole)
        }
        let text = try bundletool("catalog", fixture.site.string).text
        #expect(text.contains("DELTAS") && text.contains("1.9.0 ("))
    }

    @Test("--deltas says from how many versions", arguments: [(0, []), (1, ["1.1.0"]), (3, ["1.1.0", "1.0.0"])])
    func count(_ count: Int, bases: [String]) throws {
        for version in ["1.0.0", "1.1.0"] { try fixture.run("publish", Self.package(version, in: fixture)) }
        let package = try Self.package("1.2.0", in: fixture)
        let reply = try fixture.run("publish", package, "--deltas", "\(count)", "--json")
        #expect(try fixture.report().deltas(to: "1.2.0") == bases)
        #expect(reply.text.contains("\"from\"") == !bases.isEmpty)
        #expect(throws: UsageError.self) { try fixture.run("publish", package, "--deltas", "33") }
    }

    @Test("A delta that is longer than half of the package is left out")
    func long() throws {
        try fixture.run("publish", Self.package("1.0.0", in: fixture))
        let other = (0..<2000).map { "\($0 &* 40_503 ^ 77_777_777) is another line\n" }.joined()
        try fixture.run("publish", Self.package("1.1.0", in: fixture, content: other))
        #expect(try fixture.report().deltas(to: "1.1.0").isEmpty)
    }

    @Test("Another channel or rollout keeps the deltas, another signature does not")
    func updated() async throws {
        try fixture.run("publish", Self.package("1.0.0", in: fixture))
        let package = try Self.package("1.1.0", in: fixture)
        try fixture.run("publish", package, "--rollout", "1")
        try fixture.run("publish", package, "--rollout", "10")
        #expect(try fixture.report().deltas(to: "1.1.0") == ["1.0.0"])
        #expect(try fixture.run("publish", package, "--rollout", "10").text.hasSuffix("nothing has changed\n"))
        // The seal is the same, but not the file.
        try fixture.run("publish", Self.package("1.1.0", in: fixture, signedBy: .generate()), "--rollout", "10")
        #expect(try fixture.report().deltas(to: "1.1.0").isEmpty)
        #expect(try await CatalogReader(of: fixture).find(Self.path("1.0.0", "1.1.0")) == nil)
    }

    @Test("The deltas to a withdrawn version are removed, and those from it stay", arguments: ["revoke", "unpublish"])
    func withdrawn(_ command: String) async throws {
        for version in ["1.0.0", "1.1.0", "1.2.0"] { try fixture.run("publish", Self.package(version, in: fixture)) }
        let reader = try CatalogReader(of: fixture)
        #expect(try await reader.find(Self.path("1.0.0", "1.1.0")) != nil)
        try fixture.withdraw("\(Self.shop)@1.1.0", by: command)
        #expect(try await reader.find(Self.path("1.0.0", "1.1.0")) == nil)
        #expect(try await reader.find(Self.path("1.1.0", "1.2.0")) != nil)
        #expect(try fixture.report().deltas(to: "1.2.0") == ["1.1.0", "1.0.0"])
        #expect(try fixture.report().problems.isEmpty)
    }

    @Test("A version whose package is not in this copy of the catalog is skipped with the reason")
    func missingBase() throws {
        try fixture.run("publish", Self.package("1.0.0", in: fixture))
        let folder = fixture.site.appending("targets/\(Self.shop)").string
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".zip") {
            try FileManager.default.removeItem(atPath: folder + "/" + name)
        }
        let reply = try fixture.run("publish", Self.package("1.1.0", in: fixture))
        #expect(reply.text.contains("added  \(Self.shop)@1.1.0\n"))
        #expect(reply.text.contains("no delta from 1.0.0 to \(Self.shop)@1.1.0: file-failed"), "\(reply.text)")
        #expect(try fixture.report().deltas(to: "1.1.0").isEmpty)
    }

    @Test("A catalog whose delta is not the described one has a problem")
    func problem() throws {
        for version in ["1.0.0", "1.1.0"] { try fixture.run("publish", Self.package(version, in: fixture)) }
        try fixture.publish { try $0.addTarget(Self.path("1.0.0", "1.1.0"), bytes: [1]) }
        let problem = "lists a delta from 1.0.0 that the catalog does not have"
        let reply = try bundletool("catalog", fixture.site.string, "--json")
        #expect(reply.status == .refused)
        #expect(try reply.json.problems == ["\"\(Self.shop)/\(Self.shop)-1.1.0.zip\" \(problem)"])
        let deltas = try reply.json["packages.deltas"].elements.flatMap(\.elements)
        #expect(deltas.map(\.from) == ["1.0.0"] && deltas[0].size != .null)
    }

    @Test("A team exports its deltas with its packages")
    func team() async throws {
        let fixture = try TeamTests.delegated()
        let map: BundleIdentifier = "com.acme.app.map"
        for version in ["1.1.0", "1.2.0"] {
            let (package, file) = (try Self.package(version, in: fixture, map), fixture.path("acme.zip"))
            try fixture.run("publish", package, "--export", file, "--allow", "action-removed", keys: "acme")
            try fixture.run("publish", "--import", file)
        }
        let report = try fixture.report()
        #expect(report.deltas(to: "1.2.0") == ["1.1.0"] && report.problems.isEmpty)
        let path = CatalogPath.delta(
            from: SemanticVersion(major: 1, minor: 1, patch: 0), to: try identity("1.2.0", of: map))
        #expect(try await CatalogReader(of: fixture).download(path) != nil)
    }
}
