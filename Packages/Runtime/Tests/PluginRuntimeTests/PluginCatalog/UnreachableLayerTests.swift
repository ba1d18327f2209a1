@testable import Registry
import Doctor
import PluginCatalog
import PluginCore
@testable import PluginRuntime
import Testing

@Suite("Unreachable catalog of a host that ships packages", .tags(.medium))
struct UnreachableLayerTests {
    private let host: TestHost

    init() throws { host = try TestHost() }

    private static let other: BundleIdentifier = "com.example.app.other"

    /// Returns a manager that ships `com.example.app.shop` 1.1.0 and whose catalog has become unreachable.
    ///
    /// `com.example.app.shop` and `com.example.app.other` 1.0.0 are installed from that catalog.
    private func shipping(
        installing identifiers: [BundleIdentifier] = [TestHost.shop, other]
    ) async throws -> BundleManager {
        try host.offer(SamplePackage(), SamplePackage(identifier: Self.other))
        for identifier in identifiers { try await host.manager.install(identifier) }
        try host.catalog.remove()
        return try host.shipping([SamplePackage(version: "1.1.0")])
    }

    @Test("Shipped packages can be installed without the catalog, and other requests fail as unreachable")
    func install() async throws {
        let manager = try await shipping(installing: [])
        try await host.refusal(.catalogUnreachable) { try await manager.install(Self.other) }
        try await host.refusal(.catalogUnreachable) { try await manager.install(.shop, version: host.version("1.0.0")) }
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

    @Test("The update report names shipped versions and leaves the newest version unknown")
    func updateReports() async throws {
        let manager = try await shipping()
        let updateReports = try manager.offers.updateReports()
        #expect(updateReports.map(\.active.identity.identifier) == [Self.other, TestHost.shop])
        #expect(updateReports.map(\.isKnown) == [false, false])
        #expect(updateReports.map(\.isOutdated) == [false, true])
        #expect(updateReports.map { $0.reachable?.description } == [nil, "1.1.0"])
        #expect(updateReports.allSatisfy { $0.newest == nil && $0.obstacle?.code == .catalogUnreachable })
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

    @Test("Looking up a package or an offer fails as unreachable if no shipped package matches")
    func package() async throws {
        let manager = try await shipping(installing: [])
        let identity = BundleIdentity(identifier: Self.other, version: try host.version("1.0.0"))
        try failing(.catalogUnreachable) { try manager.offers.catalog.package(identity) }
        try failing(.catalogUnreachable) { try manager.offers.offer(of: Self.other) }
        #expect(try manager.offers.offer(of: .shop)?.identity.version.description == "1.1.0")
    }

    @Test("The checkup reports the unreachable catalog with a remedy for the catalog")
    func doctor() async throws {
        let manager = try await shipping()
        let alone = host.findings().filter { $0.check == .catalog }
        let beside = Checkup(of: manager).findings().filter { $0.check == .catalog }
        #expect(alone == beside)
        #expect(beside.map(\.severity) == [.wrong])
        #expect(beside.map(\.remedy) == [ErrorReason("chooseCatalog")])
    }
}
