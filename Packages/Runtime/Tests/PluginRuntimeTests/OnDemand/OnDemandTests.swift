@testable import BundleFormat
import Glibc
import HostSystem
import FoundationEssentials
import PluginCatalog
import PluginCore
import PluginRouter
import Synchronization
import Testing

@testable import Registry
@testable import PluginRuntime

@Suite("On-demand installs", .tags(.large))
struct OnDemandTests {
    private let host = TestHost()

    static let other: BundleIdentifier = "com.example.app.other"
    static let cases: [(package: SamplePackage, code: AtriumError.Code)] = [
        // A requirement that nobody meets, and one above what can be had.
        (SamplePackage(requires: ["com.example.app.account": "^1.0.0"], routes: ["shop"]), .requirementUnmet),
        (SamplePackage(requires: [other: "^2.0.0"], routes: ["shop"]), .requirementUnmet),
        // A route, a target and a service of another bundle.
        (SamplePackage(routes: ["shop", "item/:number(/:tab)"]), .routeConflict),
        (SamplePackage(routes: ["shop"], targets: ["Other"]), .targetConflict),
        (SamplePackage(routes: ["shop"], services: ["Stock"]), .serviceConflict),
        // A newer Core.
        (SamplePackage(coreABI: CoreVersion.abi + 1, routes: ["shop"]), .libraryIncompatible),
    ]

    @Test("A bundle whose manifest rules out its install is no provider of an address", arguments: cases.indices)
    func refused(index: Int) async throws {
        let refused = Self.cases[index]
        try host.offer(
            SamplePackage(identifier: Self.other, routes: ["item/:id"], targets: ["Other"], services: ["Stock"]),
            refused.package)
        try await host.manager.install(Self.other)
        let router = host.router
        try router.fallback(.everything, to: .handler { _ in .object("fallback") })
        #expect(try await host.provider(of: "app://shop").bundle == nil)
        #expect(try await !router.canOpen(ResourceURI("app://shop")))
        // Opening the address throws the same error as installing the bundle.
        let opening = try await host.refusal(refused.code) { try await router.open("app://shop") }
        let installing = try await host.refusal(refused.code) { try await host.manager.install(.shop) }
        #expect(opening.subject == installing.subject && opening.reason == installing.reason)
        #expect(opening.problems.map(\.description).first == installing.problems.map(\.description).first)
    }

    @Test("The provider is chosen among versions that aren't quarantined, and without one the error says so")
    func quarantined() async throws {
        try host.offer(SamplePackage(routes: ["shop"]), SamplePackage(version: "2.0.0", routes: ["shop", "new"]))
        try await host.install(SamplePackage(identifier: Self.other))
        try host.block("2.0.0")
        #expect(try await host.provider(of: "app://shop").bundle == TestHost.shop.text)
        #expect(try host.manager.offers.offer(of: .shop)?.identity.version.description == "1.0.0")
        #expect(try await host.provider(of: "app://new") == (nil, .quarantined))
        try host.block("1.0.0")
        #expect(try await host.provider(of: "app://shop") == (nil, .quarantined))
    }

    @Test("The provider of an address, target or service is the version that an install would choose")
    func older() async throws {
        try host.offer(
            SamplePackage(routes: ["shop"], targets: ["Shop"], services: ["Stock"]),
            SamplePackage(
                version: "2.0.0", requires: [Self.other: "^9.0.0"], routes: ["shop"], targets: ["Shop"],
                services: ["Stock", "New"]))
        #expect(try await host.provider(of: "app://shop").bundle == TestHost.shop.text)
        #expect(try await host.onDemand.providingBundle(ofTarget: "Shop")?.owner == TestHost.shop.text)
        #expect(try await host.onDemand.providingBundle(ofService: "Stock") == TestHost.shop.text)
        #expect(try await host.onDemand.providingBundle(ofService: "New") == nil)
    }

    @Test("A bundle provides an address if another one that declares it cannot be installed")
    func next() async throws {
        try host.offer(
            SamplePackage(coreABI: CoreVersion.abi + 1, routes: ["shop"]),
            SamplePackage(identifier: Self.zoo, routes: ["shop"]))
        #expect(try await host.provider(of: "app://shop").bundle == Self.zoo.text)
    }

    /// Installs a bundle and its requirement on demand, runs a closure, and then fails to load the bundle.
    private func failLoading(_ use: @escaping @Sendable () async throws -> Void) async throws {
        try host.offer(
            SamplePackage(requires: [Self.other: "^1.0.0"], appGroups: ["group.com.example.new"]),
            SamplePackage(identifier: Self.other), SamplePackage(identifier: Self.zoo, requires: [Self.other: "^1.0.0"])
        )
        try await failingAsync(.libraryUnloadable) {
            try await host.onDemand.withOnDemandInstall(TestHost.shop.text) {
                try await use()
                throw AtriumError(.libraryUnloadable, "\(TestHost.shop)@1.0.0")
            }
        }
    }

    @Test("A bundle that fails to load after its on-demand install is removed together with its requirements")
    func takenBack() async throws {
        try await failLoading {}
        #expect(!host.sandbox.root.exists)
    }

    /// An event between the on-demand install of a bundle and its failure to load, and the bundles that stay because of it.
    struct Event: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var staying = [OnDemandTests.other, TestHost.shop]
        var versions: [String?] = ["1.0.0", nil]
        var staged: [String] = []
        let act: @Sendable (TestHost) async throws -> Void
    }

    static let zoo: BundleIdentifier = "com.example.app.zoo"
    static let events = [
        Event(testDescription: "another bundle needs the requirement", staying: [other, zoo]) {
            try await $0.another().manager.install(zoo)
        },
        Event(testDescription: "it was requested by name") { try await $0.manager.install(.shop) },
        Event(testDescription: "its requirement was requested by name", staying: [other]) {
            try await $0.manager.install(other)
        },
        Event(testDescription: "it was requested by name in another host") { host in
            let another = host.another()
            try await another.manager.install(.shop)
            #expect(another.events.isEmpty)
        },
        Event(testDescription: "its requirement was requested by name in another host", staying: [other]) {
            try await $0.another().manager.change([.install(other)])
        },
        Event(testDescription: "another host has installed it again") { host in
            let another = host.another()
            try await another.manager.uninstall(.shop)
            try await another.manager.install(.shop)
        },
        Event(testDescription: "another host has updated it", versions: ["1.1.0", "1.0.0"]) { host in
            try host.offer(SamplePackage(version: "1.1.0"))
            try await host.another().manager.update(.shop)
        },
        Event(testDescription: "another host has staged a version", staged: ["1.1.0"]) { host in
            try host.offer(SamplePackage(version: "1.1.0"))
            try await host.another().manager.change([.update(.shop)], staging: true)
        },
        Event(testDescription: "it has run successfully in another host") { host in
            let registry = host.another().registry
            try registry.recordSuccessfulRun(try #require(try registry.active.version(of: .shop)))
        },
    ]

    @Test("A failed on-demand install stays as far as it is needed by then", arguments: events)
    func meanwhile(event: Event) async throws {
        try await failLoading { try await event.act(host) }
        #expect(try host.registry.active.identifiers() == event.staying)
        #expect(try host.staged == event.staged)
        if event.staying.contains(.shop) { #expect(try host.versions() == event.versions) }
    }

    @Test(
        "A failed on-demand install stays while another host uses the bundle, and of the requirements those in use",
        arguments: [TestHost.shop, other])
    func heldElsewhere(used: BundleIdentifier) async throws {
        let uses = Mutex<[UsedFolder]>([])
        try await failLoading {
            let use = try UsedFolders(host.sandbox).version(try host.bundle(used))
            uses.withLock { $0.append(use) }
        }
        let staying = used == Self.other ? [Self.other] : [Self.other, TestHost.shop]
        #expect(try host.registry.active.identifiers() == staying)
    }

    @Test("A failed on-demand install leaves files in its container, and removes empty containers")
    func dataMeanwhile() async throws {
        let diary = host.sandbox.container(of: .shop).appending("Documents/diary")
        try await failLoading { try diary.write("kept") }
        #expect(try host.registry.active.identifiers() == [])
        #expect(try diary.text == "kept")
        #expect(!host.sandbox.container(of: Self.other).exists)
    }

    @Test("A failed on-demand install leaves data of an earlier install, even if the container cannot be listed")
    func keptData() async throws {
        try host.offer(SamplePackage(requires: [Self.other: "^1.0.0"]), SamplePackage(identifier: Self.other))
        try await host.manager.install(.shop)
        let kept = host.sandbox.container(of: .shop).appending("Documents")
        try await host.uninstall.run([TestHost.shop, Self.other])
        try kept.appending("diary").write("kept")
        await #expect(processExitsWith: .success) { [root = host.root.string as String] in
            let host = try ownedHost(in: root)
            let place = host.sandbox.containers.string
            try #require(chmod(place, 0o311) == 0)
            await #expect(throws: AtriumError.self) {
                try await host.onDemand.withOnDemandInstall(TestHost.shop.text) {
                    throw AtriumError(.libraryUnloadable, "\(TestHost.shop)@1.0.0")
                }
            }
            #expect(try host.registry.active.identifiers() == [])
            try #require(chmod(place, 0o755) == 0)
        }
        #expect(try kept.appending("diary").text == "kept")
        #expect(try kept.parent.names == ["Documents", "Library", "tmp"])
    }

    @Test("A failed on-demand install doesn't affect other bundles' minimum and staged versions")
    func keptOfOthers() async throws {
        let minimumVersion = try host.version("1.2.0")
        _ = try await host.writer.withWriterLock {
            try host.registry.notes.change("com.example.app.gone") { $0.raise(to: minimumVersion) }
        }
        try host.offer(SamplePackage(identifier: "com.example.app.late"))
        try await failLoading {
            try await host.another().manager.change([.install("com.example.app.late")], staging: true)
        }
        #expect(try host.registry.notes.minimumVersion(of: "com.example.app.gone") == minimumVersion)
        #expect(try host.registry.staged.all().map(\.identity.identifier) == ["com.example.app.late"])
    }
}

extension TestHost {
    /// Records that the content of a package crashed a host.
    ///
    /// - Parameter folder: The folder of the package; the catalog by default.
    func block(_ version: String, in folder: FilePath? = nil) throws {
        let identity = BundleIdentity(identifier: Self.shop, version: try self.version(version))
        let package = PackageFile(path: (folder ?? catalog).appending(PackageFile.name(of: identity)))
        try registry.quarantine.set(
            QuarantinedVersion(
                identity: identity, digest: try package.sealDigest(), reason: .verbatim("it crashed"), at: 1))
    }
}
