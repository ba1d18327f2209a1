import Authoring
import BundleFormat
import Trust
import FoundationEssentials
import PluginCore
import PluginTestKit
import Signing
import Testing

@Suite("Changed signed packages", .tags(.medium))
struct SealedEditorTests {
    private let identity: SigningIdentity
    private let catalog: ThrowawayCatalog
    private let package: FilePath

    init() throws {
        identity = try SigningIdentity()
        catalog = try ThrowawayCatalog(signedBy: identity)
        package = catalog.folder.appending("com.example.assets.theme-1.0.0.zip")
        var writer = PackageWriter()
        let manifest = """
            {"formatVersion": 1, "identifier": "com.example.assets.theme", "version": "1.0.0", "name": "Theme", "kind": "assets"}
            """
        try writer.add(Array(manifest.utf8), as: "manifest.json")
        try writer.add(Array("{}".utf8), as: "Resources/a.json")
        let bundle = try #require(PackageFile.identity(named: package.lastComponent))
        try writer.write(to: package, of: bundle, sealedBy: identity.sealer())
    }

    private func findings(_ package: FilePath) -> [String] {
        let report = SealReport(of: package, by: .key(identity.key.publicKey))
        return report.findings.map { "\($0.code): \($0.path ?? "-")" }
    }

    @Test("An unchanged package is identical to the original, and a changed one is signed again")
    func resealed() throws {
        let before = try Data(contentsOf: URL(filePath: package.string))
        #expect(try Data(contentsOf: URL(filePath: catalog.pack(from: package) { _ in }.string)) == before)
        let changed = try catalog.pack(from: package) { package in
            try package.rename(version: "1.1.0")
            package.set("Resources/b.json", to: "{}")
            try package.remove("Resources/a.json")
        }
        #expect(findings(changed) == [])
    }

    typealias Fault = (name: String, findings: [String], plant: @Sendable (inout PackageEditor) throws -> Void)

    static let faults: [Fault] = [
        (
            "tampered", ["sealBroken: Resources/a.json"],
            { try $0.edit("Resources/a.json") { $0[0] = UInt8(ascii: "[") } }
        ),
        ("missing", ["sealBroken: Resources/a.json"], { try $0.remove("Resources/a.json") }),
        ("extra", ["sealBroken: Resources/b.json"], { $0.set("Resources/b.json", to: "{}") }),
        ("longer", ["sealBroken: Resources/a.json"], { try $0.edit("Resources/a.json") { $0.append(10) } }),
        ("another manifest", ["sealBroken: manifest.json"], { try $0.rename(version: "1.0.1") }),
        ("unsigned", ["unsigned: -"], { $0.removeSeal() }),
        ("another key", ["teamUnknown: -"], { try $0.sign(by: SigningIdentity()) }),
        (
            "a signature moved over", ["signatureInvalid: -"],
            { package in
                var other = package
                other.set("Resources/b.json", to: "{}")
                let signer = try #require(SealedEditorTests.current)
                try other.sign(by: signer)
                package.set(Seal.signatureName, to: try other.bytes(of: Seal.signatureName))
            }
        ),
    ]

    /// The identity that signs in the current test.
    @TaskLocal static var current: SigningIdentity?

    @Test("A changed package has exactly the planted defect", arguments: faults.indices)
    func fault(index: Int) throws {
        let fault = Self.faults[index]
        try Self.$current.withValue(identity) {
            let changed = try catalog.pack(from: package) { package in
                package.keepSeal()
                try fault.plant(&package)
            }
            #expect(findings(changed) == fault.findings, "\(fault.name)")
        }
    }

    @Test("A sandbox trusts a package after it was told to trust its team")
    func trusted() throws {
        let sandbox = try ThrowawaySandbox()
        try sandbox.trust(identity)
        try sandbox.trust(SigningIdentity(team: "com.rival"), prefixes: ["com.rival"])
        let store = try TrustFile(shipped: nil, sandbox: sandbox.sandbox).read()
        #expect(store.teams.map(\.identifier) == ["com.example", "com.rival"])
        try SealedPackage(opening: package).verify(by: .trust(store, .install, at: 0))
    }

    @Test("An unsigned package remains unsigned, and without a signer a seal is not changed")
    func unsigned() throws {
        let unsigned = try catalog.pack(from: package) { package in
            package.name = "unsigned.zip"
            package.removeSeal()
        }
        let changed = try catalog.pack(from: unsigned) { $0.set("Resources/b.json", to: "{}") }
        #expect(findings(changed) == ["unsigned: -"])
        let nobody = try ThrowawayCatalog(signedBy: nil)
        let broken = try nobody.pack(from: package) { $0.set("Resources/b.json", to: "{}") }
        #expect(findings(broken) == ["sealBroken: Resources/b.json"])
    }
}
