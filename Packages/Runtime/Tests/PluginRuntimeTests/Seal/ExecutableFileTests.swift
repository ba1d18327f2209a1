import Trust
import Authoring
import PluginCore
import Signing
import Testing
@testable import BundleFormat

import Glibc

@Suite("Executable files in a sealed package", .tags(.medium))
struct ExecutableFileTests {
    private let temporary = TemporaryFolder()
    private var folder: FilePath { temporary.path }

    private static let tool = "Resources/big.bin"

    private func status(_ path: FilePath) throws -> (mode: UInt32, links: Int) {
        var status = stat()
        try #require(lstat(path.string, &status) == 0)
        return (UInt32(status.st_mode & 0o7777), Int(status.st_nlink))
    }

    @Test("Packages from memory and from disk seal executable files alike, and extraction sets modes 0555 and 0444")
    func modes() throws {
        var fixture = try SealedFixture()
        fixture.executable = [Self.tool]
        let source = folder.appending("source")
        var fromMemory = PackageWriter()
        for (name, bytes) in fixture.sealed {
            try fromMemory.add(bytes, as: name, executable: name == Self.tool)
            try source.appending(name).write(bytes)
            // Only the owner's permissions count, so that no umask is sealed.
            chmod(source.appending(name).string, name == Self.tool ? 0o700 : 0o611)
        }
        var fromDisk = PackageWriter()
        try fromDisk.add(folder: source)
        chmod(source.appending(Self.tool).string, 0o600)
        let paths = [folder.appending("memory.zip"), folder.appending("disk.zip")]
        try fromMemory.write(to: paths[0], of: fixture.identity, sealedBy: fixture.sealer)
        try fromDisk.write(to: paths[1], of: fixture.identity, sealedBy: fixture.sealer)
        #expect(try paths[0].bytes == paths[1].bytes)
        let package = try SealedPackage(opening: paths[0])
        #expect(package.seal.files.filter(\.isExecutable).map(\.path) == [Self.tool])
        let place = folder.appending("out")
        try package.extract(to: place)
        #expect(try status(place.appending(Self.tool)).mode == 0o555)
        #expect(try status(place.appending("manifest.json")).mode == 0o444)
        #expect(try status(place.appending("signature/seal.json")).mode == 0o444)
    }

    @Test("Verification fails if a file's executable permission changed, and tolerates other permission bits")
    func onDisk() throws {
        var fixture = try SealedFixture()
        fixture.executable = [Self.tool]
        let place = folder.appending("out")
        try SealedPackage(opening: fixture.write(to: folder)).extract(to: place)
        for (name, mode, holds) in [
            (Self.tool, 0o755, true), (Self.tool, 0o500, true), (Self.tool, 0o444, false),
            (Self.tool, 0o4555, false),
            (Self.tool, 0o555, true), ("manifest.json", 0o644, true), ("manifest.json", 0o445, false),
            ("manifest.json", 0o2444, false), ("manifest.json", 0o444, true), ("signature/seal.json", 0o555, false),
        ] as [(String, mode_t, Bool)] {
            chmod(place.appending(name).string, mode)
            let report = try SealedFolder(place).report(by: .key(fixture.key.publicKey))
            #expect(report.holds == holds, "\(name) \(mode): \(report.findings)")
            #expect(report.findings.allSatisfy { $0.code == .sealBroken && $0.path == name })
        }
    }

    @Test("An executable file is shared with the previous version only if its seal and its file are executable")
    func sharing() throws {
        var fixture = try SealedFixture()
        fixture.executable = [Self.tool]
        let before = folder.appending("before")
        try SealedPackage(opening: fixture.write(to: folder)).extract(to: before)
        let again = try SealedPackage(opening: fixture.write(to: folder))
        try again.extract(to: folder.appending("same"), sharing: UnchangedFiles(of: before))
        #expect(try status(folder.appending("same/\(Self.tool)")) == (0o555, 2))
        chmod(before.appending(Self.tool).string, 0o444)
        try again.extract(to: folder.appending("tampered"), sharing: UnchangedFiles(of: before))
        #expect(try status(folder.appending("tampered/\(Self.tool)")) == (0o555, 1))
        fixture.executable = []
        let other = try SealedPackage(opening: fixture.write(to: folder))
        try other.extract(to: folder.appending("other"), sharing: UnchangedFiles(of: before))
        #expect(try status(folder.appending("other/\(Self.tool)")) == (0o444, 1))
    }
}
