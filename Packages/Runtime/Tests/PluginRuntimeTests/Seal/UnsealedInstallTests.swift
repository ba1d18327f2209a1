import Authoring
import Doctor
import Trust
import PluginCatalog
import PluginCore
import PluginRouter
import PluginRuntime
import Signing
import Testing
import Zip
import ZipWriting
@testable import BundleFormat
@testable import HostSystem
@testable import Registry

@Suite("Packages without a valid seal, and for several platforms", .tags(.medium))
struct UnsealedInstallTests {
    private let host = TestHost()

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

    @Test("Improperly sealed versions are skipped and reported, and refused if requested", arguments: changes.indices)
    func skippedVersions(index: Int) async throws {
        let (code, change) = Self.changes[index]
        try host.offer(SamplePackage(version: "1.0.0"))
        try Self.unseal(SamplePackage(version: "9.9.9").write(to: host.catalog), change)
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

    /// Changes the files of a sealed package.
    static func unseal(_ package: FilePath, _ change: Change) throws {
        let archive = try ZipArchive(path: package.string)
        var files = try contents(of: package)
        try change(&files)
        var writer = ZipWriter()
        for (name, bytes) in files {
            try writer.add(bytes, as: name, executable: archive.entry(named: name)?.isExecutable == true)
        }
        try writer.write(to: package.string)
    }

    private static let entries = ["libSample.so", "libSample-send.so"]
    private static let other = Platform.all.first { $0 != Platform.triple } ?? ""

    /// A package with the libraries of a plugin and its extension for this platform and another one.
    private static func sample(_ version: String = "1.0.0") -> SamplePackage {
        var sample = SamplePackage(version: version, extensions: [SampleExtension(name: "send")])
        for entry in entries {
            sample.files[BundleShape.libraryPath(of: entry, for: other)] = "code for another machine in \(entry)"
        }
        return sample
    }

    private static func contents(of package: FilePath) throws -> [String: [UInt8]] {
        let archive = try ZipArchive(path: package.string)
        return try Dictionary(
            uniqueKeysWithValues: archive.entries.map { ($0.name, try archive.contents(of: $0.name, limit: .max)) })
    }

    /// Offers the package, or its part for a platform.
    private static func offer(partFor platform: String? = nil, by host: TestHost) throws -> SealedPackage {
        let whole = try SealedPackage(opening: try sample().write(to: host.root))
        let file = host.catalog.appending(whole.path.lastComponent)
        if let platform {
            try whole.writePart(for: platform, to: file)
        } else {
            try file.write(whole.path.bytes)
        }
        return whole
    }

    @Test("A host stores its own part alone, of a package or a part", arguments: [nil, Platform.triple] as [String?])
    func stored(_ platform: String?) async throws {
        let whole = try Self.offer(partFor: platform, by: host)
        try await host.manager.install(.shop)
        let bundle = try host.bundle()
        let folder = host.sandbox.folder(of: bundle)
        #expect(try folder.appending("lib").names == [Platform.triple])
        #expect(try folder.appending("lib/\(Platform.triple)").names.sorted() == Self.entries.sorted())
        #expect(bundle.digest == whole.digest)
        #expect(bundle.size == (try FileSystem.size(of: folder)))
        #expect(try host.maintenance.verify().map(\.findings.count) == [0])
        // An install of the same package, in either form, changes nothing.
        #expect(try await host.manager.install(.shop).isChange == false)
    }

    @Test("A part has the seal and the files of the package, without other libraries, and always the same bytes")
    func part() throws {
        try withFolderNow { folder in
            let whole = try SealedPackage(opening: try Self.sample().write(to: folder))
            #expect(whole.platforms == Platform.all && whole.seal.platforms == Platform.all)
            for platform in Platform.all {
                let files = ["one.zip", "two.zip"].map { folder.appending($0) }
                for file in files { try whole.writePart(for: platform, to: file) }
                #expect(try files[0].bytes == files[1].bytes)
                let expected = try Self.contents(of: whole.path).filter { name, _ in
                    !name.hasPrefix("lib/") || name.hasPrefix("lib/\(platform)/")
                }
                #expect(try Self.contents(of: files[0]) == expected && expected.count == 6)
                let part = try SealedPackage(opening: files[0])
                try part.verifyContents()
                #expect(part.platforms == [platform] && part.digest == whole.digest)
            }
        }
    }

    @Test("The part for another platform is refused, and the error names the platforms")
    func otherPart() async throws {
        _ = try Self.offer(partFor: Self.other, by: host)
        let error = try await host.refusal(.libraryMissing) { try await host.manager.install(.shop) }
        #expect(
            error.reason
                == ErrorReason(
                    "otherPlatformPart", ["platforms": .list([Self.other]), "host": .text(Platform.triple)]))
    }

    @Test(
        "A package is refused with libraries or files left out or added",
        arguments: [
            ("lib/\(Platform.triple)/libSample.so", "sealedFileMissing"),
            ("lib/\(Platform.triple)/libSample-send.so", "sealedFileMissing"), ("lib/", "sealedFileMissing"),
            ("lib/\(other)/libSample.so", "sealedFileMissing"), ("Resources/Pages/main.json", "sealedFileMissing"),
            ("lib/m68k-unknown-linux-gnu/libSample.so", "unsealed"), ("lib/\(Platform.triple)/libOther.so", "unsealed"),
        ])
    func fault(place: String, problem: String) async throws {
        let package = try Self.sample().write(to: host.catalog)
        try Self.unseal(package) { files in
            if problem == "unsealed" { files[place] = [1] }
            if problem != "unsealed" { files = files.filter { !$0.key.hasPrefix(place) } }
        }
        let error = try await host.refusal(.sealBroken) { try await host.manager.install(.shop) }
        let found = error.problems.map(\.description)
        #expect(found.contains { $0.contains("place: \(place)") && $0.contains("problem: \(problem)") }, "\(error)")
    }

    @Test("An installed version must have the libraries of its host, whatever it has of others")
    func installed() async throws {
        let whole = try Self.offer(by: host)
        try await host.manager.install(.shop)
        let folder = host.sandbox.folder(of: try host.bundle())
        try whole.extract(to: host.root.appending("other"), for: Self.other)
        try folder.appending("lib/\(Platform.triple)").remove()
        try FileSystem.rename(host.root.appending("other/lib/\(Self.other)"), to: folder.appending("lib/\(Self.other)"))
        let findings = try host.maintenance.verify().flatMap(\.findings)
        #expect(
            findings.map { "\($0.problem)" }
                == Self.entries.sorted().map { "at(place: lib/\(Platform.triple)/\($0), problem: sealedFileMissing)" })
        // A tool that is no host accepts the part for any platform.
        let report = try SealedFolder(folder).report(by: .key(TestTeam.key.get().publicKey))
        #expect(report.findings.isEmpty, "\(report.findings)")
    }
}
