import Doctor
import PluginCore
import PluginRouter
import Signing
import Testing
@testable import BundleFormat
@testable import HostSystem
@testable import PluginRuntime
@testable import Registry

@Suite("Installing bundles, and rejected installs", .tags(.medium))
struct InstallTests {
    private let host = TestHost()

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

    @Test("An install is recorded in the registry, the report and the history, and another process reads the same")
    func registered() async throws {
        let groups = ["group.com.example.one", "group.com.example.two"]
        let package = SamplePackage(appGroups: groups, routes: ["shop", "shop/:id"], targets: ["Shop"])
        try host.offer(package)
        let report = try await host.manager.install(.shop)
        #expect(report.isChange && report.before == nil)
        let installed = try #require(try host.registry.active.bundle(.shop))
        #expect(installed.active == report.bundle && installed.previous == nil)
        #expect(try host.another().registry.active.bundle(.shop) == installed && report.bundle.appGroups == groups)
        #expect(installed.active.entry == "libSample.so" && installed.active.digest.count == 64)
        let library = try #require(package.library).count
        let folder = host.sandbox.folder(of: installed.active)
        let sealed = try [Seal.name, Seal.signatureName].map { try folder.appending($0).bytes.count }.reduce(0, +)
        #expect(installed.active.size == Int64(package.manifest.utf8.count + library + 2 + sealed))
        #expect(installed.active.seal.team == TestTeam.name)
        #expect(installed.active.seal.keyID == (try TestTeam.key.get().publicKey.id.description))
        #expect(try host.registry.routes.patterns() == ["shop", "shop/:id"])
        #expect(try host.registry.target(named: "Shop")?.owner == TestHost.shop.text)
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

    @Test("An install replaces a leftover folder and removes leftovers of staging, and leaves both if it is rejected")
    func leftover() async throws {
        let bundle = try await host.install(SamplePackage(routes: ["shop"]))
        let whole = try Tree(host.sandbox.folder(of: bundle))
        let fresh = TestHost(host.root.appending("other"))
        try fresh.offer(SamplePackage(routes: ["shop"]))
        let market = try await fresh.install(SamplePackage(identifier: "com.example.app.market", routes: ["shop"]))
        let folder = fresh.sandbox.folder(of: bundle)
        // Simulates an interrupted install.
        try folder.appending("manifest.json").write("half")
        try folder.appending("Resources/other").write("strange")
        try await fresh.refusal(.routeConflict) { try await fresh.manager.install(.shop) }
        #expect(try folder.appending("manifest.json").text == "half")
        try await fresh.manager.uninstall(market.identity.identifier)
        try fresh.sandbox.staging.appending("left/deep/file").write("half done")
        try fresh.sandbox.staging.appending("file").write("half done")
        try await fresh.manager.install(.shop)
        #expect(try Tree(folder) == whole)
        #expect(try fresh.sandbox.staging.names == [])
    }

    @Test("Reinstalling a version that another process uses leaves its files in place, and replaces no damaged ones")
    func inUse() async throws {
        try await host.install(first: "1.0.0", offering: "1.1.0")
        let other = host.another()
        var resources: BundleResources? = try await other.manager.resources(of: .shop)
        let page = try #require(resources).root.appending("Pages/main.json")
        let number = try FileStamp(of: page)?.text
        try await host.manager.uninstall(.shop)
        try await host.install(version: "1.0.0")
        #expect(try FileStamp(of: page)?.text == number)
        try await host.manager.update(.shop)
        try await host.manager.uninstall(.shop)
        #expect(page.exists)
        #expect(try host.sandbox.staging.names == [])
        try page.remove()
        try await host.refusal(.sandboxBusy, because: "reinstallInUse(bundle: com.example.app.shop@1.0.0)") {
            try await host.install(version: "1.0.0")
        }
        resources = nil
        try await host.install(version: "1.0.0")
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

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let package: SamplePackage?
        let code: AtriumError.Code
        /// The reason, and the only problem, if there is one.
        let (detail, problem): (String?, String?)

        init(
            _ name: String, _ package: SamplePackage?, _ code: AtriumError.Code, _ detail: String? = nil,
            problem: String? = nil
        ) {
            (testDescription, self.package, self.code) = (name, package, code)
            (self.detail, self.problem) = (detail, problem)
        }
    }

    private static let rebuild = "libraryFinding(remedy: rebuildOrCorrectManifest(rebuild: "

    static let cases = [
        Case("a bundle that nobody has", nil, .bundleUnknown),
        Case(
            "no library", SamplePackage(library: nil), .libraryMissing,
            "libraryNotContained(path: lib/\(Platform.triple)/libSample.so)"),
        Case(
            "a library for another platform",
            SamplePackage(library: nil, files: ["lib/m68k-unknown-linux-gnu/libSample.so": "no library"]),
            .libraryMissing, "otherPlatforms(host: \(Platform.triple), platforms: [m68k-unknown-linux-gnu])"),
        Case(
            "an older Core", SamplePackage(coreABI: CoreVersion.abi - 1), .libraryIncompatible,
            problem: rebuild + "rebuildPlugin(core: \(CoreVersion.release))), "
                + "what: manifestABIDiffers(abi: \(CoreVersion.abi - 1), host: \(CoreVersion.abi)))"),
        Case(
            "a newer Core", SamplePackage(coreABI: CoreVersion.abi + 1), .libraryIncompatible,
            problem: rebuild + "rebuildHost), "
                + "what: manifestABIDiffers(abi: \(CoreVersion.abi + 1), host: \(CoreVersion.abi)))"),
        Case(
            "a text in place of a library", SamplePackage(library: Array("no library".utf8)), .libraryUnloadable,
            problem: "libraryFinding(remedy: buildAndPack, what: notELF)"),
        Case(
            "a stray file at the top", SamplePackage(files: ["run.sh": "exit"]), .packageInvalid,
            "itemNotAllowed(allowed: [Resources, lib, manifest.json, signature], item: run.sh)"),
        Case(
            "a stray folder at the top", SamplePackage(files: ["bin/run": "exit"]), .packageInvalid,
            "itemNotAllowed(allowed: [Resources, lib, manifest.json, signature], item: bin)"),
        Case(
            "a requirement that nobody has", SamplePackage(requires: ["com.example.app.account": "^1.0.0"]),
            .requirementUnmet,
            "itRequires(bundle: com.example.app.shop@1.0.0, other: com.example.app.account, state: catalogHasNone, "
                + "versions: ^1.0.0)"),
        Case(
            "another identity than the file name's",
            SamplePackage(version: "2.0.0", fileName: "com.example.app.shop-1.0.0.zip"), .packageInvalid,
            "manifestOfOther(bundle: com.example.app.shop@2.0.0)"),
        Case("a manifest that breaks a rule", SamplePackage(routes: ["shop/:"]), .manifestInvalid),
    ]

    @Test("A rejected install creates nothing if there was no sandbox", arguments: cases)
    func withoutSandbox(_ refused: Case) async throws {
        try refused.package?.write(to: host.catalog)
        let error = try await host.refusal(refused.code) { try await host.manager.install(.shop) }
        if refused.code == .packageInvalid { #expect(error.subject == "com.example.app.shop-1.0.0.zip") }
        if let detail = refused.detail { #expect(error.reason?.description == detail) }
        if let problem = refused.problem { #expect(error.problems.map(\.description) == [problem]) }
        #expect(!host.sandbox.root.exists)
    }

    @Test("A rejected install leaves a sandbox unchanged, and rejects other changes of its request", arguments: cases)
    func besideOthers(_ refused: Case) async throws {
        let (one, other): (BundleIdentifier, BundleIdentifier) = ("com.example.app.one", "com.example.app.zoo")
        try host.offer(SamplePackage(identifier: one), SamplePackage(identifier: other))
        try await host.manager.install(other)
        try host.offer(SamplePackage(identifier: other, version: "1.1.0"))
        try refused.package?.write(to: host.catalog)
        try await host.refusal(refused.code) {
            try await host.manager.change([.install(one), .install(.shop), .update(other)])
        }
    }

    @Test("A reused version number also rejects the other changes of the same request")
    func reusedBesideOthers() async throws {
        try host.offer(SamplePackage(), SamplePackage(identifier: "com.example.app.one"))
        try await host.manager.install(.shop)
        let taken = try host.offer(SamplePackage(files: ["Resources/other": ""]))[0]
        let requests = [ChangeRequest.install("com.example.app.one"), .install(.shop)]
        try await host.refusal(.versionReused) { try await host.manager.change(requests) }
        try taken.write("no archive")
        try await host.refusal(.packageInvalid) { try await host.manager.change(requests) }
    }

    @Test("A package that reuses the number of a kept or staged version is rejected if requested, otherwise skipped")
    func keptReused() async throws {
        try await host.install(SamplePackage(version: "1.0.0"), SamplePackage(version: "1.1.0"))
        try await host.manager.rollBack(.shop)
        try host.offer(SamplePackage(version: "1.1.0", files: ["Resources/other": ""]), SamplePackage(version: "1.2.0"))
        let reused = try host.version("1.1.0")
        try await host.refusal(.versionReused) { try await host.manager.install(.shop, version: reused) }
        try await host.manager.change([.install(.shop)], staging: true)
        try host.offer(SamplePackage(version: "1.2.0", files: ["Resources/other": ""]))
        try await host.refusal(.versionReused) { try await host.install(version: "1.2.0") }
        // Without a requested version both are skipped, and the rolled back one isn't even examined.
        let report = try await host.manager.change([.update(.shop, mayStay: true)])[0]
        #expect(!report.isChange && report.skippedVersions.map(\.error.code) == [.versionReused])
        try await host.refusal(.versionReused) { try await host.manager.update(.shop) }
    }

    private static let market: BundleIdentifier = "com.example.app.market"
    private static let both = "bothProvide(other: \(market), owner: \(TestHost.shop))"

    typealias Declarations = any WritableKeyPath<SamplePackage, [String]> & Sendable

    /// A kind of declarations, one of a package, one of another package that conflicts with it, and the error.
    static let conflicts: [(Declarations, String, String, AtriumError.Code, String)] = [
        (
            \.routes, "item/:number", "item/:id", .routeConflict,
            "routesConflict(conflict: bothMatch(example: item/id), other: \(market), owner: \(TestHost.shop), "
                + "pattern: item/:number)"
        ),
        (\.targets, "Shop", "Shop", .targetConflict, both), (\.services, "Stock", "Stock", .serviceConflict, both),
    ]

    @Test("A conflict of routes, targets or services names both bundles", arguments: conflicts.indices)
    func conflict(index: Int) async throws {
        let (kind, first, second, code, reason) = Self.conflicts[index]
        var package = SamplePackage(identifier: Self.market)
        package[keyPath: kind] = [first]
        try await host.install(package)
        package = SamplePackage(appGroups: ["group.com.example.new"])
        package[keyPath: kind] = ["Other", second]
        try host.offer(package)
        try await host.refusal(code, because: reason, of: second) { try await host.manager.install(.shop) }
        try await host.manager.uninstall(Self.market)
        try await host.manager.install(.shop)
    }

    @Test("A conflict with the host's own target or service names the host", arguments: [true, false])
    func hostsOwn(isTarget: Bool) async throws {
        let host = TestHost { services in
            if isTarget { services.targets = [ActionTarget("Shop", actions: [])] }
            if !isTarget { services.provided = [HostService("Clock") { 1 }] }
        }
        try host.offer(SamplePackage(targets: isTarget ? ["Shop"] : [], services: isTarget ? [] : ["Clock"]))
        let error = try await host.refusal(isTarget ? .targetConflict : .serviceConflict) {
            try await host.manager.install(.shop)
        }
        #expect(error.reason?.description == "bothProvide(other: the host, owner: \(TestHost.shop))")
        #expect(try host.registry.active.identifiers() == [])
    }

    @Test(
        "A package whose content doesn't match its checksum is rejected and leaves nothing",
        arguments: ["plugin_entry_v3", "{}"])
    func damagedContent(text: String) async throws {
        let path = try host.offer(SamplePackage())[0]
        var bytes = try path.bytes
        let start = try #require(bytes.firstRange(of: Array(text.utf8)).map(\.lowerBound))
        bytes[start] ^= 1
        try path.write(bytes)
        let error = try await host.refusal(.packageInvalid) { try await host.manager.install(.shop) }
        #expect(error.subject == "com.example.app.shop-1.0.0.zip")
        #expect(!host.sandbox.root.exists)
    }

    @Test("The error for an unknown bundle or version suggests the nearest")
    func nearest() async throws {
        try host.offer(SamplePackage())
        let misspelled = try await host.refusal(.bundleUnknown) {
            try await host.manager.install("com.example.app.shopp")
        }
        #expect(misspelled.nearest == [TestHost.shop.text])
        let error = try await host.refusal(.versionUnknown) { try await host.install(version: "7.0.0") }
        #expect(error.nearest == ["com.example.app.shop@1.0.0"])
    }

    @Test("A sandbox that cannot be created is reported, and nothing else changes")
    func unwritable() async throws {
        try host.offer(SamplePackage())
        try host.sandbox.root.write("a file where the sandbox should be")
        let before = try Tree(host.root)
        let error = try #require(
            await #expect(throws: AtriumError.self) { try await host.manager.install(.shop) })
        #expect(error.code == .sandboxUnwritable)
        #expect(try Tree(host.root) == before)
    }

    @Test(
        "Created parts of the sandbox are removed if another part or the bundle's container cannot be created",
        arguments: [\.hostData, \.containers] as [any KeyPath<Sandbox, FilePath> & Sendable])
    func partlyUnwritable(part: any KeyPath<Sandbox, FilePath> & Sendable) async throws {
        try host.offer(SamplePackage(appGroups: ["group.com.example.new"]))
        try host.sandbox[keyPath: part].write("a file where a folder should be")
        try await host.refusal(.sandboxUnwritable) { try await host.manager.install(.shop) }
    }

    @Test("Everything in place is removed again if the registry cannot be created, and a rebuild helps")
    func registryUnwritable() async throws {
        try host.offer(SamplePackage())
        try host.sandbox.registry.makeFolder()
        try await host.refusal(.registryDamaged) { try await host.manager.install(.shop) }
        try host.sandbox.registry.remove()
        try FilePath(host.sandbox.registry.string + "-journal").makeFolder()
        try await host.refusal(.registryDamaged) { try await host.manager.install(.shop) }
        _ = try await host.rebuild()
        try await host.manager.install(.shop)
    }
}
