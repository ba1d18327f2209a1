import Glibc
import PluginCore
import PluginRuntime
import Signing
import Testing
@testable import BundleFormat
@testable import Trust

@Suite("Seal verification of packages and folders", .tags(.medium))
struct SealReportTests {
    private let temporary = TemporaryFolder()
    private var folder: FilePath { temporary.path }

    @Test("Verification of an intact package and of its unpacked folder succeeds with equal results")
    func whole() throws {
        let fixture = try SealedFixture()
        let path = try fixture.write(to: folder)
        let package = try SealedPackage(opening: path)
        let place = folder.appending("out")
        try package.extract(to: place)
        let reports = [
            SealReport(of: path, by: .key(fixture.key.publicKey)),
            try SealedFolder(place).report(by: .key(fixture.key.publicKey), expecting: package.digest),
        ]
        for report in reports {
            #expect(report.holds, "\(report.findings)")
            #expect(report.refusal(of: "it") == nil)
            #expect(report.identity?.description == "com.example.app.theme@1.0.0")
            #expect(report.seal == package.seal)
            #expect(report.keyID == package.keyID)
            #expect(report.digest == package.digest)
        }
    }

    @Test("Verification finds the same fault in a package and in its folder", arguments: SealedPackageTests.faults)
    func fault(_ fault: SealedPackageTests.Fault) throws {
        var fixture = try SealedFixture()
        try fault.plant(&fixture)
        let path = try fixture.write(to: folder)
        let place = try fixture.install(in: folder)
        for report in [
            SealReport(of: path, by: .key(fixture.key.publicKey)),
            try SealedFolder(place).report(by: .key(fixture.key.publicKey)),
        ] {
            #expect(report.findings.first?.code == fault.code)
            #expect(report.findings.contains { $0.problem.description.contains(fault.words) }, "\(report.findings)")
            #expect(report.refusal(of: "it")?.code == fault.code)
        }
    }

    @Test("Verification reports every fault, including changed contents")
    func all() throws {
        var fixture = try SealedFixture()
        let other = try SealedFixture()
        fixture.changes = [
            "Resources/Pages/help.json": Array(#"{"pages": [] }"#.utf8), "Resources/big.bin": nil, "evil": [1],
        ]
        let path = try fixture.write(to: folder)
        let place = try fixture.install(in: folder)
        for report in [
            SealReport(of: path, by: .key(other.key.publicKey)),
            try SealedFolder(place).report(by: .key(other.key.publicKey), expecting: "0000"),
        ] {
            let findings = report.findings.filter { $0.path != "signature/seal.json" }
            #expect(findings.map(\.code) == [.teamUnknown, .sealBroken, .sealBroken, .sealBroken])
            #expect(findings.map(\.path) == [nil, "Resources/Pages/help.json", "Resources/big.bin", "evil"])
        }
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
