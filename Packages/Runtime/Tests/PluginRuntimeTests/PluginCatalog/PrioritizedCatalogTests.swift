import PluginRuntime
import PluginCatalog
import PluginCore
import PluginRouter
import Synchronization
import Testing

@Suite("Several sources of packages", .tags(.medium), .timeLimit(.minutes(1)))
struct PrioritizedCatalogTests {
    private let own = TemporaryFolder()
    private let open = TemporaryFolder()

    private func catalog(_ prefixes: [String] = []) -> PrioritizedCatalog {
        PrioritizedCatalog([
            .init(DirectoryCatalog(folder: own.path), prefixes: prefixes), .init(DirectoryCatalog(folder: open.path)),
        ])
    }

    @Test("A higher version in a later source does not take the place of a private bundle")
    func confusion() async throws {
        let catalog = catalog()
        try SamplePackage(version: "1.0.0").write(to: own.path)
        try SamplePackage(version: "9.0.0").write(to: open.path)
        try SamplePackage(identifier: "com.example.app.other", version: "2.0.0").write(to: open.path)
        #expect(try catalog.versions(of: .shop).map(\.description) == ["1.0.0"])
        let listed = try catalog.listing().packages.map(\.manifest.identity.description)
        #expect(listed == ["com.example.app.other@2.0.0", "com.example.app.shop@1.0.0"])
        let high = BundleIdentity(identifier: .shop, version: SemanticVersion(major: 9, minor: 0, patch: 0))
        try failing(.versionUnknown) { try catalog.package(high) }
    }

    @Test("A bundle with a prefix comes from no source without it, even if its own has none or cannot be reached")
    func prefixes() async throws {
        let catalog = catalog(["com.example"])
        try SamplePackage(version: "9.0.0").write(to: open.path)
        try SamplePackage(identifier: "com.examples.app.shop", version: "1.0.0").write(to: open.path)
        #expect(try catalog.versions(of: .shop).isEmpty)
        #expect(try catalog.versions(of: "com.examples.app.shop").count == 1)
        try own.path.remove()
        try failing(.catalogUnreachable) { try catalog.versions(of: .shop) }
    }

    @Test("A source with prefixes offers nothing else")
    func limit() async throws {
        let catalog = catalog(["org.example"])
        try SamplePackage(version: "1.0.0").write(to: own.path)
        #expect(try catalog.versions(of: .shop).isEmpty)
        #expect(try catalog.listing().packages.isEmpty)
    }

    @Test("The answers of all catalogs are fetched at the same time", arguments: [false, true])
    func together(inLayers: Bool) async {
        let waiting = WaitingCatalog.Count()
        let catalogs = [WaitingCatalog(count: waiting), WaitingCatalog(count: waiting)]
        let all: any Catalog =
            inLayers ? LayeredCatalog(catalogs) : PrioritizedCatalog(catalogs.map { .init($0) })
        #expect(await all.fetchMissing())
    }
}

/// A catalog that fetches its answers once another one does so, too.
private struct WaitingCatalog: Catalog {
    final class Count: Sendable {
        let value = Atomic(0)
    }

    let count: Count

    var isRemote: Bool { true }

    func fetchMissing() async -> Bool {
        count.value.add(1, ordering: .relaxed)
        while count.value.load(ordering: .relaxed) < 2 { try? await Task.sleep(for: .milliseconds(1)) }
        return true
    }

    func listing() throws(AtriumError) -> CatalogListing { throw AtriumError(.catalogNotFetched, "catalog") }
    func versions(of identifier: BundleIdentifier) throws(AtriumError) -> [SemanticVersion] { [] }
    func package(_ identity: BundleIdentity) throws(AtriumError) -> CatalogPackage {
        throw AtriumError(.catalogNotFetched, "catalog")
    }
    func requireReachable() throws(AtriumError) {}
    func withConverters(_ converters: RouteConverters) -> any Catalog { self }
}
