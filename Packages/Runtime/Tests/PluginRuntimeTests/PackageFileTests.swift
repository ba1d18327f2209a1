import Glibc
import PluginCore
@testable import PluginRuntime
import Testing
@testable import Zip
@testable import BundleFormat

@Suite("Package files", .tags(.medium))
struct PackageFileTests {
    private let temporary = TemporaryFolder()
    private var folder: FilePath { temporary.path }

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

    @Test(
        "A package that cannot be opened or read is not called unsound",
        arguments: [EIO, ENOMEM, EMFILE, ENFILE, EACCES, EPERM])
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

    @Test("A package that exceeds the limits isn't read", arguments: [true, false])
    func limits(isOfManyFiles: Bool) throws {
        var writer = ZipWriter()
        try writer.add(Array(SamplePackage().manifest.utf8), as: "manifest.json")
        if isOfManyFiles {
            for number in 0..<SealedPackage.entryLimit { try writer.add([], as: "\(number)") }
        } else {
            try writer.add((0..<(1 << 20)).map { $0.isMultiple(of: 999) ? 1 : 0 }, as: "zeros", method: .deflated)
        }
        let package = PackageFile(path: folder.appending("a.zip"))
        try writer.write(to: package.path.string)
        if !isOfManyFiles { try package.path.write(LimitTests.unlikely("zeros", in: package.path)) }
        for read in [{ _ = try package.manifest() }, { _ = try package.files() }, { _ = try package.sealDigest() }] {
            let error = try failing(.packageInvalid) { try read() }
            #expect(error.reason?.description.contains("allowed") == true, "\(error as Any)")
        }
    }
}
