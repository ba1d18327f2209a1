import HostSystem
import Glibc
@testable import Doctor
import FoundationEssentials
import PluginCore
import SQLite
import Testing

@testable import Registry
@testable import PluginRuntime

@Suite("Rebuilding a readable registry", .tags(.medium))
struct RebuildTests {
    private let host = TestHost()

    private static let other: BundleIdentifier = "com.example.app.other"
    private static let conflictingRoute: BundleIdentifier = "com.example.zzz"

    /// Installs two bundles and rolls them back from 1.1.0 to 1.0.0, both of which have run successfully.
    private func rollBackBoth() async throws {
        for identifier in [TestHost.shop, Self.other] {
            for version in ["1.0.0", "1.1.0"] {
                try host.offer(SamplePackage(identifier: identifier, version: version))
                try host.registry.recordSuccessfulRun(try await host.manager.install(identifier).bundle)
            }
            try await host.manager.rollBack(identifier)
        }
    }

    /// Changes the database page that contains the rows of the table `active`.
    private static func harm(_ host: TestHost, _ change: (inout ArraySlice<UInt8>) -> Void) throws {
        let root = try host.database().value("SELECT rootpage FROM sqlite_schema WHERE name = 'active'", as: Int.self)
        let size = try host.database().value("PRAGMA page_size", as: Int.self)
        host.registry.disconnect()
        let (number, length) = (try #require(root), try #require(size))
        var bytes = try host.sandbox.registry.bytes
        change(&bytes[(number - 1) * length..<number * length])
        try overwrite(host.sandbox.registry, with: bytes)
    }

    @Test(
        "An unreadable row affects only its own bundle, and others can still be rolled back",
        arguments: [
            "UPDATE bundle SET json = json_set(json, '$.kind', 'x') WHERE identifier = '\(other)'",
            "UPDATE active SET version = 'x' WHERE identifier = '\(other)'",
            "INSERT INTO bundle_note VALUES ('\(conflictingRoute)', '{}')",
            "INSERT INTO quarantine VALUES ('\(other)', 'x', '', '{}')",
        ])
    func row(harm: String) async throws {
        try await rollBackBoth()
        let database = try host.database()
        try database.execute("PRAGMA foreign_keys = OFF")
        try database.execute(harm)
        let another = host.another()
        #expect(try await RegistryRebuild(of: another.manager).run().leftOut == [])
        #expect(try another.versions() == ["1.0.0", "1.1.0"])
        // The information which version was active is lost.
        let isLost = harm.contains("UPDATE active")
        #expect(try another.versions(Self.other) == (isLost ? ["1.1.0", "1.0.0"] : ["1.0.0", "1.1.0"]))
        #expect(try another.registry.active.version(of: .shop)?.hasRun == true)
        #expect(try another.registry.notes.minimumVersion(of: .shop)?.description == "1.1.0")
        try await another.manager.rollBack(.shop)
        #expect(try another.versions() == ["1.1.0", "1.0.0"])
    }

    @Test("A rebuild doesn't bring back an uninstalled bundle, and retains an active one with the same route")
    func uninstalled() async throws {
        try host.offer(SamplePackage(routes: ["a"]), SamplePackage(identifier: Self.conflictingRoute, routes: ["a"]))
        let bundle = try await host.manager.install(.shop).bundle
        // Simulates an uninstall that was killed after its commit, or a version that another process uses.
        let folder = host.sandbox.folder(of: bundle)
        let kept = host.root.appending("kept")
        try FileManager.default.copyItem(atPath: folder.string, toPath: kept.string)
        try await host.manager.uninstall(.shop)
        try await host.manager.install(Self.conflictingRoute)
        try folder.parent.makeFolder()
        try FileManager.default.moveItem(atPath: kept.string, toPath: folder.string)
        let report = try await host.rebuild()
        #expect(report.active.map(\.identity.identifier) == [Self.conflictingRoute])
        #expect(report.leftOut.map(\.path.string) == [folder.string])
        #expect(report.leftOut.first?.reason == ErrorReason("notNamedByRegistry"))
        try await host.collectGarbage()
        #expect(try host.folders(Self.conflictingRoute) == ["1.0.0"])
        #expect(!folder.exists)
        // Without any other version nothing is installed.
        try await host.manager.uninstall(Self.conflictingRoute)
        #expect(try await host.rebuild().active == [])
        #expect(try host.registry.active.all() == [])
    }

    @Test(
        "A staged version stays staged, also if the active ones cannot be read, and a rollback target was active before",
        arguments: [false, true])
    func staged(isHarmed: Bool) async throws {
        try await host.install(first: "1.0.0", offering: "1.1.0")
        try await host.manager.change([.update(.shop)], staging: true)
        if isHarmed { try Self.harm(host) { page in for index in page.indices.prefix(12) { page[index] = 0 } } }
        let another = host.another()
        let report = try await another.rebuild()
        #expect(try another.versions() == ["1.0.0", nil] && another.staged == ["1.1.0"])
        guard !isHarmed else { return }
        #expect(report.staged.map(\.identity.version.description) == ["1.1.0"] && report.leftOut == [])
        await #expect(throws: AtriumError.self) { try await another.manager.rollBack(.shop) }
        #expect(try await another.restart().count == 1)
        #expect(try another.versions() == ["1.1.0", "1.0.0"])
    }

    @Test("The highest versions become active if the active ones cannot be read, entirely or in part", arguments: 0...1)
    func table(harm: Int) async throws {
        try await rollBackBoth()
        try Self.harm(host) { page in
            if harm == 0 {
                for index in page.indices.prefix(12) { page[index] = 0 }
            } else {
                // Removes one row; SQLite still reads the others without an error.
                page[page.startIndex + 4] -= 1
            }
        }
        let another = host.another()
        let report = try await RegistryRebuild(of: another.manager).run()
        #expect(report.active.map(\.identity.identifier) == [Self.other, TestHost.shop])
        #expect(try another.versions() == ["1.1.0", "1.0.0"])
        #expect(try another.registry.active.version(of: .shop)?.hasRun == true)
        #expect(try another.versions(Self.other) == (harm == 0 ? ["1.1.0", "1.0.0"] : ["1.0.0", "1.1.0"]))
    }

    /// An item in place of the folder of versions.
    enum Place: CaseIterable { case nothing, file }

    @Test("A rebuild without versions creates an empty registry", arguments: Place.allCases)
    func noVersions(place: Place) async throws {
        try await host.install(SamplePackage())
        try host.sandbox.registry.write(String(repeating: "damaged ", count: 2_000))
        try FileManager.default.removeItem(atPath: host.sandbox.plugins.string)
        if place == .file { try host.sandbox.plugins.write("no folder") }
        let another = host.another()
        let report = try await RegistryRebuild(of: another.manager).run()
        #expect(report.active.isEmpty && report.oldRegistry?.exists == true)
        #expect(try another.registry.active.identifiers() == [])
        #expect(Checkup(of: another.manager).findings().allSatisfy { $0.remedy != ErrorReason("rebuildRegistry") })
    }

    @Test("A rebuild fails and names the link if the folder of versions is a symbolic link", arguments: [true, false])
    func link(leadsNowhere: Bool) async throws {
        try await host.install(SamplePackage())
        try host.sandbox.registry.write(String(repeating: "damaged ", count: 2_000))
        let (plugins, elsewhere) = (host.sandbox.plugins, host.root.appending("elsewhere"))
        try FileManager.default.moveItem(atPath: plugins.string, toPath: elsewhere.string)
        try FileManager.default.createSymbolicLink(
            atPath: plugins.string, withDestinationPath: elsewhere.string + (leadsNowhere ? "/nowhere" : ""))
        let another = host.another()
        let error = await #expect(throws: AtriumError.self) { try await RegistryRebuild(of: another.manager).run() }
        #expect(error?.code == .sandboxUnwritable && error?.subject == plugins.string)
        #expect(unlink(plugins.string) == 0 && rename(elsewhere.string, plugins.string) == 0)
        #expect(
            try await RegistryRebuild(of: another.manager).run().active.map(\.identity.identifier) == [TestHost.shop])
    }

    @Test("A rebuild without a registry and versions creates nothing")
    func nothing() async throws {
        #expect(try await host.rebuild() == RebuildReport())
        #expect(!host.sandbox.root.exists)
    }
}
