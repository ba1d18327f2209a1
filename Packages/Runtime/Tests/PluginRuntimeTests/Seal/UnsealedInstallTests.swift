import Trust
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

    static let changes: [(name: String, code: AtriumError.Code, change: Change)] = [
        ("no seal", .unsigned, { $0[Seal.name] = nil }),
        ("no signature", .unsigned, { $0[Seal.signatureName] = nil }),
        ("a file that is not sealed", .sealBroken, { $0["Resources/evil"] = [1] }),
        ("a file that is not there", .sealBroken, { $0["Resources/Pages/main.json"] = nil }),
        ("another content of the same size", .sealBroken, { $0["Resources/Pages/main.json"] = Array("[]".utf8) }),
        (
            "another library of the same size", .sealBroken,
            { files in
                let place = "lib/\(Platform.triple)/libSample.so"
                var library = try #require(files[place])
                library[library.count - 1] ^= 1
                files[place] = library
            }
        ),
        (
            "another's signature", .teamUnknown,
            { files in
                let seal = try #require(files[Seal.name])
                files[Seal.signatureName] = Array(try SigningKey.generate().sign(seal, trustedComment: "").text.utf8)
            }
        ),
    ]

    @Test("Installing an improperly sealed version fails and leaves the sandbox unchanged", arguments: changes.indices)
    func install(index: Int) async throws {
        let (_, code, change) = Self.changes[index]
        try await host.install(SamplePackage(version: "1.0.0"))
        try Self.offer("1.1.0", changed: change, by: host)
        try await host.refusal(code) { try await host.install(version: "1.1.0") }
        #expect(try host.versions() == ["1.0.0", nil])
    }

    @Test(
        "Improperly sealed versions are skipped and reported when no version is requested", arguments: changes.indices)
    func skippedVersions(index: Int) async throws {
        let (_, code, change) = Self.changes[index]
        try host.offer(SamplePackage(version: "1.0.0"))
        try Self.offer("9.9.9", changed: change, by: host)
        let first = try await host.manager.install(TestHost.shop)
        #expect(first.bundle.identity.version == (try host.version("1.0.0")))
        #expect(first.skippedVersions.map(\.error.code) == [code])
        try host.offer(SamplePackage(version: "1.1.0"), SamplePackage(identifier: "com.example.app.other"))
        let reports = try await host.manager.change([.update(TestHost.shop), .install("com.example.app.other")])
        #expect(reports.map(\.bundle.identity.version.description) == ["1.1.0", "1.0.0"])
        #expect(reports.map { $0.skippedVersions.map(\.identity.version.description) } == [["9.9.9"], []])
        #expect(host.log.count { $0.hasPrefix("versionSkipped(") && $0.hasSuffix("version: 9.9.9)") } == 2)
        // Updating everything reports the skipped version; updating this bundle alone fails.
        let last = try await host.manager.change([.update(TestHost.shop, mayStay: true)])[0]
        #expect(!last.isChange && last.skippedVersions.map(\.error.code) == [code])
        try await host.refusal(code) { try await host.manager.update(TestHost.shop) }
        #expect(try await host.manager.install(TestHost.shop).isChange == false)
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
        for package in [stranger, newer] {
            try Self.unseal(package.write(to: host.catalog)) { $0[Seal.name] = nil }
        }
        let query = RouteQuery(try ResourceURI("app://shop/1"), as: [.page], for: .host)
        #expect(try await host.manager.onDemand.providingBundle(ofRoute: query) == able.text)
        #expect(try await host.manager.onDemand.providingBundle(ofTarget: "Shop")?.owner == able.text)
        #expect(try await host.manager.onDemand.providingBundle(ofService: "Stock") == able.text)
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
            try await host.manager.change([.install(TestHost.shop, host.version("1.0.0"))], offering: [harmless])
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
