import Authoring
import PluginCore
import Signing
import Testing
import Zip
import ZipWriting
@testable import BundleFormat
@testable import Trust

@Suite("Signing packages", .tags(.large))
struct SealerTests {
    @TemporaryFolder private var folder
    private let fixture: SealedFixture

    init() throws { fixture = try SealedFixture() }

    private func package(of fixture: SealedFixture, in folder: FilePath, signing: Bool = true) throws -> FilePath {
        var writer = PackageWriter()
        for (name, bytes) in fixture.sealed { try writer.add(bytes, as: name) }
        let path = folder.appending("package.zip")
        try writer.write(to: path, of: try fixture.identity, sealedBy: signing ? fixture.sealer : nil)
        return path
    }

    @Test("Signing gives the same bytes for the same key and time, in place, elsewhere or while the package is written")
    func afterwards() throws {
        let other = try SealedFixture()
        let wanted = try package(of: fixture, in: folder).bytes
        let path = try package(of: fixture, in: folder, signing: false)
        let unsigned = try path.bytes
        #expect(throws: AtriumError.self) { try SealedPackage(opening: path) }
        try fixture.sealer.sign(
            package: path, to: folder.appending("signed.zip"), checking: AppGroupOwnership.requireOwn)
        #expect(try path.bytes == unsigned)
        #expect(try folder.appending("signed.zip").bytes == wanted)
        try other.sealer.sign(package: path, checking: AppGroupOwnership.requireOwn)
        #expect(try path.bytes != wanted)
        try fixture.sealer.sign(package: path, checking: AppGroupOwnership.requireOwn)
        #expect(try path.bytes == wanted)
        #expect(try folder.names == ["package.zip", "signed.zip"])
    }

    @Test("Signing preserves executable permissions and drops empty folders")
    func modes() throws {
        var writer = ZipWriter()
        try writer.add(fixture.manifest, as: "manifest.json")
        try writer.add([1], as: "Resources/run", executable: true)
        try writer.add(emptyFolder: "Resources/none/")
        let path = folder.appending("package.zip")
        try writer.write(to: path.string)
        try fixture.sealer.sign(package: path, checking: AppGroupOwnership.requireOwn)
        let archive = try ZipArchive(path: path.string)
        #expect(archive.entry(named: "Resources/run")?.isExecutable == true)
        #expect(archive.entries.allSatisfy { !$0.isDirectory })
        _ = try SealedPackage(opening: path)
    }

    @Test("Signing without a manifest or with an invalid team name fails and changes nothing")
    func refusals() throws {
        var fixture = fixture
        fixture.team = "Me & co."
        let path = try package(of: fixture, in: folder, signing: false)
        let before = try Tree(folder)
        try failing(.sealBroken) { try fixture.sealer.sign(package: path, checking: AppGroupOwnership.requireOwn) }
        #expect(try Tree(folder) == before)
        var writer = ZipWriter()
        try writer.add([1], as: "a")
        try writer.write(to: folder.appending("a.zip").string)
        try failing(.packageInvalid) {
            try fixture.sealer.sign(package: folder.appending("a.zip"), checking: AppGroupOwnership.requireOwn)
        }
        #expect(try folder.names == ["a.zip", "package.zip"])
    }

    @Test("A package above the hosts' limits isn't written, and the existing one stays", arguments: [true, false])
    func refusedByHosts(signing: Bool) throws {
        let path = try package(of: fixture, in: folder)
        let before = try Tree(folder)
        var writer = PackageWriter()
        try writer.add(fixture.manifest, as: "manifest.json")
        for number in 0..<SealedPackage.entryLimit { try writer.add([], as: "Resources/\(number)") }
        let error = try failing(.packageInvalid, of: "package.zip") {
            try writer.write(to: path, of: fixture.identity, sealedBy: signing ? fixture.sealer : nil)
        }
        #expect(error.reason?.description.contains("entries, \(SealedPackage.entryLimit) allowed") == true)
        #expect(try Tree(folder) == before)
    }

    @Test("The existing package stays if a file changes between sealing and writing")
    func changedMeanwhile() throws {
        let path = try package(of: fixture, in: folder)
        let file = folder.appending("file")
        try file.write([1, 2, 3])
        var writer = PackageWriter()
        try writer.add(fixture.manifest, as: "manifest.json")
        try writer.add(file: file, as: "Resources/file")
        try file.write([1, 2, 4])
        let before = try Tree(folder)
        try failing(.sealBroken, of: "package.zip") {
            try writer.write(to: path, of: fixture.identity, sealedBy: fixture.sealer)
        }
        #expect(try Tree(folder) == before)
    }

    @Test("Seals and minisign verify each other's signatures")
    func minisign() throws {
        var fixture = fixture
        let path = try package(of: fixture, in: folder)
        try run("unzip", "-q", path.string, "-d", folder.appending("out").string)
        let seal = folder.appending("out/signature/seal.json").string
        try run("minisign", "-V", "-q", "-P", fixture.key.publicKey.base64, "-m", seal)

        let keys = ["-p", folder.appending("key.pub").string, "-s", folder.appending("key").string]
        try run(["minisign", "-G", "-W", "-f"] + keys)
        try folder.appending("seal.json").write(fixture.signed().seal)
        try run(["minisign", "-S", "-m", folder.appending("seal.json").string] + keys.suffix(2))
        fixture.signature = try folder.appending("seal.json.minisig").bytes
        let signed = try SealedPackage(opening: fixture.write(to: folder))
        try signed.verify(by: .key(VerifyingKey(folder.appending("key.pub").text)))
    }
}
