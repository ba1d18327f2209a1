import Doctor
import PluginCore
@testable import Registry
@testable import Trust
@testable import HostSystem
@testable import PluginRuntime
import Signing
import Testing

@Suite("Repair of damaged versions", .tags(.medium))
struct RepairTests {
    private let host = TestHost()

    /// A kind of damage to an installed version.
    enum Harm: CaseIterable { case changed, gone, more, unsealed }

    private static func harm(_ folder: FilePath, _ harm: Harm) throws {
        let layout = folder.appending("Resources/Pages/main.json")
        switch harm {
        case .changed:
            try layout.remove()
            try layout.write("{ }")
        case .gone: try folder.remove()
        case .more: try folder.appending("more").write("")
        case .unsealed: try folder.appending("signature").remove()
        }
    }

    @Test("Installing a damaged active version repairs it from a package with its seal", arguments: Harm.allCases)
    func repaired(harm: Harm) async throws {
        let bundle = try await host.install(SamplePackage(version: "1.0.0"), SamplePackage(version: "1.1.0"))
        let folder = host.sandbox.folder(of: bundle)
        let (whole, history) = (try Tree(folder), try host.registry.history.all())
        try Self.harm(folder, harm)
        let report = try await host.manager.install(.shop)
        #expect(report.isRepaired && report.isChange)
        #expect(try Tree(folder) == whole)
        #expect(try host.sandbox.staging.names == [])
        #expect(try host.versions() == ["1.1.0", "1.0.0"])
        #expect(try host.registry.history.all() == history)
        #expect(try await !host.manager.install(.shop).isChange)
    }

    @Test("A damaged version stays if no package has its seal or if a new copy would not be trusted either")
    func unrepaired() async throws {
        let package = try #require(try host.offer(SamplePackage()).first)
        let bundle = try await host.manager.install(.shop).bundle
        try Self.harm(host.sandbox.folder(of: bundle), .changed)
        try host.offer(SamplePackage(files: ["Resources/other": "another"]))
        try await host.refusal(.versionReused) { try await host.manager.install(.shop) }
        try package.remove()
        await #expect(throws: AtriumError.self) { try await host.manager.install(.shop) }
        #expect(try host.manager.policy.damage(to: bundle) != nil)
        try host.root.appending("trust.json").write(#"{"formatVersion": 1, "teams": []}"#)
        let error = try await host.refusal(.versionUnknown) { try await host.another().manager.install(.shop) }
        #expect(error.subject == bundle.identity.description)
        try SamplePackage().write(to: host.catalog)
        try await host.refusal(.teamUnknown) { try await host.another().manager.install(.shop) }
    }

    /// Installs two versions, revokes the key of their team, and returns the key that it uses from now on.
    private func replaceKey() async throws -> SigningKey {
        let first = try await host.install(first: "1.0.0", offering: "1.1.0")
        try host.registry.recordSuccessfulRun(first)
        try await host.manager.update(.shop)
        // The first use of a bundle records its seal's stamp.
        _ = try await host.manager.resources(of: .shop)
        await host.manager.deactivateAll()
        let key = try SigningKey.generate()
        let file = TrustFile(shipped: host.root.appending("trust.json"), sandbox: host.sandbox)
        let old = try TestTeam.key.get().publicKey.id
        _ = try file.change { store throws(AtriumError) in
            try store.rotating(team: TestTeam.name, to: key.publicKey, overlap: 0, now: Clock.now())
                .revoking(key: old, reason: "it was lost", at: Clock.now())
        }
        return key
    }

    @Test("A version with a revoked key is repaired by the same content signed with a new key")
    func signedAnew() async throws {
        let key = try await replaceKey()
        // No package with the new signature is offered yet.
        try await host.refusal(.keyRevoked, of: "\(TestHost.shop)@1.1.0") { try await host.manager.install(.shop) }
        let remedies = { host.findings().filter { $0.severity == .wrong }.map(\.remedy) }
        #expect(remedies() == [ErrorReason("runWhy", ["bundle": .text(TestHost.shop)])])
        try host.offer(SamplePackage(version: "1.1.0", key: key))
        #expect(remedies() == [ErrorReason("installAgain", ["bundle": "\(TestHost.shop)@1.1.0"])])
        try host.recordRun()
        let before = try host.bundle()
        let report = try await host.manager.install(.shop)
        #expect(report.isRepaired && report.bundle == before)
        #expect(report.bundle.seal.keyID == key.publicKey.id.description)
        let active = try host.bundle()
        #expect(active.seal.keyID == key.publicKey.id.description && active.seal.sealStamp == nil)
        #expect(active.hasRunSince == before.hasRunSince && active.hasRunSince != nil)
        _ = try await host.manager.resources(of: .shop)
        try host.manager.policy.requireIntact(active)
        #expect(remedies() == [])
        #expect(try await !host.manager.install(.shop).isChange)
    }

    @Test("A version with a revoked key is repaired from a package file, but not while a process uses the version")
    func signedAnewFile() async throws {
        let key = try await replaceKey()
        let folder = host.root.appending("other")
        try folder.makeFolder()
        let file = try SamplePackage(version: "1.1.0", key: key).write(to: folder)
        let before = try host.bundle()
        let hold = try #require(try FolderLock.removal(of: host.sandbox.folder(of: before)))
        try await failingAsync(.sandboxBusy) { try await host.manager.transactions.install.run(packageAt: file) }
        #expect(try host.registry.active.version(of: .shop)?.seal == before.seal)
        hold.release()
        #expect(try await host.manager.transactions.install.run(packageAt: file).map(\.isRepaired) == [true])
    }

    @Test("A damaged rollback target is repaired if it is requested by its version", arguments: Harm.allCases)
    func kept(harm: Harm) async throws {
        try host.offer(SamplePackage(version: "1.0.0"), SamplePackage(version: "1.1.0"))
        let first = try host.version("1.0.0")
        let bundle = try await host.manager.install(.shop, version: first).bundle
        try host.registry.recordSuccessfulRun(bundle)
        try await host.manager.update(.shop)
        try await host.refusal(.downgrade) { try await host.manager.install(.shop, version: first) }
        let whole = try Tree(host.sandbox.folder(of: bundle))
        try Self.harm(host.sandbox.folder(of: bundle), harm)
        let wrong = host.findings().filter { $0.severity == .wrong }
        #expect(!wrong.isEmpty)
        #expect(wrong.allSatisfy { $0.remedy == ErrorReason("installAgain", ["bundle": "\(TestHost.shop)@1.0.0"]) })
        let report = try await host.manager.install(.shop, version: first)
        #expect(report.isRepaired && report.bundle == bundle)
        #expect(try Tree(host.sandbox.folder(of: bundle)) == whole)
        #expect(try host.versions() == ["1.1.0", "1.0.0"])
        #expect(host.findings().allSatisfy { $0.severity != .wrong })
        try await host.refusal(.downgrade) { try await host.manager.install(.shop, version: first) }
        try await host.manager.rollBack(.shop)
        #expect(try host.versions() == ["1.0.0", "1.1.0"])
    }

    @Test("A damaged rollback target is repaired together with other changes of one request")
    func keptWithOthers() async throws {
        let other: BundleIdentifier = "com.example.app.other"
        try host.offer(
            SamplePackage(version: "1.0.0"), SamplePackage(version: "1.1.0"), SamplePackage(identifier: other))
        let first = try host.version("1.0.0")
        let bundle = try await host.manager.install(.shop, version: first).bundle
        try await host.manager.update(.shop)
        try Self.harm(host.sandbox.folder(of: bundle), .changed)
        let reports = try await host.manager.change([.install(other), .install(.shop, first)])
        #expect(reports.map(\.bundle.identity.description) == ["\(other)@1.0.0", "\(TestHost.shop)@1.0.0"])
        #expect(reports.map(\.isRepaired) == [false, true])
        #expect(try host.versions() == ["1.1.0", "1.0.0"])
    }
}
