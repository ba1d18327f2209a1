import Doctor
@testable import BundleFormat
import PluginCatalog
import PluginCore
import PluginRouter
@testable import Registry
@testable import PluginRuntime
import SQLite
import Testing

@Suite("Blocks of crashed versions", .tags(.medium))
struct BlockTests {
    private let host: TestHost

    init() throws { host = try TestHost() }

    /// Has the host quarantine a crashed version, and returns that version's package.
    @discardableResult
    private func crash(_ version: String = "1.0.0", after before: String? = nil) async throws -> SamplePackage {
        if let before { try await host.install(SamplePackage(version: before)) }
        let package = SamplePackage(version: version, routes: ["shop"])
        try host.offer(package)
        try await host.manager.install(.shop)
        try host.recordCrash(.shop)
        try await host.restart()
        return package
    }

    /// Returns a package of the same version with different content.
    private static func mended(_ package: SamplePackage) -> SamplePackage {
        var mended = package
        mended.files["Resources/mended.txt"] = "it does not crash"
        return mended
    }

    @Test(
        "A crash blocks the content that crashed, not the version number, and the diagnosis says how to lift the block")
    func content() async throws {
        let package = try await crash()
        try await host.refusal(.quarantined) { try await host.manager.install(.shop) }
        #expect(try await host.provider(of: "app://shop") == (nil, .quarantined))
        let finding = try host.manager.diagnosis(of: .shop).findings.first { $0.topic == .quarantined }
        let reason = try #require(finding?.reason)
        #expect(
            reason.name == "blockedUntilUnblocked" && reason.values["bundle"] == "\(TestHost.shop)@1.0.0", "\(reason)")
        // A package that cannot be read is rejected as such.
        try host.catalog.appending("\(TestHost.shop)-1.0.0.zip").write("no archive")
        try await host.refusal(.packageInvalid) { try await host.manager.install(.shop) }
        try host.offer(Self.mended(package))
        #expect(try await host.provider(of: "app://shop") == (TestHost.shop.text, nil))
        try await host.install(version: "1.0.0")
        #expect(try host.versions() == ["1.0.0", nil])
        #expect(try host.registry.quarantine.all().count == 1)
    }

    @Test(
        "A blocked version with different content can be staged, and installed from a file", arguments: [true, false])
    func everyWay(isStaged: Bool) async throws {
        let package = try await crash("1.1.0", after: "1.0.0")
        #expect(try await host.manager.update(.shop).isChange == false)
        if isStaged {
            try host.offer(Self.mended(package))
            try await host.manager.change([.update(.shop)], staging: true)
            try await host.restart()
        } else {
            let path = try Self.mended(package).write(to: host.root)
            try await host.manager.transactions.install.run(packageAt: path)
        }
        #expect(try host.versions() == ["1.1.0", "1.0.0"])
    }

    @Test("A staged version is checked by its own content, whatever the catalog offers under its number")
    func staged() async throws {
        let package = try await crash("1.1.0", after: "1.0.0")
        try await host.manager.change(
            [.install(.shop, host.version("1.1.0"))],
            offering: [try PackageFile(path: Self.mended(package).write(to: host.root)).offered()], staging: true)
        try await host.restart()
        #expect(try host.versions() == ["1.1.0", "1.0.0"])
    }

    @Test("Uninstalling a bundle lifts its block, even if no version is left", arguments: [nil, "0.9.0"])
    func uninstall(before: String?) async throws {
        try await crash(after: before)
        let report = try await host.uninstall.run([.shop])
        #expect(report.removed.count == (before == nil ? 0 : 1))
        #expect(report.unblocked.map(\.identity.description) == ["\(TestHost.shop)@1.0.0"])
        if before == nil { #expect(try host.registry.history.all().last?.event == .unblocked) }
        try await host.manager.install(.shop)
        #expect(try host.versions() == ["1.0.0", nil])
        try await host.refusal(.nothingToUnblock) { try await host.quarantine.unblock(.shop) }
    }

    @Test("A rejected uninstall leaves the block in place")
    func refusedUninstall() async throws {
        try await crash()
        try host.offer(
            SamplePackage(identifier: "com.example.lib.base"),
            SamplePackage(identifier: "com.example.app.user", requires: ["com.example.lib.base": "^1.0.0"]))
        try await host.manager.install("com.example.app.user")
        try await host.refusal(.bundleNeeded) { try await host.uninstall.run([TestHost.shop, "com.example.lib.base"]) }
    }

    @Test("A block can be lifted by identifier, for one version or for all")
    func unblock() async throws {
        try await crash("1.1.0", after: "1.0.0")
        let error = try await host.refusal(.nothingToUnblock) {
            try await host.quarantine.unblock(.shop, version: host.version("1.0.0"))
        }
        #expect(error.nearest == ["\(TestHost.shop)@1.1.0"])
        let unblocked = try await host.quarantine.unblock(.shop, version: host.version("1.1.0"))
        #expect(unblocked.map(\.identity.version.description) == ["1.1.0"])
        #expect(try await host.manager.update(.shop).bundle.identity.version.description == "1.1.0")
    }

    @Test("A crashed version stays active if its block is lifted before a host quarantines it")
    func unblockFirst() async throws {
        try await host.install(SamplePackage())
        try host.recordCrash(.shop)
        #expect(
            try await host.quarantine.unblock(.shop).map(\.identity.identifier) == [TestHost.shop])
        try await host.restart()
        #expect(try host.versions() == ["1.0.0", nil])
    }

    @Test("The reason for a block is stored with its values, and an unreadable one is shown as it is")
    func stored() async throws {
        try await crash()
        var block = try #require(try host.registry.quarantine.all().first)
        let problem = ErrorReason.at("lib/\u{301}\"a\".so", ErrorReason("tooLarge", ["size": 2, "limit": -1]))
        let reason = ErrorReason(
            "crashWithoutReplacement",
            [
                "crash": .reason(block.reason),
                "obstacle": .reasons([problem, ErrorReason("chain", ["path": ["1", "{}"]])]),
            ])
        block = QuarantinedVersion(identity: block.identity, digest: block.digest, reason: reason, at: block.at)
        try host.registry.quarantine.set(block)
        #expect(try host.another().registry.quarantine.all() == [block])
        for text in ["hung the host while it was loaded", "", "1", #"{"name": 1}"#] {
            try host.database().execute("UPDATE quarantine SET reason = ?", text)
            #expect(try host.another().registry.quarantine.all().map(\.reason) == [.verbatim(text)])
        }
    }
}
