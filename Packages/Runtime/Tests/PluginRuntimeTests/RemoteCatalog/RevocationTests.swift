import Registry
@testable import PluginCatalog
import PluginCore
import PluginRouter
@testable import PluginRuntime
import RemoteCatalog
import Synchronization
import Testing

@Suite("Revoked versions of published catalogs", .tags(.medium), .timeLimit(.minutes(2)))
struct RevocationTests {
    private let temporary = TemporaryFolder()
    private let published: PublishedCatalog
    private let catalog: RemoteCatalog
    private let host: TestHost

    init() throws { (published, catalog, host) = try publishedCatalog(in: temporary.path) }

    @Test("A revoked version is left by an update, is no rollback target anymore, and stays blocked")
    func revoked() async throws {
        try published.publish(SamplePackage(version: "1.0.0"))
        try await host.manager.install(.shop)
        try published.publish(SamplePackage(version: "1.1.0"))
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
        try published.publish(SamplePackage(version: "1.0.0"))
        try await host.manager.install(.shop)
        try published.publish(SamplePackage(version: "1.1.0"))
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
        try published.publish(SamplePackage(version: "1.0.0"))
        try await host.manager.install(.shop)
        try published.publish(SamplePackage(version: "1.1.0"))
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
        let counting = CountingCatalog(catalog)
        let host = try self.host.another(catalog: counting)
        try await host.manager.install(.shop)
        /// Refreshes the catalog, and returns the versions that are blocked then, and whether the catalog was asked.
        func refresh() async throws -> (revoked: [BundleIdentity], wasAsked: Bool) {
            let before = counting.questions
            try await catalog.refresh()
            let revoked = try await RevokedVersions(of: host.manager).replace().map(\.revoked)
            return (revoked, counting.questions > before)
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
}

/// A catalog that counts the questions for revoked versions.
private final class CountingCatalog: Catalog {
    private let catalog: any Catalog
    private let count = Atomic<Int>(0)

    init(_ catalog: any Catalog) { self.catalog = catalog }

    var questions: Int { count.load(ordering: .relaxed) }
    var isRemote: Bool { catalog.isRemote }

    func revocations(of identifier: BundleIdentifier) throws(AtriumError) -> [RevokedVersion] {
        count.add(1, ordering: .relaxed)
        return try catalog.revocations(of: identifier)
    }

    func revocationStamp() async -> String? { await catalog.revocationStamp() }
    func fetchMissing() async -> Bool { await catalog.fetchMissing() }
    func listing() throws(AtriumError) -> CatalogListing { try catalog.listing() }
    func versions(of identifier: BundleIdentifier) throws(AtriumError) -> [SemanticVersion] {
        try catalog.versions(of: identifier)
    }
    func package(_ identity: BundleIdentity) throws(AtriumError) -> CatalogPackage { try catalog.package(identity) }
    func requireReachable() throws(AtriumError) { try catalog.requireReachable() }
    func withConverters(_ converters: RouteConverters) -> any Catalog { self }
}
