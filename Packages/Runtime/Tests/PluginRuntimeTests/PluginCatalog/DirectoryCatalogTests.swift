import BundleFormat
import Doctor
import PluginCatalog
import PluginCore
import PluginRouter
import Testing
@testable import PluginRuntime
@testable import Registry

@Suite("Catalog folders, several sources of packages, and unreachable ones", .tags(.medium))
struct DirectoryCatalogTests {
    @TemporaryFolder private var folder
    private var catalog: DirectoryCatalog { DirectoryCatalog(folder: folder) }

    @Test("Packages are listed by identifier, from the newest to the oldest, each with its manifest, path and size")
    func sorted() async throws {
        for version in ["1.2.0", "1.10.0", "2.0.0-beta.1", "2.0.0", "1.9.9"] {
            try SamplePackage(version: version).write(to: folder)
        }
        try SamplePackage(identifier: "com.example.app.account").write(to: folder)
        try folder.appending("notes.txt").write("no package")
        let listing = try catalog.listing()
        #expect(
            listing.packages.map(\.manifest.identity.description) == [
                "com.example.app.account@1.0.0", "com.example.app.shop@2.0.0", "com.example.app.shop@2.0.0-beta.1",
                "com.example.app.shop@1.10.0", "com.example.app.shop@1.9.9", "com.example.app.shop@1.2.0",
            ])
        #expect(listing.problems.isEmpty)
        #expect(
            try catalog.versions(of: .shop).map(\.description) == ["2.0.0", "2.0.0-beta.1", "1.10.0", "1.9.9", "1.2.0"])
        let path = try SamplePackage(routes: ["shop"]).write(to: folder)
        let package = try catalog.package(identity("1.0.0"))
        #expect(try package.path == path && package.size == Int64(path.bytes.count))
        #expect(package.manifest.routes.map(\.pattern) == ["shop"])
    }

    @Test("A version that is only for other platforms is blocked with the reason, and an older one is installed")
    func platforms() async throws {
        let host = TestHost()
        let other = SamplePackage(
            version: "2.0.0", library: nil, files: ["lib/m68k-unknown-linux-gnu/libSample.so": "no library"])
        try host.offer(SamplePackage(version: "1.0.0"), other)
        let rule = try host.manager.offers.packageBlockRule()
        let reasons = try host.manager.offers.catalog.listing().packages.map { try rule($0)?.reason?.name }
        #expect(reasons == ["otherPlatforms", nil])
        #expect(try await host.manager.install(.shop).bundle.identity.version.description == "1.0.0")
    }

    @Test("A damaged package is listed as a problem and doesn't hide the others")
    func damaged() async throws {
        try SamplePackage(version: "1.0.0").write(to: folder)
        try folder.appending("com.example.app.shop-2.0.0.zip").write("no zip")
        try folder.appending("com.example.app.shop-3.0.0.zip").makeFolder()
        try SamplePackage(version: "4.0.0", routes: [":"]).write(to: folder)
        let listing = try catalog.listing()
        #expect(listing.packages.map(\.manifest.identity.version.description) == ["1.0.0"])
        #expect(listing.problems.map(\.code) == [.manifestInvalid, .packageInvalid, .packageInvalid])
        #expect(
            listing.problems.map(\.subject) == ["4.0.0", "3.0.0", "2.0.0"].map { "com.example.app.shop-\($0).zip" })
    }

    @Test("A missing catalog is unreachable, and an empty one offers nothing")
    func missing() async throws {
        #expect(try catalog.listing().packages.isEmpty)
        try folder.appending("file").write("")
        for place in ["missing", "file"] {
            let path = folder.appending(place)
            try failing(.catalogUnreachable, of: path.string) { try DirectoryCatalog(folder: path).listing() }
        }
    }

    private let own = TemporaryFolder()
    private let open = TemporaryFolder()

    private func prioritized(_ prefixes: [String] = []) -> PrioritizedCatalog {
        PrioritizedCatalog([
            .init(DirectoryCatalog(folder: own.path), prefixes: prefixes), .init(DirectoryCatalog(folder: open.path)),
        ])
    }

    @Test("A higher version in a later source does not take the place of a private bundle")
    func confusion() async throws {
        let catalog = prioritized()
        try SamplePackage(version: "1.0.0").write(to: own.path)
        try SamplePackage(version: "9.0.0").write(to: open.path)
        try SamplePackage(identifier: "com.example.app.other", version: "2.0.0").write(to: open.path)
        #expect(try catalog.versions(of: .shop).map(\.description) == ["1.0.0"])
        let listed = try catalog.listing().packages.map(\.manifest.identity.description)
        #expect(listed == ["com.example.app.other@2.0.0", "com.example.app.shop@1.0.0"])
        let high = BundleIdentity(identifier: .shop, version: SemanticVersion(major: 9, minor: 0, patch: 0))
        try failing(.versionUnknown) { try catalog.package(high) }
    }

    @Test("A bundle with a prefix comes from no source without it, and a source with prefixes offers nothing else")
    func prefixes() async throws {
        let catalog = prioritized(["com.example"])
        try SamplePackage(version: "9.0.0").write(to: open.path)
        try SamplePackage(identifier: "com.examples.app.shop", version: "1.0.0").write(to: open.path)
        #expect(try catalog.versions(of: .shop).isEmpty)
        #expect(try catalog.versions(of: "com.examples.app.shop").count == 1)
        try SamplePackage(identifier: "org.example.shop", version: "1.0.0").write(to: own.path)
        #expect(try catalog.versions(of: "org.example.shop").isEmpty)
        #expect(try catalog.listing().packages.map(\.manifest.identity.identifier) == ["com.examples.app.shop"])
        // Its own source cannot be reached.
        try own.path.remove()
        try failing(.catalogUnreachable) { try catalog.versions(of: .shop) }
    }

    @Test("The answers of all catalogs are fetched at the same time", arguments: [false, true])
    func together(inLayers: Bool) async {
        let begun = Lines()
        let waiting = WatchedCatalog(onFetch: {
            begun.add("fetch")
            while begun.all.count < 2 { try? await Task.sleep(for: .milliseconds(1)) }
        })
        let catalogs = [waiting, waiting]
        let all: any Catalog =
            inLayers ? LayeredCatalog(catalogs) : PrioritizedCatalog(catalogs.map { .init($0) })
        #expect(await all.fetchMissing())
    }

    private let host = TestHost()

    private static let other: BundleIdentifier = "com.example.app.other"

    /// Returns a manager that ships `com.example.app.shop` 1.1.0 and whose catalog has become unreachable.
    ///
    /// `com.example.app.shop` and `com.example.app.other` 1.0.0 are installed from that catalog.
    private func shipping(
        installing identifiers: [BundleIdentifier] = [TestHost.shop, other]
    ) async throws -> Host {
        try host.offer(SamplePackage(), SamplePackage(identifier: Self.other))
        for identifier in identifiers { try await host.manager.install(identifier) }
        try host.catalog.remove()
        return try host.shipping([SamplePackage(version: "1.1.0")])
    }

    @Test("Shipped packages are found and installed without the catalog, and other requests fail as unreachable")
    func install() async throws {
        let manager = try await shipping(installing: [])
        try await host.refusal(.catalogUnreachable) { try await manager.install(Self.other) }
        try await host.refusal(.catalogUnreachable) { try await manager.install(.shop, version: host.version("1.0.0")) }
        try failing(.catalogUnreachable) { try manager.offers.catalog.package(identity("1.0.0", of: Self.other)) }
        try failing(.catalogUnreachable) { try manager.offers.offer(of: Self.other) }
        #expect(try manager.offers.offer(of: .shop)?.identity.version.description == "1.1.0")
        try await manager.install(.shop)
        #expect(try host.versions() == ["1.1.0", nil])
        let listing = try manager.offers.catalog.listing()
        #expect(listing.packages.count == 1 && listing.problems.map(\.code) == [.catalogUnreachable])
        // The bundle is already active, and no newer version was requested.
        try await manager.install(.shop)
    }

    @Test("An update installs a shipped version, but never reports that a version is the newest")
    func update() async throws {
        let manager = try await shipping()
        try await host.refusal(.catalogUnreachable) { try await manager.update(Self.other) }
        try await host.refusal(.catalogUnreachable) {
            try await manager.change([.update(.shop, mayStay: true), .update(Self.other, mayStay: true)])
        }
        try await manager.update(.shop)
        #expect(try host.versions() == ["1.1.0", "1.0.0"])
        try await host.refusal(.catalogUnreachable) { try await manager.update(.shop) }
    }

    @Test("Startup skips a shipped version whose requirements only the unreachable catalog may have, until it is back")
    func settle() async throws {
        let manager = try await shipping()
        let lib = SamplePackage(identifier: "com.example.lib")
        try SamplePackage(identifier: Self.other, version: "1.1.0", requires: [lib.identifier: "^1.0.0"])
            .write(to: host.root.appending("shipped"))
        #expect(try await manager.prepareForLaunch().map(\.bundle.identity.description) == ["\(TestHost.shop)@1.1.0"])
        try host.catalog.makeFolder()
        try host.offer(lib)
        #expect(try await manager.prepareForLaunch().first?.bundle.identity.description == "\(Self.other)@1.1.0")
        #expect(try host.versions(Self.other) == ["1.1.0", "1.0.0"])
    }

    @Test("The update report leaves the newest version unknown, and the checkup reports the catalog with a remedy")
    func updateReports() async throws {
        let manager = try await shipping()
        let updateReports = try manager.offers.updateReports()
        #expect(updateReports.map(\.active.identity.identifier) == [Self.other, TestHost.shop])
        #expect(updateReports.map(\.isKnown) == [false, false])
        #expect(updateReports.map(\.isOutdated) == [false, true])
        #expect(updateReports.map { $0.reachable?.description } == [nil, "1.1.0"])
        #expect(updateReports.allSatisfy { $0.newest == nil && $0.obstacle?.code == .catalogUnreachable })
        let beside = Checkup(of: manager).findings().filter { $0.check == .catalog }
        #expect(host.findings().filter { $0.check == .catalog } == beside)
        #expect(beside.map(\.severity) == [.wrong] && beside.map(\.remedy) == [ErrorReason("chooseCatalog")])
    }

    @Test("A diagnosis reports the unreachable catalog and never that a bundle doesn't exist")
    func diagnosis() async throws {
        let manager = try await shipping(installing: [])
        let missing = try manager.diagnosis(of: Self.other)
        #expect(missing.findings.map(\.topic) == [.installed, .offered])
        #expect(missing.obstacles.map(\.code) == [.catalogUnreachable])
        let shipped = try manager.diagnosis(of: .shop)
        #expect(shipped.findings.map(\.reason).contains(ErrorReason("catalogHas", ["versions": ["1.1.0"]])))
        #expect(shipped.obstacles.map(\.code) == [.catalogUnreachable])
        #expect(shipped.installable?.description == "1.1.0")
    }
}
