import BundleFormat
import Doctor
import PluginCore
import PluginRuntime
import Testing
@testable import Registry
@testable import HostSystem

@Suite("Rejected installs", .tags(.medium))
struct RefusalTests {
    private let host: TestHost

    init() throws { host = try TestHost() }

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

    @Test(
        "A rejected install leaves an existing sandbox unchanged, and rejects the other changes of the same request",
        arguments: cases)
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
        let requests = [InstallRequest.install("com.example.app.one"), .install(.shop)]
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

    /// A package, one that conflicts with it, and the error: its code, its subject, and its reason.
    static let conflicts: [(SamplePackage, SamplePackage, AtriumError.Code, String, String)] = {
        let market: BundleIdentifier = "com.example.app.market"
        let both = "bothProvide(other: \(market), owner: \(TestHost.shop))"
        let bothMatch = "conflict: bothMatch(example: item/id), other: \(market), owner: \(TestHost.shop)"
        return [
            (
                SamplePackage(identifier: market, routes: ["item/:number"]), SamplePackage(routes: ["a", "item/:id"]),
                .routeConflict, "item/:id", "routesConflict(\(bothMatch), pattern: item/:number)"
            ),
            (
                SamplePackage(identifier: market, targets: ["Shop"]), SamplePackage(routes: ["a"], targets: ["Shop"]),
                .targetConflict, "Shop", both
            ),
            (
                SamplePackage(identifier: market, services: ["Stock"]), SamplePackage(services: ["Prices", "Stock"]),
                .serviceConflict, "Stock", both
            ),
        ]
    }()

    @Test("A conflict of routes, targets or services names both bundles", arguments: conflicts.indices)
    func conflict(index: Int) async throws {
        let (first, second, code, subject, reason) = Self.conflicts[index]
        try await host.install(first)
        var package = second
        package.appGroups = ["group.com.example.new"]
        try host.offer(package)
        try await host.refusal(code, because: reason, of: subject) { try await host.manager.install(.shop) }
        try await host.manager.uninstall(first.identifier)
        try await host.manager.install(.shop)
    }

    @Test("A conflict with the host's own target or service names the host", arguments: [true, false])
    func hostsOwn(isTarget: Bool) async throws {
        let host = try TestHost { services in
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
        arguments: ["plugin_entry_v2", "{}"])
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

    @Test("Everything in place is removed again if the registry cannot be created")
    func registryIsFolder() async throws {
        try host.offer(SamplePackage())
        try host.sandbox.registry.makeFolder()
        try await host.refusal(.registryDamaged) { try await host.manager.install(.shop) }
    }

    @Test("Rebuilding the registry makes it possible to install again after its creation failed")
    func registryUnwritable() async throws {
        try host.offer(SamplePackage())
        try FilePath(host.sandbox.registry.string + "-journal").makeFolder()
        try await host.refusal(.registryDamaged) { try await host.manager.install(.shop) }
        _ = try await host.rebuild()
        try await host.manager.install(.shop)
    }
}
