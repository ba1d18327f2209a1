import Glibc
import PluginCore
import PluginRouter
@testable import Registry
@testable import HostSystem
@testable import PluginRuntime
import Testing

@Suite("Changes of several bundles", .tags(.medium))
struct TransactionTests {
    private let host = TestHost()

    private static let (base, one, two): (BundleIdentifier, BundleIdentifier, BundleIdentifier) = (
        "com.example.lib.base", "com.example.app.one", "com.example.app.two"
    )

    private static func package(
        _ identifier: BundleIdentifier, _ version: String, requires: [BundleIdentifier: String] = [:],
        routes: [String] = []
    ) -> SamplePackage {
        SamplePackage(
            identifier: identifier, version: version, kind: "assets", requires: requires,
            routes: routes.map { #"{"pattern": "\#($0)", "page": "main", "layout": "main/main"}"# }, library: nil)
    }

    /// Installs two bundles that require the same version of a third.
    private func installThree() async throws {
        for version in ["1.0.0", "2.0.0"] {
            try host.offer(Self.package(Self.base, version))
            for user in [Self.one, Self.two] {
                try host.offer(Self.package(user, version, requires: [Self.base: "^\(version)"]))
            }
        }
        let first = try host.version("1.0.0")
        try await host.manager.change([.install(Self.one, first), .install(Self.two, first)])
    }

    @Test("Bundles are installed after their requirements, updated and rolled back together, or not at all")
    func update() async throws {
        try await installThree()
        #expect(try host.active == ["\(Self.one)@1.0.0", "\(Self.two)@1.0.0", "\(Self.base)@1.0.0"])
        #expect(try host.registry.history.all().map(\.identifier) == [Self.base, Self.one, Self.two])
        try host.catalog.appending("\(Self.two)-2.0.0.zip").remove()
        // The other bundle needs the installed version of the base, and only one version can be active.
        #expect(try await host.manager.update(Self.one).isChange == false)
        let error = try await host.refusal(.dependencyConflict) {
            try await host.install(version: "2.0.0", of: Self.one)
        }
        let need = "installedNeeds(bundle: \(Self.two)@1.0.0, other: \(Self.base), versions: ^1.0.0)"
        #expect(error.problems.map(\.description).contains(need))
        try host.offer(Self.package(Self.two, "2.0.0", requires: [Self.base: "^2.0.0"]))
        let reports = try await host.manager.change([.update(Self.one), .update(Self.two)])
        #expect(reports.map(\.bundle.identity.identifier) == [Self.one, Self.two, Self.base])
        #expect(try host.active == ["\(Self.one)@2.0.0", "\(Self.two)@2.0.0", "\(Self.base)@2.0.0"])
        try await host.refusal(.dependencyConflict) { try await host.manager.rollBack(Self.base) }
        try await host.refusal(.dependencyConflict) { try await host.rollback.run([Self.base, Self.one]) }
        try await host.rollback.run([Self.one, Self.two, Self.base])
        #expect(try host.active == ["\(Self.one)@1.0.0", "\(Self.two)@1.0.0", "\(Self.base)@1.0.0"])
        #expect(try host.registry.history.all().suffix(3).map(\.event) == [.rolledBack, .rolledBack, .rolledBack])
    }

    @Test("All bundles stay as they were if the last one is rejected after the others are in place")
    func allOrNone() async throws {
        try host.offer(
            Self.package(Self.base, "1.0.0", routes: ["base"]),
            Self.package(Self.one, "1.0.0", requires: [Self.base: "*"], routes: ["taken"]),
            Self.package(Self.two, "1.0.0", routes: ["taken"]))
        try await host.manager.install(Self.two)
        // The conflict is found in the registry's transaction, when all files are in place.
        try await host.refusal(.routeConflict) { try await host.manager.install(Self.one) }
        #expect(try host.active == ["\(Self.two)@1.0.0"])
        #expect(!host.sandbox.plugins.appending(Self.base.text).exists)
    }

    @Test("A route can move from one bundle to another in one change")
    func handOver() async throws {
        try host.offer(Self.package(Self.one, "1.0.0", routes: ["page"]), Self.package(Self.two, "1.0.0"))
        try await host.manager.change([.install(Self.one), .install(Self.two)])
        try host.offer(Self.package(Self.one, "1.1.0"), Self.package(Self.two, "1.1.0", routes: ["page"]))
        try await host.refusal(.routeConflict) { try await host.manager.update(Self.two) }
        try await host.manager.change([.update(Self.two), .update(Self.one)])
        #expect(try host.registry.routes.routes(withFirstSegments: ["page"]).map(\.owner) == [Self.two.text])
    }

    @Test(
        "Rollback, uninstall and start ask no catalog, also for a requirement on demand that is not installed",
        arguments: ["rollback", "uninstall", "start"])
    func withoutCatalog(change: String) async throws {
        let elsewhere: [BundleIdentifier: String] = ["com.example.app.elsewhere": "^1.0.0"]
        try host.offer(SamplePackage(identifier: "com.example.app.elsewhere"))
        for version in ["1.0.0", "2.0.0"] { try host.offer(SamplePackage(version: version, calls: elsewhere)) }
        try await host.install(version: "1.0.0")
        try await host.manager.change([.update(.shop)], staging: change == "start")
        // Each question to this catalog fails.
        try host.catalog.remove()
        let other = host.another()
        try host.catalog.remove()
        switch change {
        case "rollback":
            try await other.manager.rollBack(.shop)
            #expect(try host.versions() == ["1.0.0", "2.0.0"])
        case "uninstall":
            try await other.manager.uninstall(.shop)
            #expect(try host.versions() == [nil, nil])
        default:
            #expect(try await other.manager.prepareForLaunch().count == 1)
            #expect(try host.versions() == ["2.0.0", "1.0.0"])
        }
    }

    @Test("A rollback of the bundle with the app's bundle.json takes its members along")
    func app() async throws {
        let app: BundleIdentifier = "com.example.app.kiosk"
        for version in ["1.0.0", "2.0.0"] {
            try host.offer(
                SamplePackage(version: version),
                SamplePackage(
                    identifier: app, version: version, kind: "assets", requires: [TestHost.shop: version],
                    library: nil, files: ["Resources/bundle.json": "{}"]))
        }
        try await host.install(version: "1.0.0", of: app)
        try await host.manager.change([.update(app)])
        #expect(try host.versions() == ["2.0.0", "1.0.0"])
        let reports = try await host.rollback.run([app])
        #expect(reports.map(\.bundle.identity.identifier) == [app, TestHost.shop])
        #expect(try host.versions() == ["1.0.0", "2.0.0"] && host.versions(app) == ["1.0.0", "2.0.0"])
    }

    @Test("Bundles are uninstalled together with their dependents only if the request includes them")
    func remove() async throws {
        try await installThree()
        let error = try await host.refusal(.bundleNeeded) { try await host.uninstall.run([Self.base, Self.one]) }
        #expect(
            error.problems == [
                ErrorReason("needs", ["bundle": "\(Self.two)@1.0.0", "other": .text(Self.base), "versions": "^1.0.0"])
            ])
        try await host.uninstall.run([Self.base], cascade: true)
        #expect(try host.active == [])
        #expect(try host.sandbox.plugins.names == [])
    }

    @Test("A change is rejected before unpacking if the disk has space for each bundle but not for all")
    func space() async throws {
        var (one, two) = (Self.package(Self.one, "1.0.0"), Self.package(Self.two, "1.0.0"))
        one.files["Resources/large.txt"] = String(repeating: "x", count: 3 << 20)
        two.files["Resources/large.txt"] = String(repeating: "y", count: 3 << 20)
        try host.offer(one, two)
        // Each bundle needs 3 MiB, and a little for the registry.
        try await FileSystem.$freeSpace.withValue({ _ in 5 << 20 }) {
            let error = try await host.refusal(.storageFull) {
                try await host.manager.change([.install(Self.one), .install(Self.two)])
            }
            #expect(error.reason?.name == "spaceNeeded" && error.reason?.values["free"] == 5120)
            #expect(host.events.isEmpty)
            try await host.manager.install(Self.one)
        }
        #expect(try host.active == ["\(Self.one)@1.0.0"])
        try await FileSystem.$freeSpace.withValue({ _ in 2 << 20 }) {
            _ = try await host.refusal(.storageFull) { try await host.manager.install(Self.two) }
        }
        // The free space is unknown.
        try await FileSystem.$freeSpace.withValue({ _ in nil }) { _ = try await host.manager.install(Self.two) }
    }

    @Test("Files shared with the previous version need no disk space, unless they turn out to be damaged")
    func sharedSpace() async throws {
        var package = Self.package(Self.one, "1.0.0")
        package.files["Resources/large.txt"] = String(repeating: "x", count: 3 << 20)
        try host.offer(package)
        let old = try await host.manager.install(Self.one).bundle
        package.version = "1.1.0"
        try host.offer(package)
        let large = host.sandbox.folder(of: old).appending("Resources/large.txt")
        let content = try large.text
        try await FileSystem.$freeSpace.withValue({ _ in 2 << 20 }) {
            try overwriteSealed(large, with: "y" + content.dropFirst())
            try await host.refusal(.storageFull) { try await host.manager.update(Self.one) }
            try overwriteSealed(large, with: content)
            try await host.manager.update(Self.one)
        }
        #expect(try host.active == ["\(Self.one)@1.1.0"])
        #expect(try host.sandbox.staging.names == [])
        try await FileSystem.$freeSpace.withValue({ _ in 1 << 20 }) {
            package.version = "1.2.0"
            try host.offer(package)
            let error = try await host.refusal(.storageFull) { try await host.manager.update(Self.one) }
            // The message states the space that will actually be written.
            #expect(error.reason?.values["needed"]?.description.hasPrefix("10") == true, "\(error)")
        }
    }

    /// Changes an installed file and restores its permissions.
    private func overwriteSealed(_ path: FilePath, with text: some StringProtocol) throws {
        try #require(chmod(path.string, 0o644) == 0)
        try overwrite(path, with: Array(text.utf8))
        try #require(chmod(path.string, 0o444) == 0)
    }
}
