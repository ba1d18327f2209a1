@testable import PluginRuntime
import Doctor
import PluginCore
import RemoteCatalog
import TUFMetadata
import Testing

@Suite("The doctor's check of published catalogs", .tags(.medium))
struct CatalogExpiryTests {
    private let temporary = TemporaryFolder()
    private var folder: FilePath { temporary.path }

    /// Returns the findings about the catalog of a host, after its state was fetched as the command does.
    private func findings(_ host: TestHost) async -> [CheckupFinding] {
        _ = try? await host.manager.search { try $0.catalog.requireReachable() }
        return host.findings().filter { $0.check == .catalog }
    }

    private func publish(_ lifetimes: RoleLifetimes = RoleLifetimes()) throws -> (PublishedCatalog, RemoteCatalog) {
        let published = try PublishedCatalog(at: folder.appending("published"), lifetimes: lifetimes)
        return (published, try published.catalog(in: folder.appending("sandbox/Containers/Catalogs")))
    }

    @Test("A catalog whose roles are valid for long enough is fine")
    func valid() async throws {
        let (published, catalog) = try publish()
        try published.publish(SamplePackage())
        let found = await findings(try TestHost(folder, catalog: catalog))
        #expect(found.map(\.severity) == [.fine], "\(found)")
        #expect(Set(catalog.expiries.map(\.role)) == ["root", "timestamp", "snapshot", "targets"])
    }

    @Test("A role that expires soon is a notice with what to do, from the local metadata alone")
    func soon() async throws {
        var lifetimes = RoleLifetimes()
        lifetimes.root = 29
        let (published, catalog) = try publish(lifetimes)
        try published.publish(SamplePackage())
        let host = try TestHost(folder, catalog: catalog)
        let found = await findings(host)
        #expect(found.map(\.severity) == [.notice], "\(found)")
        #expect(found.first?.subject == catalog.address.description)
        #expect(found.first?.what.name == "roleExpires" && found.first?.remedy?.name == "askToRenew")
        try published.folder.remove()
        #expect(host.findings().contains { $0.what.name == "roleExpires" })
    }

    @Test("A catalog whose metadata has expired is wrong, once, with its role and what to do")
    func expired() async throws {
        var published = try PublishedCatalog(at: folder.appending("published"))
        try published.publish(SamplePackage())
        let catalogs = folder.appending("sandbox/Containers/Catalogs")
        try await published.catalog(in: catalogs).refresh()
        published.lifetimes.timestamp = 0
        try published.publish(SamplePackage(version: "1.1.0"))
        let saved = try RemoteCatalogSettings(address: published.address, catalogs: catalogs).folder
        try saved.appending("metadata/timestamp.json").write(
            published.folder.appending("metadata/timestamp.json").bytes)
        let found = await findings(try TestHost(folder, catalog: published.catalog(in: catalogs)))
        #expect(found.map(\.severity) == [.wrong], "\(found)")
        #expect(found.first?.what.name == "roleExpired" && found.first?.remedy?.name == "renewCatalog")
        #expect(found.first?.what.values["role"] == .text("timestamp"), "\(found)")
    }

    @Test("A server whose metadata has expired is wrong for a host that has none yet, with what to do")
    func expiredServer() async throws {
        var lifetimes = RoleLifetimes()
        lifetimes.timestamp = 0
        let found = await findings(try TestHost(folder, catalog: publish(lifetimes).1))
        #expect(found.map(\.severity) == [.wrong], "\(found)")
        #expect(found.first?.remedy?.name == "renewCatalog", "\(found)")
    }
}
