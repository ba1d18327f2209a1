import PluginCore
import PluginRouter
@testable import BundleFormat
@testable import Registry
@testable import HostSystem
@testable import PluginRuntime
import Signing
import Testing

@Suite("Installing bundles", .tags(.medium))
struct InstallTests {
    private let host: TestHost

    init() throws { host = try TestHost() }

    @Test("An install creates a read-only version folder, containers and app groups")
    func layout() async throws {
        let bundle = try await host.install(
            SamplePackage(appGroups: ["group.com.example"], files: ["Resources/a/b.txt": "text"]))
        let version = "./Containers/Bundle/Plugins/com.example.app.shop/1.0.0-\(bundle.digest.prefix(12))"
        let library = "\(version)/lib/\(Platform.triple)/libSample.so"
        let (data, group) = (
            "./Containers/Data/Plugins/com.example.app.shop/0", "./Containers/Shared/AppGroup/group.com.example"
        )
        let paths = try host.tree.paths
        // The other folders are the parents of these items.
        #expect(
            paths.filter { path in !paths.contains { $0.hasPrefix(path + "/") } } == [
                "./Containers/Bundle/CrashLogs", "\(version)/Resources/a/b.txt", library, "\(version)/manifest.json",
                "\(version)/signature/seal.json", "\(version)/signature/seal.json.minisig",
                "./Containers/Bundle/registry.sqlite", "./Containers/Data/Host/Documents",
                "./Containers/Data/Host/Library", "./Containers/Data/Host/tmp", "\(data)/Documents",
                "\(data)/Library/Caches", "\(data)/tmp", "\(group)/Documents", "\(group)/Library/Caches",
                "./Containers/Staging",
            ])
        let lines = try host.tree.description.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("\(version)/Resources/a/b.txt file 444 ") })
        #expect(lines.contains { $0.hasPrefix("\(library) file 555 ") } && lines.contains("\(version) folder 755"))
    }

    @Test("An install is recorded in the registry, the report and the history")
    func registered() async throws {
        let package = SamplePackage(routes: ["shop", "shop/:id"], targets: ["Shop"])
        try host.offer(package)
        let report = try await host.manager.install(.shop)
        #expect(report.isChange && report.before == nil)
        let installed = try #require(try host.registry.active.bundle(.shop))
        #expect(installed.active == report.bundle && installed.previous == nil)
        #expect(installed.active.entry == "libSample.so" && installed.active.digest.count == 64)
        let library = try #require(package.library).count
        let folder = host.sandbox.folder(of: installed.active)
        let sealed = try [Seal.name, Seal.signatureName].map { try folder.appending($0).bytes.count }.reduce(0, +)
        #expect(installed.active.size == Int64(package.manifest.utf8.count + library + 2 + sealed))
        #expect(installed.active.seal.team == TestTeam.name)
        #expect(installed.active.seal.keyID == (try TestTeam.key.get().publicKey.id.description))
        #expect(try host.registry.routes.patterns() == ["shop", "shop/:id"])
        #expect(try host.registry.targets.target(named: "Shop")?.owner == TestHost.shop.text)
        #expect(try host.registry.active.identifiers() == [TestHost.shop])
        #expect(try host.registry.versions.manifest(of: installed.active).routes.count == 2)
        let history = try #require(try host.registry.history.all().first)
        #expect((history.event, history.version, history.before) == (.installed, "1.0.0", nil))
    }

    @Test("An install takes the newest version or the requested one, but none below the active one")
    func whichVersion() async throws {
        try await host.install(first: "1.9.0", offering: "1.10.0")
        #expect(try host.versions() == ["1.9.0", nil])
        #expect(try await host.manager.install(.shop).before?.identity.version.description == "1.9.0")
        #expect(try host.versions() == ["1.10.0", "1.9.0"])
        let error = try await host.refusal(.downgrade, of: "com.example.app.shop@1.9.0") {
            try await host.install(version: "1.9.0")
        }
        #expect(error.reason?.description == "versionActive(version: 1.10.0)")
    }

    @Test("An install reports download, staging and verification in this order")
    func events() async throws {
        try await host.install(SamplePackage())
        #expect(
            host.states(of: "com.example.app.shop@1.0.0") == [
                "known", "downloading", "staged", "verified", "installed",
            ])
        let total = try host.bundle().size
        let downloads = host.events.compactMap { event in
            if case .downloading(let done, let total, _) = event.state { [done, total] } else { nil }
        }
        #expect(downloads.first == [0, UInt64(total)])
        #expect(downloads.last == [UInt64(total), UInt64(total)])
    }

    @Test("Installing the active version again changes nothing, and is rejected with different content")
    func reusedVersion() async throws {
        try await host.install(SamplePackage())
        let before = try host.tree
        #expect(try await !host.manager.install(.shop).isChange)
        #expect(try host.tree == before)
        try host.offer(SamplePackage(files: ["Resources/Pages/main.json": "[]"]))
        let error = try await host.refusal(.versionReused) { try await host.manager.install(.shop) }
        #expect(error.subject == "com.example.app.shop@1.0.0")
    }

    @Test("A requirement isn't met by a version older than the installed one")
    func requirementBelowInstalled() async throws {
        let account: BundleIdentifier = "com.example.app.account"
        try host.offer(
            SamplePackage(requires: [account: "^1.0.0"]), SamplePackage(identifier: account, version: "1.0.0"),
            SamplePackage(identifier: account, version: "2.0.0")
        )
        try await host.manager.install(account)
        let error = try await host.refusal(.requirementUnmet) { try await host.manager.install(.shop) }
        #expect(error.reason?.name == "itRequires" && error.reason?.values["versions"] == "^1.0.0")
        #expect(error.reason?.values["state"] == .reason(ErrorReason("versionInstalled", ["version": "2.0.0"])))
    }

    @Test("An install brings its requirements in a matching version or fails")
    func requirements() async throws {
        let account: BundleIdentifier = "com.example.app.account"
        try host.offer(SamplePackage(requires: [account: "^2.0.0"]))
        try await host.refusal(.requirementUnmet) { try await host.manager.install(.shop) }
        try host.offer(SamplePackage(identifier: account, version: "1.0.0"))
        let error = try await host.refusal(.requirementUnmet) { try await host.manager.install(.shop) }
        #expect(error.reason?.values["state"] == .reason(ErrorReason("catalogHas", ["versions": ["1.0.0"]])))
        let offer = try host.offer(SamplePackage(identifier: account, version: "2.1.0"))
        try await host.manager.install(.shop)
        #expect(try host.registry.active.identifiers() == [account, TestHost.shop])
        #expect(try host.registry.history.all().map(\.identifier) == [account, TestHost.shop])
        try await host.manager.uninstall(.shop)
        try offer[0].remove()
        try await host.manager.install(.shop)
    }

    @Test("An install replaces a leftover folder that the registry doesn't know, and removes leftovers of staging")
    func leftover() async throws {
        let bundle = try await host.install(SamplePackage())
        let whole = try Tree(host.sandbox.folder(of: bundle))
        let fresh = try TestHost(host.root.appending("other"))
        try fresh.offer(SamplePackage())
        let folder = fresh.sandbox.folder(of: bundle)
        // Simulates an interrupted install.
        _ = try fresh.sandbox.prepare()
        _ = try fresh.registry.begin()
        try folder.appending("manifest.json").write("half")
        try folder.appending("Resources/other").write("strange")
        try fresh.sandbox.staging.appending("left/deep/file").write("half done")
        try fresh.sandbox.staging.appending("file").write("half done")
        try await fresh.manager.install(.shop)
        #expect(try Tree(folder) == whole)
        #expect(try fresh.sandbox.staging.names == [])
    }

    @Test("Reinstalling a version that another process uses leaves its files in place")
    func inUse() async throws {
        try await host.install(first: "1.0.0", offering: "1.1.0")
        let other = try host.another()
        let page = try await other.manager.resources(of: .shop).root.appending("Pages/main.json")
        let number = try FileStamp(of: page)?.text
        try await host.manager.uninstall(.shop)
        try await host.install(version: "1.0.0")
        #expect(try FileStamp(of: page)?.text == number)
        try await host.manager.update(.shop)
        try await host.manager.uninstall(.shop)
        #expect(page.exists)
        #expect(try host.sandbox.staging.names == [])
    }

    @Test("Damaged files are replaced only when no process uses them anymore")
    func damagedInUse() async throws {
        let bundle = try await host.install(SamplePackage())
        let other = try host.another()
        _ = try await other.manager.resources(of: .shop)
        try await host.manager.uninstall(.shop)
        let page = host.sandbox.folder(of: bundle).appending("Resources/Pages/main.json")
        try page.remove()
        let error = try await host.refusal(.sandboxBusy) { try await host.manager.install(.shop) }
        #expect(error.reason?.description == "reinstallInUse(bundle: com.example.app.shop@1.0.0)")
        await other.manager.deactivateAll()
        try await host.manager.install(.shop)
        #expect(page.exists)
    }

    @Test("A version that has run successfully is still known to have after it is activated again")
    func runRecordedOnce() async throws {
        let newest = try await host.install(first: "1.0.0", offering: "1.1.0")
        try host.registry.recordSuccessfulRun(newest)
        try await host.manager.update(.shop)
        try host.recordRun()
        try await host.manager.rollBack(.shop)
        try await host.manager.update(.shop)
        #expect(try host.registry.active.bundle(.shop)?.active.hasRunSince != nil)
    }

    @Test("A leftover folder is restored if the registry rejects the install")
    func leftoverAfterRefusal() async throws {
        let bundle = try await host.install(SamplePackage(routes: ["shop"]))
        let fresh = try TestHost(host.root.appending("other"))
        try fresh.offer(SamplePackage(routes: ["shop"]))
        try await fresh.install(SamplePackage(identifier: "com.example.app.market", routes: ["shop"]))
        let folder = fresh.sandbox.folder(of: bundle)
        try folder.appending("manifest.json").write("half")
        try await fresh.refusal(.routeConflict) { try await fresh.manager.install(.shop) }
        #expect(try folder.appending("manifest.json").text == "half")
    }

    @Test("Concurrent installs all succeed, and each bundle is installed once")
    func concurrently() async throws {
        let identifiers = try (0..<8).map { try #require(BundleIdentifier("com.example.app.b\($0)")) }
        for identifier in identifiers { try host.offer(SamplePackage(identifier: identifier)) }
        try await withThrowingTaskGroup { group in
            for identifier in identifiers + identifiers {
                group.addTask { _ = try await host.manager.install(identifier) }
            }
            try await group.waitForAll()
        }
        #expect(try host.registry.active.identifiers() == identifiers)
        #expect(try host.registry.history.all().count == identifiers.count)
        for bundle in try host.registry.active.all().map(\.active) { #expect(host.sandbox.folder(of: bundle).exists) }
        #expect(!host.sandbox.lock.exists)
    }
}
