import Trust
import PluginCatalog
import PluginCore
import PluginRouter
import PluginRuntime
import Signing
import Testing
import Zip
@testable import BundleFormat
@testable import Registry
@testable import HostSystem

@Suite("Packages without a valid seal", .tags(.medium))
struct UnsealedInstallTests {
    private let host: TestHost

    init() throws { host = try TestHost() }

    typealias Change = @Sendable (inout [String: [UInt8]]) throws -> Void

    private static let library = BundleShape.libraryPath(of: "libSample.so")
    static let changes: [(code: AtriumError.Code, change: Change)] = [
        (.unsigned, { $0[Seal.name] = nil }),
        // Other contents of the same size.
        (.sealBroken, { $0["Resources/Pages/main.json"] = Array("[]".utf8) }),
        (.sealBroken, { $0[library]?.reverse() }),
        (.teamUnknown, { $0[Seal.signatureName] = try otherSignature(of: $0[Seal.name]) }),
    ]

    /// Returns a signature of a seal by a key that nobody trusts.
    private static func otherSignature(of seal: [UInt8]?) throws -> [UInt8] {
        Array(try SigningKey.generate().sign(#require(seal), trustedComment: "").text.utf8)
    }

    @Test(
        "Improperly sealed versions are skipped and reported if no version is requested, and refused if they are",
        arguments: changes.indices)
    func skippedVersions(index: Int) async throws {
        let (code, change) = Self.changes[index]
        try host.offer(SamplePackage(version: "1.0.0"))
        try Self.offer("9.9.9", changed: change, by: host)
        let first = try await host.manager.install(.shop)
        #expect(first.bundle.identity.version == (try host.version("1.0.0")))
        #expect(first.skippedVersions.map(\.error.code) == [code])
        try host.offer(SamplePackage(version: "1.1.0"), SamplePackage(identifier: "com.example.app.other"))
        let reports = try await host.manager.change([.update(.shop), .install("com.example.app.other")])
        #expect(reports.map(\.bundle.identity.version.description) == ["1.1.0", "1.0.0"])
        #expect(reports.map { $0.skippedVersions.map(\.identity.version.description) } == [["9.9.9"], []])
        #expect(host.log.count { $0.hasPrefix("versionSkipped(") && $0.hasSuffix("version: 9.9.9)") } == 2)
        // Updating everything reports the skipped version; updating this bundle alone fails.
        let last = try await host.manager.change([.update(.shop, mayStay: true)])[0]
        #expect(!last.isChange && last.skippedVersions.map(\.error.code) == [code])
        try await host.refusal(code) { try await host.manager.update(.shop) }
        #expect(try await host.manager.install(.shop).isChange == false)
        try await host.refusal(code) { try await host.install(version: "9.9.9") }
    }

    @Test("On-demand installs ignore the declarations of unsigned packages and choose a signed provider")
    func installOnDemand() async throws {
        let (first, able): (BundleIdentifier, BundleIdentifier) = ("com.aaa.x", "com.example.app.zoo")
        let declared = SamplePackage(identifier: able, routes: ["shop/:id"], targets: ["Shop"], services: ["Stock"])
        try host.offer(declared)
        var (stranger, newer) = (declared, declared)
        stranger.identifier = first
        newer.version = "9.9.9"
        newer.routes = []
        for package in [stranger, newer] { try Self.unseal(package.write(to: host.catalog)) { $0[Seal.name] = nil } }
        #expect(try await host.provider(of: "app://shop/1").bundle == able.text)
        #expect(try await host.onDemand.providingBundle(ofTarget: "Shop")?.owner == able.text)
        #expect(try await host.onDemand.providingBundle(ofService: "Stock") == able.text)
    }

    @Test("Installing fails if the package no longer has the manifest that the plan was based on")
    func exchanged() async throws {
        let base: BundleIdentifier = "com.example.app.base"
        let needing = try SamplePackage(requires: [base: "^2.0.0"]).write(to: host.root)
        let manifest = try PackageFile(path: needing).offered()
        let harmless = try PackageFile(path: try host.offer(SamplePackage())[0]).offered()
        // The file changes after its manifest was read.
        try harmless.path.write(manifest.path.bytes)
        try await host.refusal(.requirementUnmet) {
            try await host.manager.change([.install(.shop, host.version("1.0.0"))], offering: [harmless])
        }
    }

    private static func offer(_ version: String, changed change: Change, by host: TestHost) throws {
        try unseal(SamplePackage(version: version).write(to: host.catalog), change)
    }

    /// Changes the files of a sealed package.
    static func unseal(_ package: FilePath, _ change: Change) throws {
        let archive = try ZipArchive(path: package.string)
        var files: [String: [UInt8]] = [:]
        for entry in archive.entries { files[entry.name] = try archive.contents(of: entry.name, limit: .max) }
        try change(&files)
        var writer = ZipWriter()
        for (name, bytes) in files {
            try writer.add(bytes, as: name, executable: archive.entry(named: name)?.isExecutable == true)
        }
        try writer.write(to: package.string)
    }
}
