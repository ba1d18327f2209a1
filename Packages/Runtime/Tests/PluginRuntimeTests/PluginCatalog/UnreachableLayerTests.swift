import Doctor
import PluginCatalog
import PluginCore
import Preflight
@testable import Registry
@testable import PluginRuntime
import Trust
import Resolver
import Testing

@Suite("Unreachable catalog of a host that ships packages", .tags(.medium))
struct UnreachableLayerTests {
    private static let other: BundleIdentifier = "com.example.app.other"

    /// Runs the body with a host that ships `com.example.app.shop` 1.1.0 and whose catalog has become unreachable.
    ///
    /// `com.example.app.shop` and `com.example.app.other` 1.0.0 are installed from that catalog.
    private static func withShippingHost(
        installing identifiers: [BundleIdentifier] = [TestHost.shop, other],
        _ body: (TestHost, BundleManager) async throws -> Void
    ) async throws {
        try await withHost { host in
            try host.offer(SamplePackage(), SamplePackage(identifier: other))
            for identifier in identifiers { try await host.manager.install(identifier) }
            try host.catalog.remove()
            let folder = host.root.appending("shipped")
            try folder.makeFolder()
            try SamplePackage(version: "1.1.0").write(to: folder)
            let builtIn = DirectoryCatalog(folder: folder)
            let manager = BundleManager(
                sandbox: host.sandbox, catalog: LayeredCatalog([builtIn, DirectoryCatalog(folder: host.catalog)]),
                builtIn: builtIn, choosing: .resolver,
                verification: TeamVerification(shipped: host.root.appending("trust.json"), sandbox: host.sandbox),
                libraryCheck: LibraryPreflight(), services: HostServices(languages: ["en"]) { _, _, _ in },
                routing: HostRouting(SilentNavigator()))
            try await body(host, manager)
        }
    }

    @Test("Shipped packages can be installed without the catalog, and other requests fail as unreachable")
    func install() async throws {
        try await Self.withShippingHost(installing: []) { host, manager in
            try await host.refusal(.catalogUnreachable) { try await manager.install(Self.other) }
            try await host.refusal(.catalogUnreachable) {
                try await manager.install(TestHost.shop, version: host.version("1.0.0"))
            }
            try await manager.install(TestHost.shop)
            #expect(try host.versions() == ["1.1.0", nil])
            // The bundle is already active, and no newer version was requested.
            try await manager.install(TestHost.shop)
        }
    }

    @Test("An update installs a shipped version, but never reports that a version is the newest")
    func update() async throws {
        try await Self.withShippingHost { host, manager in
            try await host.refusal(.catalogUnreachable) { try await manager.update(Self.other) }
            try await host.refusal(.catalogUnreachable) {
                try await manager.change([
                    .update(TestHost.shop, mayStay: true), .update(Self.other, mayStay: true),
                ])
            }
            try await manager.update(TestHost.shop)
            #expect(try host.versions() == ["1.1.0", "1.0.0"])
            try await host.refusal(.catalogUnreachable) { try await manager.update(TestHost.shop) }
        }
    }

    @Test("Startup skips a shipped version whose requirements only the unreachable catalog may have, until it is back")
    func settle() async throws {
        try await Self.withShippingHost { host, manager in
            let lib = SamplePackage(identifier: "com.example.lib")
            try SamplePackage(identifier: Self.other, version: "1.1.0", requires: [lib.identifier: "^1.0.0"])
                .write(to: host.root.appending("shipped"))
            #expect(
                try await manager.prepareForLaunch().map(\.bundle.identity.description) == ["\(TestHost.shop)@1.1.0"])
            try host.catalog.makeFolder()
            try host.offer(lib)
            #expect(try await manager.prepareForLaunch().first?.bundle.identity.description == "\(Self.other)@1.1.0")
            #expect(try host.versions(Self.other) == ["1.1.0", "1.0.0"])
        }
    }

    @Test("The update report names shipped versions and leaves the newest version unknown")
    func updateReports() async throws {
        try await Self.withShippingHost { _, manager in
            let updateReports = try manager.offers.updateReports()
            #expect(updateReports.map(\.active.identity.identifier) == [Self.other, TestHost.shop])
            #expect(updateReports.map(\.isKnown) == [false, false])
            #expect(updateReports.map(\.isOutdated) == [false, true])
            #expect(updateReports.map { $0.reachable?.description } == [nil, "1.1.0"])
            #expect(updateReports.allSatisfy { $0.newest == nil && $0.obstacle?.code == .catalogUnreachable })
        }
    }

    @Test("A diagnosis reports the unreachable catalog and never that a bundle doesn't exist")
    func diagnosis() async throws {
        try await Self.withShippingHost(installing: []) { _, manager in
            let missing = try manager.diagnosis(of: Self.other)
            #expect(missing.findings.map(\.topic) == [.installed, .offered])
            #expect(missing.obstacles.map(\.code) == [.catalogUnreachable])
            let shipped = try manager.diagnosis(of: TestHost.shop)
            #expect(shipped.findings.map(\.reason).contains(ErrorReason("catalogHas", ["versions": ["1.1.0"]])))
            #expect(shipped.obstacles.map(\.code) == [.catalogUnreachable])
            #expect(shipped.installable?.description == "1.1.0")
        }
    }

    @Test("Looking up a package or an offer fails as unreachable if no shipped package matches")
    func package() async throws {
        try await Self.withShippingHost(installing: []) { host, manager in
            let identity = BundleIdentity(identifier: Self.other, version: try host.version("1.0.0"))
            let error = #expect(throws: AtriumError.self) { try manager.offers.catalog.package(identity) }
            #expect(error?.code == .catalogUnreachable)
            let offer = #expect(throws: AtriumError.self) { try manager.offers.offer(of: Self.other) }
            #expect(offer?.code == .catalogUnreachable)
            #expect(try manager.offers.offer(of: TestHost.shop)?.identity.version.description == "1.1.0")
        }
    }

    @Test("The checkup reports the unreachable catalog with a remedy for the catalog")
    func doctor() async throws {
        try await Self.withShippingHost { host, manager in
            let alone = Checkup(of: host.manager).findings().filter { $0.check == .catalog }
            let beside = Checkup(of: manager).findings().filter { $0.check == .catalog }
            #expect(alone == beside)
            #expect(beside.map(\.severity) == [.wrong])
            #expect(beside.map(\.remedy) == [ErrorReason("chooseCatalog")])
        }
    }
}
