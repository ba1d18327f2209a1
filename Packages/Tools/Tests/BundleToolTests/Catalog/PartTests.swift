import Authoring
import BundleFormat
import BundleTool
import CatalogFormat
import CatalogPublisher
import Console
import Deltas
import FoundationEssentials
import HostSystem
import PluginCore
import TUFMetadata
import TUFRepository
import Testing
import Zip
import ZipWriting

@Suite("Parts of packages in a catalog", .tags(.medium))
struct PartTests {
    private let fixture: CatalogFixture

    init() throws { fixture = try CatalogFixture() }

    private static let shop: BundleIdentifier = "com.example.app.shop"
    private static let lines = (0..<2000).map { "line \($0 &* 2_654_435_761)\n" }.joined()

    private static func package(
        _ version: String, in fixture: CatalogFixture, _ identifier: BundleIdentifier = shop,
        platforms: [String] = Platform.all
    ) throws -> String {
        try fixture.package(identifier, version, content: lines + version, platforms: platforms)
    }

    private static func entry(_ version: String, _ reader: CatalogReader) async throws -> CatalogEntry {
        try await reader.entry(identity(version, of: shop))
    }
    @Test("A package for several platforms is published with a part for each, which its entry describes")
    func published() async throws {
        let reply = try fixture.run("publish", Self.package("1.0.0", in: fixture))
        let reader = try CatalogReader(of: fixture)
        let entry = try await Self.entry("1.0.0", reader)
        #expect(entry.platforms == Platform.all && entry.parts.map(\.platform) == Platform.all)
        for part in entry.parts {
            #expect(reply.text.contains("  for \(part.platform) ("), "\(reply.text)")
            let path = CatalogPath.part(of: try identity("1.0.0"), for: part.platform)
            let target = try #require(await reader.find(path))
            #expect(target.length == part.length && target.hashes.known[.sha256] == part.sha256)
            let package = try SealedPackage(opening: try #require(await reader.download(path)))
            try package.verifyContents()
            #expect(package.platforms == [part.platform] && package.seal.platforms == Platform.all)
            try entry.requireSame(as: PackageFile(path: package.path))
        }
        #expect(try fixture.report().problems.isEmpty)
        let text = try bundletool("catalog", fixture.site.string).text
        #expect(Platform.all.allSatisfy { text.contains("  \($0) ") }, "\(text)")
        // A package for one platform has no parts.
        try fixture.run("publish", Self.package("1.1.0", in: fixture, platforms: [Platform.triple]))
        #expect(try await Self.entry("1.1.0", reader).parts.isEmpty)
    }

    @Test("Deltas lead to each part from what its hosts have, also from a version for one platform")
    func deltas() async throws {
        let single = try Self.package("1.0.0", in: fixture, platforms: [Platform.triple])
        try fixture.run("publish", single)
        for version in ["1.1.0", "1.2.0"] { try fixture.run("publish", Self.package(version, in: fixture)) }
        let reader = try CatalogReader(of: fixture)
        let (old, new) = (try await Self.entry("1.1.0", reader), try await Self.entry("1.2.0", reader))
        #expect(new.deltas.isEmpty)
        for part in new.parts {
            let bases = part.platform == Platform.triple ? ["1.1.0", "1.0.0"] : ["1.1.0"]
            #expect(part.deltas.map(\.base.description) == bases)
            for delta in part.deltas {
                let published = CatalogPath.part(of: old.manifest.identity, for: part.platform)
                let base =
                    delta.base == old.manifest.identity.version
                    ? try #require(await reader.download(published)) : FilePath(single)
                let path = CatalogPath.delta(from: delta.base, to: new.manifest.identity, for: part.platform)
                let file = try #require(await reader.download(path))
                try Delta.apply(
                    file.string, to: .package(base.string), length: Int64(part.length), sha256: part.sha256,
                    at: fixture.path("result.zip"))
                #expect(delta.length * 5 < part.length)
            }
        }
        #expect(try fixture.report().problems.isEmpty)
    }

    @Test("A part is not published in place of the package")
    func onlyPart() throws {
        let package = FilePath(try Self.package("1.0.0", in: fixture))
        let part = fixture.root.appending("parts").appending(package.lastComponent)
        try fixture.makeFolder(part.parent)
        try SealedPackage(opening: package).writePart(for: Platform.triple, to: part)
        let error = #expect(throws: CommandError.self) { try fixture.run("publish", part.string) }
        #expect(error?.report.code == "packageIncomplete" && error?.exitStatus == .badInput)
        #expect(error?.report.message.contains("only the part for \(Platform.triple)") == true)
    }

    @Test(
        "Another rollout keeps parts and deltas, and a withdrawn version loses them",
        arguments: ["revoke", "unpublish"])
    func changed(_ command: String) async throws {
        try fixture.run("publish", Self.package("1.0.0", in: fixture))
        let package = try Self.package("1.1.0", in: fixture)
        try fixture.run("publish", package)
        let reader = try CatalogReader(of: fixture)
        let before = try await Self.entry("1.1.0", reader)
        try fixture.run("publish", package, "--rollout", "10")
        let after = try await Self.entry("1.1.0", reader)
        #expect(after.parts == before.parts && after.parts.allSatisfy { $0.deltas.count == 1 } && after.rollout == 10)
        #expect(try fixture.run("publish", package, "--rollout", "10").text.hasSuffix("nothing has changed\n"))
        let parts = try Platform.all.map { CatalogPath.part(of: try identity("1.1.0"), for: $0) }
        let paths = parts + after.allDeltas.map(\.path)
        for path in paths { #expect(try await reader.find(path) != nil, "\(path)") }
        try fixture.withdraw("\(Self.shop)@1.1.0", by: command)
        for path in paths { #expect(try await reader.find(path) == nil, "\(path)") }
        #expect(try fixture.report().problems.isEmpty)
    }

    @Test("A catalog whose part is not the described one has a problem")
    func problem() throws {
        try fixture.run("publish", Self.package("1.0.0", in: fixture))
        try fixture.publish {
            try $0.addTarget(CatalogPath.part(of: identity("1.0.0"), for: Platform.triple), bytes: [1])
        }
        let problem = "lists a part for \(Platform.triple) that the catalog does not have"
        #expect(try fixture.report().problems == ["\"\(Self.shop)/\(Self.shop)-1.0.0.zip\" \(problem)"])
    }

    @Test("A team exports parts with its packages, and the owner refuses a part with other content")
    func team() async throws {
        let fixture = try TeamTests.delegated()
        let map: BundleIdentifier = "com.acme.app.map"
        let (package, file) = (try Self.package("2.0.0", in: fixture, map), fixture.path("acme.zip"))
        let copy = fixture.root.appending("copy")
        try FileManager.default.copyItem(atPath: fixture.site.string, toPath: copy.string)
        try fixture.run("publish", package, "--export", file, keys: "acme")
        try fixture.run("publish", "--import", file)
        #expect(try fixture.report().problems.isEmpty)
        let published = try identity("2.0.0", of: map)
        let path = CatalogPath.part(of: published, for: Platform.triple)
        #expect(try await CatalogReader(of: fixture).download(path) != nil)

        // The same export, in which the team's key has signed the part for another platform as this one's.
        let archive = try ZipArchive(path: file)
        let metadata = try SignedMetadata<Targets>(archive.contents(of: "metadata/com.acme.json", limit: 1 << 20))
        let other = try #require(Platform.all.first { $0 != Platform.triple })
        let (name, whole) = (CatalogPath.part(of: published, for: other), CatalogPath.package(published))
        var content = metadata.content
        let (described, target) = (try #require(content[name]), try #require(content[whole]))
        var entry = try CatalogEntry(custom: try #require(target.custom), path: whole)
        entry.parts = entry.parts.map {
            CatalogPart(
                platform: $0.platform, length: described.length,
                sha256: described.hashes.known[.sha256] ?? "", deltas: $0.deltas)
        }
        content[whole] = TargetFile(length: target.length, hashes: target.hashes, custom: entry.custom)
        content[path] = described
        let forged = try SignedMetadata(content).signed(by: fixture.secretKeys(in: "acme"))
        var writer = ZipWriter()
        try writer.add(forged.bytes, as: "metadata/com.acme.json")
        for entry in archive.entries where entry.name.hasPrefix("targets/") {
            let source = entry.name == "targets/\(path)" ? "targets/\(name)" : entry.name
            try writer.add(archive.contents(of: source, limit: 1 << 20), as: entry.name)
        }
        try writer.write(to: fixture.path("forged.zip"))
        let words = ["publish", "--import", fixture.path("forged.zip"), "--to", copy.string] + fixture.signing()
        let error = try #require(throws: CommandError.self) { try bundletool(words) }
        #expect(error.report.message.contains("is not the part of its package for \(Platform.triple)"), "\(error)")
    }
}
