import Authoring
import Glibc
import PluginCore
import PluginRuntime
import Signing
import Testing
@testable import BundleFormat
@testable import Trust

@Suite("Sealed packages, checked by a key or a trust store", .tags(.medium))
struct SealedPackageTests {
    @TemporaryFolder private var folder

    @Test("An intact package opens, verifies with its key, and extracts exactly the sealed files, which verify alike")
    func whole() throws {
        let package = try SealedPackage(opening: fixture.write(to: folder))
        #expect(package.seal.team == "com.example" && package.seal.signedTime == "2026-11-21T12:00:00Z")
        #expect(package.seal.files.map(\.path) == ["Resources/Pages/help.json", "Resources/big.bin", "manifest.json"])
        #expect(package.keyID == fixture.key.publicKey.id.description)
        #expect(package.digest == (try ContentDigest.of(fixture.signed().seal)))
        #expect(try PackageFile(path: package.path).sealDigest() == package.digest)
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
        var fixture = fixture
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
        var fixture = fixture
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
        var fixture = fixture
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

    @Test("Extraction uses the verified package if another file replaces it, and leaves nothing if it is overwritten")
    func writtenInto() throws {
        var other = fixture
        other.files["Resources/big.bin"] = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7 ^ 1) }
        let replaced = try SealedPackage(opening: fixture.write(to: folder))
        _ = try other.write(to: folder)
        try replaced.extract(to: folder.appending("verified"))
        let extracted = folder.appending("verified/Resources/big.bin")
        #expect(try extracted.bytes == fixture.files["Resources/big.bin"])
        let path = try fixture.write(to: folder)
        let package = try SealedPackage(opening: path)
        try folder.appending("other").makeFolder()
        try overwrite(path, with: other.write(to: folder.appending("other")).bytes)
        #expect(throws: AtriumError.self) { try package.extract(to: folder.appending("out")) }
        #expect(!folder.appending("out").exists)
    }

    @Test("Verification reports symbolic links and doesn't follow them")
    func links() throws {
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
        var other = fixture
        other.version = "1.0.1"
        let package = try SealedPackage(opening: fixture.write(to: folder))
        let place = try other.install(in: folder)
        let report = try SealedFolder(place).report(by: .key(fixture.key.publicKey), expecting: package.digest)
        #expect(report.findings.map(\.problem.description) == ["at(place: signature/seal.json, problem: otherSeal)"])
        #expect(try SealedFolder(place).report(by: .key(fixture.key.publicKey)).holds)
    }

    private static let tool = "Resources/big.bin"

    private func status(_ path: FilePath) throws -> (mode: UInt32, links: Int) {
        var status = stat()
        try #require(lstat(path.string, &status) == 0)
        return (UInt32(status.st_mode & 0o7777), Int(status.st_nlink))
    }

    @Test("Packages from memory and from disk seal executable files alike, and extraction sets modes 0555 and 0444")
    func modes() throws {
        var fixture = fixture
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
        var fixture = fixture
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
        var fixture = fixture
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

    private let fixture: SealedFixture
    private let trusting: TrustStore

    init() throws {
        fixture = try SealedFixture()
        trusting = try TrustStore.empty.adding(
            team: "com.example", name: nil, prefixes: ["com.example"], key: fixture.key.publicKey)
    }

    /// Returns the error code for the package and its unpacked folder, which must agree.
    private func code(
        _ store: TrustStore, _ fixture: SealedFixture? = nil, for purpose: VerificationPurpose = .install
    ) throws -> AtriumError.Code? {
        let fixture = fixture ?? self.fixture
        return try withFolderNow { folder in
            let path = try fixture.write(to: folder)
            let place = try fixture.install(in: folder)
            let authority = SignatureVerification.trust(store, purpose, at: SealedFixture.time)
            let codes = [
                SealReport(of: path, by: authority).findings.map(\.code),
                try SealedFolder(place).report(by: authority).findings.map(\.code),
            ]
            #expect(codes[0] == codes[1] && codes[0].count <= 1)
            do throws(AtriumError) {
                try SealedPackage(opening: path).verify(by: .trust(store, purpose, at: SealedFixture.time))
                #expect(codes[0] == [])
                return nil
            } catch {
                #expect(codes[0] == [error.code])
                return error.code
            }
        }
    }

    @Test("A package is accepted if a key of the team that owns its identifier has signed it, and no other package")
    func unknown() throws {
        #expect(try code(trusting) == nil)
        #expect(try code(trusting, for: .load) == nil)
        #expect(try code(.empty) == .teamUnknown)
        let other = try TrustStore.empty.adding(
            team: "com.example", name: nil, prefixes: ["com.example"], key: SigningKey.generate().publicKey)
        #expect(try code(other) == .teamUnknown)
        var (forged, changed) = (fixture, fixture)
        changed.files = [:]
        forged.signature = try changed.signed().signature
        #expect(try code(trusting, forged) == .signatureInvalid)
    }

    @Test("A package is rejected if another team owns its identifier")
    func foreign() throws {
        let conflictingRoute = try SealedFixture()
        var signed = fixture
        signed.key = conflictingRoute.key
        signed.team = "com.rival"
        let both = try trusting.adding(
            team: "com.rival", name: nil, prefixes: ["com.rival"], key: conflictingRoute.key.publicKey)
        #expect(try code(both, signed) == .teamForeign)
        // Naming the owning team in the seal doesn't help: the key isn't one of its keys.
        signed.team = "com.example"
        #expect(try code(both, signed) == .teamUnknown)
    }

    @Test("A revoked key is rejected for installing and loading, a retired key for installing only")
    func keys() throws {
        let id = fixture.key.publicKey.id
        let revoked = try trusting.revoking(key: id, reason: "lost", at: SealedFixture.time)
        #expect(try code(revoked) == .keyRevoked)
        #expect(try code(revoked, for: .load) == .keyRevoked)
        let next = try SigningKey.generate().publicKey
        let rotated = try trusting.rotating(team: "com.example", to: next, overlap: 0, now: SealedFixture.time)
        #expect(try code(rotated) == .keyRetired)
        #expect(try code(rotated, for: .load) == nil)
    }
}
