import Glibc
import PluginCore
import Testing
@testable import BundleFormat
@testable import PluginRuntime
@testable import Registry
@testable import Zip

@Suite("Package files and their limits", .tags(.medium))
struct PackageFileTests {
    @TemporaryFolder private var folder

    @Test(
        "A package's file name states its identifier and version or is invalid",
        arguments: [
            ("com.example.app.shop-1.1.0.zip", "com.example.app.shop@1.1.0"),
            ("com.my-team.my-app-1.0.0-beta.1.zip", "com.my-team.my-app@1.0.0-beta.1"),
            ("com.example.app.shop-1.1.zip", nil), ("shop-1.1.0.zip", nil), ("com.example.app-1.0.0.tar", nil),
            ("Com.Example-1.0.0.zip", nil), (".zip", nil),
        ] as [(String, String?)]
    )
    func identity(name: String, identity: String?) {
        #expect(PackageFile.identity(named: name)?.description == identity)
    }

    @Test("A missing package is reported as missing, and anything else in its place as an invalid package")
    func missing() throws {
        try folder.appending("folder.zip").makeFolder()
        try folder.appending("text").write("no folder")
        for (name, code) in [
            ("none.zip", AtriumError.Code.fileUnknown), ("text/none.zip", .fileUnknown),
            ("folder.zip", .packageInvalid),
        ] {
            let package = PackageFile(path: folder.appending(name))
            try failing(code) { try package.offered() }
        }
    }

    @Test("An unreadable package is not called unsound", arguments: [EIO, ENOMEM, EMFILE, ENFILE, EACCES, EPERM])
    func unreadable(number: Int32) {
        let path: FilePath = "/catalog/com.example.app.shop-1.1.0.zip"
        let error = AtriumError.invalidPackage(path, ZipError(.system, path: path.string, errno: number))
        #expect(error.code == .inputOutput && error.subject == path.string)
    }

    @Test("The digest of a package is the SHA-256 of its file in lowercase hexadecimal")
    func digest() throws {
        let file = folder.appending("com.example.app.shop-1.1.0.zip")
        try file.write("abc")
        // The example of FIPS 180-4.
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(try PackageFile(path: file).digest() == expected)
        let missing = PackageFile(path: folder.appending("none.zip"))
        try failing(.inputOutput) { try missing.digest() }
    }

    /// Installs and reads a package that must be rejected before anything is created.
    private func refuses(
        _ package: SamplePackage, saying words: String, changing change: (FilePath) throws -> Void = { _ in }
    ) async throws {
        let host = TestHost()
        let path = try host.offer(package)[0]
        try change(path)
        let file = PackageFile(path: path)
        for read in [
            { _ = try await host.manager.transactions.install.run(packageAt: path) }, { _ = try file.manifest() },
            { _ = try file.files() }, { _ = try file.sealDigest() },
        ] as [() async throws -> Void] {
            let error = try await host.refusal(.packageInvalid) { try await read() }
            #expect(error.reason?.description.contains(words) == true, "\(error)")
        }
    }

    @Test("A package with too many files is rejected, and one with the maximum is accepted")
    func count() async throws {
        var package = SamplePackage(kind: "assets", library: nil)
        // Folders, the manifest and the seal count too.
        for number in 0..<SealedPackage.entryLimit { package.files["Resources/\(number)"] = "" }
        try await refuses(package, saying: "entries, \(SealedPackage.entryLimit) allowed")
        // These four make room for the manifest, the seal, the signature and the sample's own file.
        for number in 0..<4 { package.files["Resources/\(number)"] = nil }
        let path = try package.write(to: folder)
        #expect(throws: Never.self) { try SealedPackage(opening: path) }
    }

    @Test("A package with an implausible compression ratio is rejected")
    func bomb() async throws {
        var package = SamplePackage(kind: "assets", library: nil, method: .deflated)
        package.files["Resources/zeros"] = String(
            repeating: String(repeating: "\0", count: 1_000) + "1", count: 1 << 14)
        try await refuses(package, saying: "1000 times as many allowed") { path in
            let size = try #require(try ZipArchive(path: path.string).entry(named: "Resources/zeros")).compressedSize
            try path.write(Self.declaring(UInt32(size * 1_020), for: "Resources/zeros", in: path.bytes))
        }
    }

    @Test("A package whose files are too large in total is rejected")
    func total() async throws {
        var package = SamplePackage(kind: "assets", library: nil, method: .deflated)
        let size: UInt32 = 800 << 20
        var random = SystemRandomNumberGenerator()
        // Large enough that no single file has a suspicious compression ratio.
        let noise = String(
            decoding: (0..<(1 << 20)).map { _ in UInt8.random(in: 32...126, using: &random) }, as: UTF8.self)
        for number in 0..<6 { package.files["Resources/large\(number)"] = noise }
        try await refuses(package, saying: "\(SealedPackage.contentLimit) allowed") { path in
            try path.write(Self.declaring(size, for: "Resources/large", in: path.bytes))
        }
    }

    @Test("A package with a path above the limit is rejected, and one with the longest names can be uninstalled again")
    func names() async throws {
        let folders = String(repeating: String(repeating: "d", count: 250) + "/", count: 4)
        let file = "Resources/" + folders + String(repeating: "f", count: 10)
        var package = SamplePackage(
            identifier: try #require(BundleIdentifier("com.example." + String(repeating: "e", count: 116))),
            version: "1.0.0-" + String(repeating: "a", count: 116), kind: "assets", library: nil, files: [file: "x"])
        try #require(file.utf8.count == 1024)
        let host = TestHost()
        try await host.manager.transactions.install.run(packageAt: try #require(host.offer(package).first))
        try await host.manager.uninstall(package.identifier)
        #expect(try host.sandbox.plugins.names.isEmpty)
        package.files = [file + "f": "x"]
        try failing(.sealBroken) { try package.write(to: folder) }
    }

    /// Returns the archive with another uncompressed size for some files, in both of its headers.
    static func declaring(_ size: UInt32, for prefix: String, in archive: [UInt8]) -> [UInt8] {
        var bytes = archive
        let name = Array(prefix.utf8)
        for start in bytes.indices.dropLast(46 + name.count) where bytes[start] == 0x50 && bytes[start + 1] == 0x4B {
            let (nameOffset, sizeOffset) =
                switch (bytes[start + 2], bytes[start + 3]) {
                case (3, 4): (30, 22)
                case (1, 2): (46, 24)
                default: (0, 0)
                }
            guard nameOffset > 0, Array(bytes[(start + nameOffset)...].prefix(name.count)) == name else { continue }
            for byte in 0..<4 { bytes[start + sizeOffset + byte] = UInt8(truncatingIfNeeded: size >> (8 * byte)) }
        }
        return bytes
    }
}
