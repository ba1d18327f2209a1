import Authoring
import Glibc
import PluginCore
import PluginRuntime
import Signing
import Testing
@testable import BundleFormat
@testable import Trust

@Suite("Sealed packages", .tags(.medium))
struct SealedPackageTests {
    private let temporary = TemporaryFolder()
    private var folder: FilePath { temporary.path }

    @Test("An intact package opens, verifies with its key, and extracts exactly the sealed files, which verify alike")
    func whole() throws {
        let fixture = try SealedFixture()
        let package = try SealedPackage(opening: fixture.write(to: folder))
        #expect(package.seal.team == "com.example" && package.seal.signedTime == "2026-11-21T12:00:00Z")
        #expect(package.seal.files.map(\.path) == ["Resources/Pages/help.json", "Resources/big.bin", "manifest.json"])
        #expect(package.keyID == fixture.key.publicKey.id)
        #expect(package.digest == (try SHA256Hasher.digest(of: fixture.signed().seal).hexadecimal))
        #expect(try PackageFile(path: package.path).sealDigest() == package.digest)
        #expect(package.library == nil)
        let (authority, place) = (SignatureVerification.key(fixture.key.publicKey), folder.appending("out"))
        try package.verify(by: authority)
        try package.extract(to: place)
        for (name, bytes) in try fixture.contents() { #expect(try place.appending(name).bytes == bytes, "\(name)") }
        for report in [
            SealReport(of: package.path, by: authority),
            try SealedFolder(place).report(by: authority, expecting: package.digest),
        ] {
            #expect(report.holds && report.refusal(of: "it") == nil, "\(report.findings)")
            #expect(report.identity?.description == "com.example.app.theme@1.0.0")
            #expect(report.seal == package.seal && report.keyID == package.keyID && report.digest == package.digest)
        }
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: AtriumError.Code
        let words: String
        let plant: @Sendable (inout SealedFixture) throws -> Void

        init(
            _ name: String, _ words: String, _ code: AtriumError.Code = .sealBroken,
            _ plant: @escaping @Sendable (inout SealedFixture) throws -> Void
        ) {
            testDescription = name
            self.code = code
            self.words = words
            self.plant = plant
        }
    }

    private static let evil = Array("evil".utf8)

    static let faults = [
        Fault("no seal", "signature/seal.json", .unsigned) { $0.seal = .some(nil) },
        Fault("no signature", "signature/seal.json.minisig", .unsigned) { $0.signature = .some(nil) },
        Fault("unsealed", "at(place: Resources/evil, problem: unsealed)") { $0.changes["Resources/evil"] = evil },
        Fault("an unsealed file behind all others", "at(place: zzz, problem: unsealed)") { $0.changes["zzz"] = evil },
        Fault("beside the seal", "at(place: signature/evil, problem: unsealed)") {
            $0.changes["signature/evil"] = evil
        },
        Fault("a file less", "at(place: Resources/big.bin, problem: sealedFileMissing)") {
            $0.changes["Resources/big.bin"] = .some(nil)
        },
        Fault("a file executable that is not sealed so", "at(place: manifest.json, problem: executable)") {
            $0.changedModes = ["manifest.json"]
        },
        Fault("a file not executable that is sealed so", "at(place: Resources/big.bin, problem: notExecutable)") {
            $0.executable = ["Resources/big.bin"]
            $0.changedModes = ["Resources/big.bin"]
        },
        Fault("a signature that is executable", "at(place: signature/seal.json.minisig, problem: executable)") {
            $0.changedModes = ["signature/seal.json.minisig"]
        },
        Fault("an empty folder", "at(place: lib/evil, problem: unsealedFolder)") { $0.folders = ["lib/evil"] },
        Fault(
            "an empty folder whose last accent hides the slash",
            "at(place: Resources/Pages\u{600}, problem: unsealedFolder)"
        ) { $0.folders = ["Resources/Pages\u{600}"] },
        Fault("a file longer than sealed", "sizeDiffers(sealed: 200000, size: 200001)") {
            $0.changes["Resources/big.bin"] = ($0.files["Resources/big.bin"] ?? []) + [0]
        },
        Fault("another content of the same size", "at(place: Resources/big.bin, problem: contentDiffers)") {
            $0.changes["Resources/big.bin"] = [UInt8](repeating: 7, count: 200_000)
        },
        Fault("another manifest of the same size", "at(place: manifest.json, problem: contentDiffers)") {
            $0.changes["manifest.json"] = $0.manifest.reversed()
        },
        Fault("the manifest of another bundle", "manifest.json") {
            var other = $0
            other.identifier = "com.example.app.other"
            $0.changes["manifest.json"] = other.manifest
        },
        Fault("a signature of another bundle", "contentNotSigned", .signatureInvalid) {
            var other = $0
            other.identifier = "com.example.app.other"
            $0.signature = try other.signed().signature
        },
        Fault("seal and signature of another bundle", "manifest.json") {
            var other = $0
            other.identifier = "com.example.app.other-one"
            ($0.seal, $0.signature) = try other.signed()
        },
        Fault("a signature by another key", "signedWithOtherKey", .teamUnknown) {
            var other = $0
            other.key = try .generate()
            $0.signature = try other.signed().signature
        },
        Fault("another team in the seal", "contentNotSigned", .signatureInvalid) {
            var other = $0
            other.team = "com.rival"
            $0.seal = try other.signed().seal
        },
        Fault("another time in the seal", "contentNotSigned", .signatureInvalid) {
            let text = String(decoding: try $0.signed().seal, as: UTF8.self)
            $0.seal = Array(text.split(separator: "2026-11").joined(separator: "2036-11").utf8)
        },
        Fault("a signature that is none", "signatureUnreadable(", .signatureInvalid) { $0.signature = evil },
        Fault("a signature with a byte that is no text", "notUTF8", .signatureInvalid) {
            let text = try $0.key.sign($0.signed().seal, trustedComment: "a\u{FFFD}z").text
            // A reader that repairs the invalid byte would get the signed text.
            let parts = text.split(separator: "\u{FFFD}").map { Array($0.utf8) }
            $0.signature = Array(parts.joined(separator: [0xFF]))
        },
        Fault("a seal that is none", "line 1, column 1: expected a value") { $0.seal = evil },
        Fault("a seal written in another way", "sealNotCanonical") { $0.seal = try $0.signed().seal + [10] },
    ]

    @Test(
        "A package with one fault is rejected with the reason and leaves nothing on the disk, and verification finds it",
        arguments: faults)
    func fault(_ fault: Fault) throws {
        var fixture = try SealedFixture()
        try fault.plant(&fixture)
        let (path, authority) = (try fixture.write(to: folder), SignatureVerification.key(fixture.key.publicKey))
        let before = try Tree(folder)
        let error = try failing(fault.code) {
            let package = try SealedPackage(opening: path)
            try package.verify(by: authority)
            try package.extract(to: folder.appending("out"))
        }
        #expect("\(error)".contains(fault.words), "\(error)")
        #expect(try Tree(folder) == before)
        let unpacked = try SealedFolder(fixture.install(in: folder)).report(by: authority)
        for report in [SealReport(of: path, by: authority), unpacked] {
            #expect(report.findings.first?.code == fault.code && report.refusal(of: "it")?.code == fault.code)
            #expect(report.findings.contains { $0.problem.description.contains(fault.words) }, "\(report.findings)")
        }
    }

    @Test(
        "A package with an unexpected top-level item is rejected by every reader, and the error names the package",
        arguments: ["README.md", "resources/x"])
    func topLevel(stranger: String) throws {
        var fixture = try SealedFixture()
        fixture.files = [stranger: Self.evil]
        let path = folder.appending("top.zip")
        try path.write(fixture.write(to: folder).bytes)
        let before = try Tree(folder)
        let (package, authority) = (PackageFile(path: path), SignatureVerification.key(fixture.key.publicKey))
        let name = stranger.prefix { $0 != "/" }
        let detail =
            "itemNotAllowed(allowed: [Resources, lib, manifest.json, signature], item: \(name))"
        for open in [
            { _ = try SealedPackage(opening: path) }, { _ = try package.manifest() },
            { try fixture.sealer.sign(package: path, checking: AppGroupOwnership.requireOwn) },
        ] { try failing(.packageInvalid, because: detail, of: "top.zip") { try open() } }
        let findings = SealReport(of: path, by: authority).findings
        #expect(findings.map(\.code) == [.packageInvalid] && findings.map(\.reason.description) == [detail])
        #expect(try Tree(folder) == before)
        let unpacked = try SealedFolder(try fixture.install(in: folder)).report(by: authority).findings
        #expect(unpacked.map(\.code) == [.packageInvalid] && unpacked.map(\.reason.description) == [detail])
    }

    @Test("All differences between a package and its seal are reported at once, also changed contents")
    func everything() throws {
        var fixture = try SealedFixture()
        let other = SignatureVerification.key(try SealedFixture().key.publicKey)
        fixture.changes = [
            "Resources/Pages/help.json": Array(#"{"pages": [] }"#.utf8), "Resources/big.bin": nil, "evil": [1],
        ]
        let path = try fixture.write(to: folder)
        let error = try #require(throws: AtriumError.self) { try SealedPackage(opening: path) }
        #expect(error.problems.count == 3)
        let unpacked = try SealedFolder(fixture.install(in: folder)).report(by: other, expecting: "0000")
        for report in [SealReport(of: path, by: other), unpacked] {
            let findings = report.findings.filter { $0.path != "signature/seal.json" }
            #expect(findings.map(\.code) == [.teamUnknown, .sealBroken, .sealBroken, .sealBroken])
            #expect(findings.map(\.path) == [nil, "Resources/Pages/help.json", "Resources/big.bin", "evil"])
        }
    }

    @Test("Extraction uses the verified package even if another file replaces it")
    func replaced() throws {
        let fixture = try SealedFixture()
        var other = fixture
        other.files["Resources/big.bin"] = [1, 2, 3]
        let package = try SealedPackage(opening: fixture.write(to: folder))
        _ = try other.write(to: folder)
        try package.extract(to: folder.appending("out"))
        #expect(try folder.appending("out/Resources/big.bin").bytes == fixture.files["Resources/big.bin"])
    }

    @Test("Extraction fails and leaves nothing if the package file is overwritten after verification")
    func writtenInto() throws {
        let fixture = try SealedFixture()
        var other = fixture
        other.files["Resources/big.bin"] = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7 ^ 1) }
        let path = try fixture.write(to: folder)
        let package = try SealedPackage(opening: path)
        try folder.appending("other").makeFolder()
        try overwrite(path, with: other.write(to: folder.appending("other")).bytes)
        #expect(throws: AtriumError.self) { try package.extract(to: folder.appending("out")) }
        #expect(!folder.appending("out").exists)
    }

    @Test("Verification reports symbolic links and doesn't follow them")
    func links() throws {
        let fixture = try SealedFixture()
        let place = try fixture.install(in: folder)
        /// Replaces an item by a link to it, so that the target has exactly the sealed content.
        func link(_ name: String, to target: String) throws {
            let (item, aside) = (place.appending(name), folder.appending(target))
            try #require(rename(item.string, aside.string) == 0 && symlink(aside.string, item.string) == 0)
        }
        try link("Resources/big.bin", to: "big")
        try link("Resources/Pages", to: "Pages")
        let findings = try SealedFolder(place).report(by: .key(fixture.key.publicKey)).findings.map(
            \.problem.description)
        #expect(
            findings == [
                "at(place: Resources/Pages, problem: neitherFileNorFolder)",
                "at(place: Resources/Pages/help.json, problem: sealedFileMissing)",
                "at(place: Resources/big.bin, problem: neitherFileNorFolder)",
                "at(place: Resources/big.bin, problem: sealedFileMissing)",
            ])
        try link("signature/seal.json", to: "seal")
        let report = try SealedFolder(place).report(by: .key(fixture.key.publicKey))
        #expect(report.findings.map(\.code) == [.sealBroken])
    }

    @Test("Verification against the installed digest detects that another valid version replaced the folder")
    func exchanged() throws {
        let fixture = try SealedFixture()
        var other = fixture
        other.version = "1.0.1"
        let package = try SealedPackage(opening: fixture.write(to: folder))
        let place = try other.install(in: folder)
        let report = try SealedFolder(place).report(by: .key(fixture.key.publicKey), expecting: package.digest)
        #expect(report.findings.map(\.problem.description) == ["at(place: signature/seal.json, problem: otherSeal)"])
        #expect(try SealedFolder(place).report(by: .key(fixture.key.publicKey)).holds)
    }
}
