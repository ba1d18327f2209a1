import Registry
import Doctor
import PluginCore
import PluginRuntime
import Testing

@Suite("The update report of an installed bundle", .tags(.medium))
struct UpdateReportTests {
    private let host: TestHost

    init() throws { host = try TestHost() }

    private static let lib: BundleIdentifier = "com.example.lib"

    /// Returns the active, the reachable and the newest version, and the obstacle between the last two.
    private func updateReport(_ host: TestHost, _ identifier: BundleIdentifier) throws -> [String] {
        let updateReport = try #require(host.manager.offers.updateReports(of: [identifier]).first)
        return [
            updateReport.active.identity.version.description, updateReport.reachable?.description ?? "?",
            updateReport.newest?.description ?? "none", updateReport.obstacle?.code.name ?? "free",
        ]
    }

    @Test("The newest offered version is reachable if nothing stands in its way")
    func free() async throws {
        try await host.install(SamplePackage())
        #expect(try updateReport(host, TestHost.shop) == ["1.0.0", "1.0.0", "1.0.0", "free"])
        try host.offer(SamplePackage(version: "1.9.0"), SamplePackage(version: "1.10.0"))
        #expect(try updateReport(host, TestHost.shop) == ["1.0.0", "1.10.0", "1.10.0", "free"])
        #expect(try host.manager.offers.updateReports().map(\.isOutdated) == [true])
    }

    @Test("An update goes as far as the bundle's dependents allow, and the obstacle names the dependent")
    func heldBack() async throws {
        let libraries = ["1.0.0", "1.5.0", "2.0.0"].map { SamplePackage(identifier: Self.lib, version: $0) }
        try host.offer(libraries[0], SamplePackage(requires: [Self.lib: "^1.0.0"]))
        try await host.manager.install(Self.lib)
        try await host.manager.install(.shop)
        for library in libraries { try host.offer(library) }
        #expect(try updateReport(host, Self.lib) == ["1.0.0", "1.5.0", "2.0.0", "dependencyConflict"])
        let obstacle = try host.manager.offers.updateReports(of: [Self.lib]).first?.obstacle
        let need = "installedNeeds(bundle: \(TestHost.shop)@1.0.0, other: \(Self.lib), versions: ^1.0.0)"
        #expect(obstacle?.problems.first?.description == need)
        // A newer version of the dependent removes the obstacle.
        try host.offer(SamplePackage(version: "1.1.0", requires: [Self.lib: "*"]))
        #expect(try updateReport(host, Self.lib) == ["1.0.0", "2.0.0", "2.0.0", "free"])
    }

    @Test("Versions that are broken, need another Core or conflict are skipped, and the obstacle says why")
    func unfit() async throws {
        try host.offer(SamplePackage(), SamplePackage(identifier: Self.lib, routes: ["taken"]))
        try await host.manager.install(.shop)
        try await host.manager.install(Self.lib)
        try host.offer(SamplePackage(version: "1.1.0"), SamplePackage(version: "1.2.0", coreABI: 99))
        #expect(try updateReport(host, TestHost.shop) == ["1.0.0", "1.1.0", "1.2.0", "libraryIncompatible"])
        try host.offer(SamplePackage(version: "1.3.0", routes: ["taken"]))
        #expect(try updateReport(host, TestHost.shop) == ["1.0.0", "1.1.0", "1.3.0", "routeConflict"])
        try host.catalog.appending("\(TestHost.shop)-1.4.0.zip").write("no zip")
        #expect(try updateReport(host, TestHost.shop) == ["1.0.0", "1.1.0", "1.4.0", "packageInvalid"])
    }

    @Test("A bundle that the catalog no longer offers has no newest version and no obstacle")
    func gone() async throws {
        let packages = try host.offer(SamplePackage())
        try await host.manager.install(.shop)
        try packages[0].remove()
        #expect(try updateReport(host, TestHost.shop) == ["1.0.0", "1.0.0", "none", "free"])
    }

    @Test("The update report is unknown if the catalog cannot be reached")
    func offline() async throws {
        try await host.install(SamplePackage())
        try host.catalog.remove()
        #expect(try updateReport(host, TestHost.shop) == ["1.0.0", "?", "none", "catalogUnreachable"])
        #expect(try host.manager.offers.updateReports().map(\.isKnown) == [false])
    }

    @Test("Update reports exist for installed bundles only")
    func notInstalled() async throws {
        #expect(try host.manager.offers.updateReports().isEmpty)
        try failing(.bundleNotInstalled) { try host.manager.offers.updateReports(of: [TestHost.shop]) }
    }
}
