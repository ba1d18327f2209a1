import Doctor
import PluginCore
import PluginRouter
@testable import BundleFormat
@testable import Registry
@testable import PluginRuntime
import SQLite
import Testing

@Suite("Blocks of crashed versions", .tags(.medium))
struct BlockTests {
    private let host: TestHost

    init() throws { host = try TestHost() }

    private static let shop = TestHost.shop

    /// Has the host quarantine a crashed version, and returns that version's package.
    @discardableResult
    private func crash(_ version: String = "1.0.0", after before: String? = nil) async throws -> SamplePackage {
        if let before {
            try await host.install(SamplePackage(version: before))
        }
        let package = SamplePackage(version: version, routes: ["shop"])
        try host.offer(package)
        try await host.manager.install(Self.shop)
        try host.recordCrash(Self.shop)
        try await host.another().manager.prepareForLaunch()
        return package
    }

    /// Returns a package of the same version with different content.
    private static func mended(_ package: SamplePackage) -> SamplePackage {
        var mended = package
        mended.files["Resources/mended.txt"] = "it does not crash"
        return mended
    }

    @Test("A crash blocks the content that crashed, not the version number")
    func content() async throws {
        let package = try await crash()
        try await host.refusal(.quarantined) { try await host.manager.install(Self.shop) }
        try host.offer(Self.mended(package))
        try await host.install(version: "1.0.0")
        #expect(try host.versions() == ["1.0.0", nil])
        #expect(try host.registry.quarantine.all().count == 1)
    }

    @Test(
        "A blocked version with different content can be staged, and installed from a file", arguments: [true, false])
    func everyWay(isStaged: Bool) async throws {
        let package = try await crash("1.1.0", after: "1.0.0")
        #expect(try await host.manager.update(Self.shop).isChange == false)
        if isStaged {
            try host.offer(Self.mended(package))
            try await host.manager.change([.update(Self.shop)], staging: true)
            try await host.another().manager.prepareForLaunch()
        } else {
            let path = try Self.mended(package).write(to: host.root)
            try await host.manager.transactions.install.run(packageAt: path)
        }
        #expect(try host.versions() == ["1.1.0", "1.0.0"])
    }

    @Test("A blocked version is installed on demand only with different content")
    func onDemand() async throws {
        let package = try await crash()
        let query = RouteQuery(try ResourceURI("app://shop"), as: [.page], for: .host)
        #expect(try await host.manager.onDemand.providingBundle(ofRoute: query) == nil)
        #expect(try await host.manager.onDemand.refusal(ofRoute: query)?.code == .quarantined)
        try host.offer(Self.mended(package))
        #expect(try await host.manager.onDemand.providingBundle(ofRoute: query) == Self.shop.text)
    }

    @Test("A staged version is checked by its own content, whatever the catalog offers under its number")
    func staged() async throws {
        let package = try await crash("1.1.0", after: "1.0.0")
        try await host.manager.change(
            [.install(Self.shop, host.version("1.1.0"))],
            offering: [
                try PackageFile(path: Self.mended(package).write(to: host.root)).offered()
            ], staging: true)
        try await host.another().manager.prepareForLaunch()
        #expect(try host.versions() == ["1.1.0", "1.0.0"])
    }

    @Test("Uninstalling a bundle lifts its block, even if no version is left", arguments: [nil, "0.9.0"])
    func uninstall(before: String?) async throws {
        try await crash(after: before)
        let report = try await host.manager.transactions.uninstall.run([Self.shop])
        #expect(report.removed.count == (before == nil ? 0 : 1))
        #expect(report.unblocked.map(\.identity.description) == ["\(Self.shop)@1.0.0"])
        if before == nil { #expect(try host.registry.history.all().last?.event == .unblocked) }
        try await host.manager.install(Self.shop)
        #expect(try host.versions() == ["1.0.0", nil])
        try await host.refusal(.nothingToUnblock) { try await host.manager.transactions.quarantine.unblock(Self.shop) }
    }

    @Test("A rejected uninstall leaves the block in place")
    func refusedUninstall() async throws {
        try await crash()
        try host.offer(
            SamplePackage(identifier: "com.example.lib.base"),
            SamplePackage(identifier: "com.example.app.user", requires: ["com.example.lib.base": "^1.0.0"]))
        try await host.manager.install("com.example.app.user")
        try await host.refusal(.bundleNeeded) {
            try await host.manager.transactions.uninstall.run([Self.shop, "com.example.lib.base"])
        }
    }

    @Test("A block can be lifted by identifier, for one version or for all")
    func unblock() async throws {
        try await crash("1.1.0", after: "1.0.0")
        let other = try host.version("1.0.0")
        let error = try await host.refusal(.nothingToUnblock) {
            try await host.manager.transactions.quarantine.unblock(Self.shop, version: other)
        }
        #expect(error.nearest == ["\(Self.shop)@1.1.0"])
        let unblocked = try await host.manager.transactions.quarantine.unblock(
            Self.shop, version: host.version("1.1.0"))
        #expect(unblocked.map(\.identity.version.description) == ["1.1.0"])
        #expect(try await host.manager.update(Self.shop).bundle.identity.version.description == "1.1.0")
    }

    @Test("A crashed version stays active if its block is lifted before a host quarantines it")
    func unblockFirst() async throws {
        try await host.install(SamplePackage())
        try host.recordCrash(Self.shop)
        #expect(
            try await host.manager.transactions.quarantine.unblock(Self.shop).map(\.identity.identifier) == [
                Self.shop
            ])
        try await host.another().manager.prepareForLaunch()
        #expect(try host.versions() == ["1.0.0", nil])
    }

    @Test("An unreadable package of a blocked version is rejected as unreadable")
    func unreadable() async throws {
        try await crash()
        try host.catalog.appending("\(Self.shop)-1.0.0.zip").write("no archive")
        try await host.refusal(.packageInvalid) { try await host.manager.install(Self.shop) }
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

    @Test("The diagnosis names the command that lifts a block")
    func diagnosis() async throws {
        try await crash()
        let finding = try #require(
            try host.manager.diagnosis(of: Self.shop).findings.first { $0.topic == .quarantined })
        #expect(
            finding.reason.name == "blockedUntilUnblocked"
                && finding.reason.values["bundle"] == "\(Self.shop)@1.0.0",
            "\(finding.reason)")
    }
}
