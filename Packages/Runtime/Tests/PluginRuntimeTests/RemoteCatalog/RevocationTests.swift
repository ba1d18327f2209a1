import BundleFormat
import CatalogFormat
import Doctor
import PluginCore
import PluginRouter
import Registry
import RemoteCatalog
import Testing
import Zip
@testable import PluginCatalog
@testable import PluginRuntime

@Suite("Revoked versions and deltas of published catalogs", .tags(.medium), .timeLimit(.minutes(2)))
struct RevocationTests {
    private let temporary = TemporaryFolder()
    private let published: PublishedCatalog
    private let catalog: RemoteCatalog
    private let host: TestHost

    init() throws { (published, catalog, host) = try publishedCatalog(in: temporary.path) }

    @Test("A revoked version is left by an update, is no rollback target anymore, and stays blocked")
    func revoked() async throws {
        try await published.publishUpdate(for: host)
        try published.revoke(identity("1.0.0"))
        try await catalog.refresh()
        let replaced = try await RevokedVersions(of: host.manager).replace()
        #expect(replaced.map(\.revoked) == [try identity("1.0.0")])
        #expect(replaced.first?.active?.identity == (try identity("1.1.0")))
        #expect(try host.versions() == ["1.1.0", nil])
        #expect(try await RevokedVersions(of: host.manager).replace().isEmpty)
        await #expect(throws: AtriumError.self) { try await host.manager.rollBack(.shop) }
    }

    @Test("A revoked version does not take the place of another revoked version")
    func revokedBoth() async throws {
        try await published.publishUpdate(for: host)
        try await catalog.refresh()
        try await host.manager.update(.shop)
        #expect(try host.versions() == ["1.1.0", "1.0.0"])
        for version in ["1.0.0", "1.1.0"] { try published.revoke(identity(version)) }
        try await catalog.refresh()
        let replaced = try await RevokedVersions(of: host.manager).replace()
        #expect(replaced.map(\.revoked.version.description) == ["1.0.0", "1.1.0"])
        #expect(replaced.allSatisfy { $0.active == nil })
    }

    @Test("A staged version that is revoked does not become active, and an only version is disabled")
    func revokedStaged() async throws {
        try await published.publishUpdate(for: host)
        try await catalog.refresh()
        try await host.manager.change([.update(.shop)], staging: true)
        try published.revoke(identity("1.1.0"))
        try await catalog.refresh()
        try await RevokedVersions(of: host.manager).replace()
        try await host.manager.prepareForLaunch()
        #expect(try host.versions() == ["1.0.0", nil])
        try published.revoke(identity("1.0.0"))
        try await catalog.refresh()
        let replaced = try await RevokedVersions(of: host.manager).replace()
        #expect(replaced.count == 1 && replaced.first?.active == nil)
        #expect(try host.registry.active.bundle(.shop) == nil)
    }

    @Test("The catalog is asked again for revoked versions only after it, or what is installed, has changed")
    func revocationsOnce() async throws {
        try published.publish(SamplePackage(version: "1.0.0"))
        let asked = Lines()
        let watched = WatchedCatalog(catalog: catalog, onRevocations: { asked.add("revocations") })
        let host = self.host.another(catalog: watched)
        try await host.manager.install(.shop)
        /// Refreshes the catalog, and returns the versions that are blocked then, and whether the catalog was asked.
        func refresh() async throws -> (revoked: [BundleIdentity], wasAsked: Bool) {
            let before = asked.all.count
            try await catalog.refresh()
            let revoked = try await RevokedVersions(of: host.manager).replace().map(\.revoked)
            return (revoked, asked.all.count > before)
        }
        #expect(try await refresh() == ([], true))
        #expect(try await refresh() == ([], false))
        // A version that is revoked before it is installed is found, although the catalog does not change anymore.
        let kept = host.root.appending("kept")
        try kept.makeFolder()
        try SamplePackage(version: "1.1.0").write(to: kept)
        try published.publish(SamplePackage(version: "1.1.0"))
        try published.revoke(identity("1.1.0"))
        #expect(try await refresh() == ([], true))
        #expect(try await refresh() == ([], false))
        try await host.another(catalog: DirectoryCatalog(folder: kept)).manager.update(.shop)
        #expect(try await refresh() == ([identity("1.1.0")], true))
        #expect(try host.versions() == ["1.0.0", nil])
        // The same version as before remains, of which nothing new is known.
        #expect(try await refresh() == ([], false))
        try published.revoke(identity("1.0.0"))
        #expect(try await refresh() == ([identity("1.0.0")], true))
    }

    @Test("The record that no version is revoked holds only for the same versions and catalogs")
    func revocationRecord() async throws {
        try published.publish(SamplePackage(version: "1.0.0"))
        try await host.manager.install(.shop)
        let installed = [try host.bundle()]
        let record = RevocationRecord(host.sandbox)
        #expect(!record.holds(for: installed, at: "stamp"))
        record.save(installed, at: nil)
        #expect(!record.holds(for: installed, at: nil))
        record.save(installed, at: "stamp")
        #expect(record.holds(for: installed, at: "stamp"))
        #expect(!record.holds(for: installed, at: "other"))
        #expect(!record.holds(for: [], at: "stamp"))
        #expect(!record.holds(for: installed + installed, at: "stamp"))
        let content = try record.file.bytes
        for damaged in [[], Array(content.dropLast()), content + content, content.map { $0 ^ 1 }] {
            try record.file.write(damaged)
            #expect(!record.holds(for: installed, at: "stamp"))
        }
    }

    private static let (old, new) = (
        SemanticVersion(major: 1, minor: 0, patch: 0), SemanticVersion(major: 1, minor: 1, patch: 0)
    )
    private static var newIdentity: BundleIdentity { BundleIdentity(identifier: .shop, version: new) }
    /// A text that a package with one changed line shares with the one before.
    private static let lines = (0..<4000).map { "line \($0 &* 2_654_435_761)\n" }.joined()

    private static func package(_ version: SemanticVersion, text: String? = nil) -> SamplePackage {
        var package = SamplePackage(version: "\(version)")
        package.files["Resources/lines.txt"] = lines + (text ?? "version \(version)\n")
        package.method = .deflated
        return package
    }

    /// Installs 1.0.0 from the catalog, publishes 1.1.0, and returns a host that has not heard of it.
    private func install(publishing publish: () throws -> Void) async throws -> TestHost {
        try published.publish(Self.package(Self.old))
        try await self.host.manager.install(.shop)
        try publish()
        return try self.host.another(catalog: published.catalog(in: self.host.sandbox.catalogs))
    }

    /// The differences of 1.1.0 from its seal.
    private func findings(in host: TestHost) throws -> [SealFinding] {
        return try #require(host.maintenance.verify().first { $0.bundle.identity == Self.newIdentity }).findings
    }

    private func installed(_ host: TestHost, _ file: String) throws -> FilePath {
        let folder = host.sandbox.plugins.appending(TestHost.shop.text)
        return folder.appending(try #require(folder.names.first { $0.hasPrefix("1.0.0-") })).appending(file)
    }

    @Test("An update fetches the delta alone, and installs what the package contains")
    func update() async throws {
        let host = try await install { try published.publish(Self.package(Self.new), deltaFrom: Self.old) }
        // Without the package, only the delta can have been used.
        let size = try published.file(of: Self.newIdentity).bytes.count
        try published.file(of: Self.newIdentity).remove()
        let report = try await host.manager.update(.shop)
        let length = UInt64(try published.delta(to: Self.newIdentity).bytes.count)
        #expect(report.download == PackageDownload(received: length, total: length, content: .delta(from: Self.old)))
        #expect(length * 10 < size, "\(length) of \(size)")
        #expect(try host.versions() == ["1.1.0", "1.0.0"])
        #expect(host.events.contains { $0.state == .downloading(done: length, total: length, .delta(from: Self.old)) })
        #expect(try findings(in: host).isEmpty)
        // Neither the delta nor the package stays.
        for name in try host.sandbox.catalogs.names
        where host.sandbox.catalogs.appending(name).appending("packages").exists {
            #expect(try host.sandbox.catalogs.appending(name).appending("packages").names.isEmpty)
        }
    }

    enum Trouble: CaseIterable {
        case missing, damaged, garbage, otherPackage, cut, changedBase, incompleteBase
    }

    @Test("After trouble with a delta, the package is downloaded, and the reason is told", arguments: Trouble.allCases)
    func trouble(_ trouble: Trouble) async throws {
        let publish = {
            try published.publish(Self.package(Self.new), deltaFrom: Self.old) { delta in
                switch trouble {
                case .garbage: delta = Array("a delta that the catalog's owner has signed, but not a delta".utf8)
                case .cut: delta.removeLast(delta.count / 3)
                case .otherPackage:
                    // The right format and base, but it leads to another package.
                    try published.publish(Self.package(SemanticVersion(major: 0, minor: 9, patch: 0), text: "other"))
                    delta = try self.delta()
                default: break
                }
            }
        }
        let host = try await install(publishing: publish)
        let delta = try published.delta(to: Self.newIdentity)
        switch trouble {
        case .missing: try delta.remove()
        case .damaged:
            var bytes = try delta.bytes
            bytes[bytes.count / 2] ^= 1
            try delta.write(bytes)
        case .changedBase: try overwrite(installed(host, "Resources/lines.txt"), with: Array("other lines".utf8))
        case .incompleteBase: try installed(host, "Resources/lines.txt").remove()
        case .garbage, .otherPackage, .cut: break
        }
        let report = try await host.manager.update(.shop)
        #expect(try host.versions()[0] == "1.1.0")
        guard case .packageAfterDelta(let reason)? = report.download?.content else {
            Issue.record("\(String(describing: report.download))")
            return
        }
        #expect(reason.name == "deltaUnused")
        #expect(report.download?.received == UInt64(try published.file(of: Self.newIdentity).bytes.count))
        #expect(
            host.events.contains { event in
                if case .downloading(_, _, .packageAfterDelta(reason)) = event.state { true } else { false }
            })
        #expect(try findings(in: host).isEmpty)
    }

    /// Returns the delta from 1.0.0 to another package, 0.9.0.
    private func delta() throws -> [UInt8] {
        try published.bytesOfDelta(from: identity("1.0.0"), to: identity("0.9.0"))
    }

    @Test("A delta from content that is not installed is not fetched")
    func otherBase() async throws {
        // The same version number with other content, as from a folder of packages.
        try published.publish(Self.package(Self.old, text: "other content"))
        let host = TestHost(temporary.path)
        try await host.install(Self.package(Self.old))
        try published.publish(Self.package(Self.new), deltaFrom: Self.old)
        try published.delta(to: Self.newIdentity).remove()
        let next = try host.another(catalog: published.catalog(in: host.sandbox.catalogs))
        #expect(try await next.manager.update(.shop).download?.content == .package)
    }

    @Test("A delta that is longer than the package is not fetched")
    func long() async throws {
        let host = try await install {
            try published.publish(Self.package(Self.new), deltaFrom: Self.old) {
                $0 += [UInt8](repeating: 0, count: 1 << 20)
            }
        }
        #expect(try await host.manager.update(.shop).download?.content == .package)
    }
}

/// A catalog that tells when it is asked for revoked versions, or has to fetch something, and is otherwise another one.
struct WatchedCatalog: Catalog {
    var catalog: any Catalog = DirectoryCatalog(folder: "/nowhere")
    var onRevocations: @Sendable () -> Void = {}
    var onFetch: @Sendable () async -> Void = {}

    var isRemote: Bool { true }

    func revocations(of identifier: BundleIdentifier) throws(AtriumError) -> [RevokedVersion] {
        onRevocations()
        return try catalog.revocations(of: identifier)
    }

    func fetchMissing() async -> Bool {
        await onFetch()
        return catalog.isRemote ? await catalog.fetchMissing() : true
    }

    func revocationStamp() async -> String? { await catalog.revocationStamp() }
    func listing() throws(AtriumError) -> CatalogListing { try catalog.listing() }
    func versions(of identifier: BundleIdentifier) throws(AtriumError) -> [SemanticVersion] {
        try catalog.versions(of: identifier)
    }
    func package(_ identity: BundleIdentity) throws(AtriumError) -> CatalogPackage { try catalog.package(identity) }
    func requireReachable() throws(AtriumError) { try catalog.requireReachable() }
    func withConverters(_ converters: RouteConverters) -> any Catalog { self }
}
