import BundleFormat
import Doctor
import PluginCore
import PluginRouter
import PluginRuntime
import Testing
@testable import Registry
@testable import HostSystem

@Suite("Rejected installs", .tags(.medium))
struct RefusalTests {
    private let host: TestHost

    init() throws { host = try TestHost() }

    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let package: SamplePackage?
        let code: AtriumError.Code
        var detail = ""
        var problem: String?
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "a bundle that nobody has", package: nil, code: .bundleUnknown),
        Case(
            name: "no library", package: SamplePackage(library: nil), code: .libraryMissing,
            detail: "libraryNotContained(path: lib/\(Platform.triple)/libSample.so)"),
        Case(
            name: "a library for another platform",
            package: SamplePackage(library: nil, files: ["lib/m68k-unknown-linux-gnu/libSample.so": "no library"]),
            code: .libraryMissing,
            detail: "otherPlatforms(host: \(Platform.triple), platforms: [m68k-unknown-linux-gnu])"),
        Case(
            name: "an older Core", package: SamplePackage(coreABI: CoreVersion.abi - 1), code: .libraryIncompatible,
            problem:
                "libraryFinding(remedy: rebuildOrCorrectManifest(rebuild: rebuildPlugin(core: \(CoreVersion.release))), "
                + "what: manifestABIDiffers(abi: \(CoreVersion.abi - 1), host: \(CoreVersion.abi)))"),
        Case(
            name: "a newer Core", package: SamplePackage(coreABI: CoreVersion.abi + 1), code: .libraryIncompatible,
            problem:
                "libraryFinding(remedy: rebuildOrCorrectManifest(rebuild: rebuildHost), "
                + "what: manifestABIDiffers(abi: \(CoreVersion.abi + 1), host: \(CoreVersion.abi)))"),
        Case(
            name: "a library that is none", package: SamplePackage(library: Array("no library".utf8)),
            code: .libraryUnloadable,
            problem:
                "libraryFinding(remedy: buildAndPack, what: notELF)"
        ),
        Case(
            name: "a stray file at the top", package: SamplePackage(files: ["run.sh": "exit"]), code: .packageInvalid,
            detail: "itemNotAllowed(allowed: [Resources, lib, manifest.json, signature], item: run.sh)"),
        Case(
            name: "a stray folder at the top", package: SamplePackage(files: ["bin/run": "exit"]),
            code: .packageInvalid,
            detail: "itemNotAllowed(allowed: [Resources, lib, manifest.json, signature], item: bin)"),
        Case(
            name: "a requirement that nobody has",
            package: SamplePackage(requires: ["com.example.app.account": "^1.0.0"]), code: .requirementUnmet,
            detail:
                "itRequires(bundle: com.example.app.shop@1.0.0, other: com.example.app.account, state: catalogHasNone, versions: ^1.0.0)"
        ),
        Case(
            name: "another identity than the file name's",
            package: SamplePackage(version: "2.0.0", fileName: "com.example.app.shop-1.0.0.zip"), code: .packageInvalid,
            detail: "manifestOfOther(bundle: com.example.app.shop@2.0.0)"),
        Case(name: "a manifest that breaks a rule", package: SamplePackage(routes: ["shop/:"]), code: .manifestInvalid),
    ]

    @Test("A rejected install creates nothing if there was no sandbox", arguments: cases)
    func withoutSandbox(_ refused: Case) async throws {
        try refused.package?.write(to: host.catalog)
        let error = try await host.refusal(refused.code) { try await host.manager.install(TestHost.shop) }
        if !refused.detail.isEmpty { #expect(error.reason?.description == refused.detail) }
        if let problem = refused.problem { #expect(error.problems.map(\.description) == [problem]) }
        #expect(!host.sandbox.root.exists)
    }

    @Test("A rejected install also rejects the other changes of the same request", arguments: cases)
    func besideOthers(_ refused: Case) async throws {
        let (one, other): (BundleIdentifier, BundleIdentifier) = ("com.example.app.one", "com.example.app.zoo")
        try host.offer(SamplePackage(identifier: one), SamplePackage(identifier: other))
        try await host.manager.install(other)
        try host.offer(SamplePackage(identifier: other, version: "1.1.0"))
        try refused.package?.write(to: host.catalog)
        try await host.refusal(refused.code) {
            try await host.manager.change([.install(one), .install(TestHost.shop), .update(other)])
        }
    }

    @Test("A reused version number also rejects the other changes of the same request")
    func reusedBesideOthers() async throws {
        try host.offer(SamplePackage(), SamplePackage(identifier: "com.example.app.one"))
        try await host.manager.install(TestHost.shop)
        let taken = try host.offer(SamplePackage(files: ["Resources/other": ""]))[0]
        let requests = [InstallRequest.install("com.example.app.one"), .install(TestHost.shop)]
        try await host.refusal(.versionReused) { try await host.manager.change(requests) }
        try taken.write("no archive")
        try await host.refusal(.packageInvalid) { try await host.manager.change(requests) }
    }

    @Test("A package that reuses the number of a kept or staged version is rejected if requested, otherwise skipped")
    func keptReused() async throws {
        try await host.install(SamplePackage(version: "1.0.0"), SamplePackage(version: "1.1.0"))
        try await host.manager.rollBack(TestHost.shop)
        try host.offer(SamplePackage(version: "1.1.0", files: ["Resources/other": ""]), SamplePackage(version: "1.2.0"))
        let reused = try host.version("1.1.0")
        try await host.refusal(.versionReused) { try await host.manager.install(TestHost.shop, version: reused) }
        try await host.manager.change([.install(TestHost.shop)], staging: true)
        try host.offer(SamplePackage(version: "1.2.0", files: ["Resources/other": ""]))
        try await host.refusal(.versionReused) { try await host.install(version: "1.2.0") }
        // Without a requested version both are skipped, and the rolled back one isn't even examined.
        let report = try await host.manager.change([.update(TestHost.shop, mayStay: true)])[0]
        #expect(!report.isChange)
        #expect(report.skippedVersions.map(\.error.code) == [.versionReused])
        try await host.refusal(.versionReused) { try await host.manager.update(TestHost.shop) }
    }

    @Test("A rejected install leaves an existing sandbox unchanged", arguments: cases)
    func inSandbox(_ refused: Case) async throws {
        try await host.install(SamplePackage(identifier: "com.example.app.other", routes: ["other"]))
        try refused.package?.write(to: host.catalog)
        try await host.refusal(refused.code) { try await host.manager.install(TestHost.shop) }
        #expect(try host.registry.active.identifiers() == ["com.example.app.other"])
        #expect(try host.registry.history.all().count == 1)
    }

    @Test("A conflict of routes or targets names both bundles", arguments: [true, false])
    func conflict(isRoute: Bool) async throws {
        let market: BundleIdentifier = "com.example.app.market"
        try host.offer(
            SamplePackage(
                appGroups: ["group.com.example.new"], routes: isRoute ? ["a", "item/:id"] : ["a"], targets: ["Shop"]
            ),
            SamplePackage(identifier: market, routes: isRoute ? ["item/:number"] : [], targets: isRoute ? [] : ["Shop"])
        )
        try await host.manager.install(market)
        let error = try await host.refusal(isRoute ? .routeConflict : .targetConflict) {
            try await host.manager.install(TestHost.shop)
        }
        #expect(error.subject == (isRoute ? "item/:id" : "Shop"))
        let detail =
            isRoute
            ? "routesConflict(conflict: bothMatch(example: item/id), other: \(market), owner: \(TestHost.shop), pattern: item/:number)"
            : "bothProvide(other: \(market), owner: \(TestHost.shop))"
        #expect(error.reason?.description == detail)
        #expect(try host.registry.targets.target(named: "Shop")?.owner == (isRoute ? nil : market.text))
    }

    @Test("A conflict with the host's own target or service names the host", arguments: [true, false])
    func hostsOwn(isTarget: Bool) async throws {
        let host = try TestHost { services in
            if isTarget { services.targets = [ActionTarget("Shop", actions: [])] }
            if !isTarget { services.provided = [HostService("Clock") { 1 }] }
        }
        try host.offer(SamplePackage(targets: isTarget ? ["Shop"] : [], services: isTarget ? [] : ["Clock"]))
        let error = try await host.refusal(isTarget ? .targetConflict : .serviceConflict) {
            try await host.manager.install(TestHost.shop)
        }
        #expect(error.reason?.description == "bothProvide(other: the host, owner: \(TestHost.shop))")
        #expect(try host.registry.active.identifiers() == [])
    }

    @Test(
        "A package whose content doesn't match its checksum is rejected and leaves nothing",
        arguments: ["plugin_entry_v2", "{}"])
    func damagedContent(text: String) async throws {
        let path = try host.offer(SamplePackage())[0]
        var bytes = try path.bytes
        let start = try #require(bytes.firstRange(of: Array(text.utf8)).map(\.lowerBound))
        bytes[start] ^= 1
        try path.write(bytes)
        let error = try await host.refusal(.packageInvalid) { try await host.manager.install(TestHost.shop) }
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

    @Test("A missing catalog is reported as unreachable")
    func noCatalog() async throws {
        try host.catalog.remove()
        try await host.refusal(.catalogUnreachable) { try await host.manager.install(TestHost.shop) }
    }

    @Test("A sandbox that cannot be created is reported, and nothing else changes")
    func unwritable() async throws {
        try host.offer(SamplePackage())
        try host.sandbox.root.write("a file where the sandbox should be")
        let before = try Tree(host.root)
        let error = try #require(
            await #expect(throws: AtriumError.self) { try await host.manager.install(TestHost.shop) })
        #expect(error.code == .sandboxUnwritable)
        #expect(try Tree(host.root) == before)
    }

    @Test(
        "Created parts of the sandbox are removed if another part or the bundle's container cannot be created",
        arguments: [\.hostData, \.containers] as [any KeyPath<Sandbox, FilePath> & Sendable])
    func partlyUnwritable(part: any KeyPath<Sandbox, FilePath> & Sendable) async throws {
        try host.offer(SamplePackage(appGroups: ["group.com.example.new"]))
        try host.sandbox[keyPath: part].write("a file where a folder should be")
        try await host.refusal(.sandboxUnwritable) { try await host.manager.install(TestHost.shop) }
    }

    @Test("Everything in place is removed again if the registry cannot be created")
    func registryIsFolder() async throws {
        try host.offer(SamplePackage())
        try host.sandbox.registry.makeFolder()
        try await host.refusal(.registryDamaged) { try await host.manager.install(TestHost.shop) }
    }

    @Test("Rebuilding the registry makes it possible to install again after its creation failed")
    func registryUnwritable() async throws {
        try host.offer(SamplePackage())
        try FilePath(host.sandbox.registry.string + "-journal").makeFolder()
        try await host.refusal(.registryDamaged) { try await host.manager.install(TestHost.shop) }
        _ = try await RegistryRebuild(of: host.manager).run()
        try await host.manager.install(TestHost.shop)
    }
}
