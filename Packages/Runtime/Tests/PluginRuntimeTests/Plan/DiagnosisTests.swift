import Doctor
import FoundationEssentials
import PluginCore
import PluginRuntime
import Registry
import SQLite
import Testing

@Suite("Diagnosis and update report of a bundle", .tags(.medium))
struct DiagnosisTests {
    private let host = TestHost()

    private static let lib: BundleIdentifier = "com.example.lib"

    /// Returns each finding's topic with its reason, or with the code of its obstacle.
    private func findings(_ host: TestHost, _ identifier: BundleIdentifier = TestHost.shop) throws -> [String] {
        try host.manager.diagnosis(of: identifier).findings.map { finding in
            "\(finding.topic): \(finding.obstacle?.code.name ?? finding.reason.description)"
        }
    }

    @Test("The diagnosis of a bundle that isn't installed lists offered versions and obstacles, or the nearest bundle")
    func notInstalled() async throws {
        try host.offer(
            SamplePackage(), SamplePackage(version: "1.1.0", coreABI: 99),
            SamplePackage(version: "1.2.0", requires: [Self.lib: "^1.0.0"]))
        let error = try failing(.bundleUnknown) { try host.manager.diagnosis(of: "com.example.app.shpo") }
        #expect(error.nearest == [TestHost.shop.text])
        #expect(
            try findings(host) == [
                "installed: notInstalled", "offered: catalogHas(versions: [1.2.0, 1.1.0, 1.0.0])",
                "refused: requirementUnmet", "refused: libraryIncompatible",
            ])
        #expect(try host.manager.diagnosis(of: .shop).installable?.description == "1.0.0")
        try await host.install(version: "1.0.0")
        try await host.manager.uninstall(.shop)
        #expect(try findings(host).first == "installed: notInstalledSince(event: uninstalled, version: 1.0.0)")
    }

    @Test("The diagnosis of an installed bundle lists its requirements, its dependents and whether it can be loaded")
    func installed() async throws {
        try host.offer(
            SamplePackage(identifier: Self.lib),
            SamplePackage(requires: [Self.lib: "^1.0.0"], calls: ["com.example.a": "*"]),
            SamplePackage(identifier: "com.example.a", kind: "assets", calls: [Self.lib: ">=1.0.0"], library: nil))
        for identifier in [Self.lib, TestHost.shop] { try await host.manager.install(identifier) }
        #expect(
            try findings(host) == [
                "installed: versionActive(version: 1.0.0)", "offered: catalogHas(versions: [1.0.0])",
                "needs: requirementOnDemand(requirement: "
                    + "requirementState(bundle: com.example.a, state: notInstalled, versions: *))",
                "needs: requirementState(bundle: com.example.lib, state: versionActive(version: 1.0.0), versions: ^1.0.0)",
                "code: loadable",
            ])
        try await host.manager.install("com.example.a")
        #expect(try findings(host, "com.example.a").contains("code: noCode"))
        #expect(
            try findings(host, Self.lib).filter { $0.hasPrefix("neededBy") } == [
                "neededBy: neededOnDemand(bundle: com.example.a@1.0.0, versions: >=1.0.0)",
                "neededBy: neededBy(bundle: com.example.app.shop@1.0.0, versions: ^1.0.0)",
            ])
    }

    @Test("The diagnosis of a staged version says when it becomes active or why it cannot, and recommends newer ones")
    func staged() async throws {
        let package = { SamplePackage(version: $0, kind: "assets", requires: $1, library: nil) }
        try host.offer(
            SamplePackage(identifier: Self.lib, kind: "assets", library: nil), package("1.0.0", [:]),
            package("1.1.0", [Self.lib: "^1.0.0"]))
        try await host.manager.install(Self.lib)
        try await host.manager.change([.install(.shop)], staging: true)
        #expect(
            try findings(host) == [
                "installed: notInstalled",
                "staged: stagedForNextStart(version: 1.1.0)",
                "offered: catalogHas(versions: [1.1.0, 1.0.0])",
            ])
        #expect(try host.manager.diagnosis(of: .shop).installable == nil)
        let error = #expect(throws: AtriumError.self) { try host.manager.registry.requireInstalled(.shop) }
        #expect(error?.reason?.description == "versionStaged(version: 1.1.0)")
        let checked = try #require(host.findings().first { $0.check == .staged })
        #expect(checked.severity == .notice && checked.subject == TestHost.shop.text)
        #expect(checked.what == ErrorReason("stagedForNextStart", ["version": "1.1.0"]))
        try host.offer(SamplePackage(identifier: Self.lib, version: "2.0.0", kind: "assets", library: nil))
        try await host.manager.update(Self.lib)
        #expect(try findings(host)[1] == "staged: requirementUnmet")
    }

    @Test("The diagnosis of an unmet requirement names the command that installs it, or that it is unobtainable")
    func unmet() async throws {
        try host.offer(
            SamplePackage(identifier: Self.lib, kind: "assets", library: nil),
            SamplePackage(kind: "assets", requires: [Self.lib: "^1.0.0"], library: nil))
        try await host.manager.install(.shop)
        try host.database().execute("DELETE FROM active WHERE identifier = ?", Self.lib)
        let other = host.another()
        let need = try #require(try other.manager.diagnosis(of: .shop).findings.first { $0.topic == .needs })
        #expect(need.obstacle == nil && need.remedy == ErrorReason("runInstall", ["bundle": "\(TestHost.shop)@1.0.0"]))
        #expect(
            need.reason.description
                == "requirementOffered(requirement: "
                + "requirementState(bundle: \(Self.lib), state: notInstalled, versions: ^1.0.0), version: 1.0.0)")
        try host.catalog.appending("\(Self.lib)-1.0.0.zip").remove()
        #expect(try findings(other).contains("needs: dependencyConflict"))
    }

    @Test("The diagnosis explains at most four unobtainable versions and counts the others")
    func many() async throws {
        try await host.install(SamplePackage(kind: "assets", library: nil))
        for minor in 1...12 {
            try host.offer(
                SamplePackage(
                    version: "1.\(minor).0", kind: "assets", requires: minor > 2 ? [Self.lib: "^1.0.0"] : [:],
                    library: nil))
        }
        let diagnosis = try host.manager.diagnosis(of: .shop)
        #expect(diagnosis.installable?.description == "1.2.0" && diagnosis.obstacles.count == 4)
        #expect(diagnosis.findings.filter { $0.topic == .refused }.last?.reason == ErrorReason("more", ["count": 6]))
        #expect(try host.manager.offers.updateReports().first?.reachable?.description == "1.2.0")
    }

    @Test("Different content under the installed version is reported, and a version that can no longer be loaded")
    func repacked() async throws {
        let bundle = try await host.install(SamplePackage())
        #expect(try host.manager.offers.otherContent(of: bundle) == nil)
        try host.offer(SamplePackage(files: ["Resources/Pages/main.json": "{ }"]))
        #expect(try host.manager.diagnosis(of: .shop).obstacles.map(\.code) == [.versionReused])
        #expect(try host.manager.offers.updateReports().map(\.obstacle?.code) == [.versionReused])
        #expect(try host.manager.offers.otherContent(of: bundle)?.code == .versionReused)
        try host.catalog.remove()
        let folder = host.sandbox.folder(of: bundle)
        #expect(try findings(host).contains("offered: catalogUnreachable"))
        try FileManager.default.moveItem(atPath: folder.string, toPath: folder.string + ".away")
        #expect(try findings(host).last == "code: bundleUnavailable")
    }

    /// Returns the active, the reachable and the newest version, and the obstacle between the last two.
    private func updateReport(_ host: TestHost, _ identifier: BundleIdentifier) throws -> [String] {
        let updateReport = try #require(host.manager.offers.updateReports(of: [identifier]).first)
        return [
            updateReport.active.identity.version.description, updateReport.reachable?.description ?? "?",
            updateReport.newest?.description ?? "none", updateReport.obstacle?.code.name ?? "free",
        ]
    }

    @Test("The newest offered version of an installed bundle is reachable if nothing stands in its way")
    func free() async throws {
        #expect(try host.manager.offers.updateReports().isEmpty)
        try failing(.bundleNotInstalled) { try host.manager.offers.updateReports(of: [TestHost.shop]) }
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

    @Test("A bundle without an offer has no newest version, and nothing is known if the catalog cannot be reached")
    func gone() async throws {
        let packages = try host.offer(SamplePackage())
        try await host.manager.install(.shop)
        try packages[0].remove()
        #expect(try updateReport(host, TestHost.shop) == ["1.0.0", "1.0.0", "none", "free"])
        try host.catalog.remove()
        #expect(try updateReport(host, TestHost.shop) == ["1.0.0", "?", "none", "catalogUnreachable"])
        #expect(try host.manager.offers.updateReports().map(\.isKnown) == [false])
    }
}
