#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import FoundationEssentials
import PluginCore
import SQLite
import Testing

@testable import PluginRuntime

@Suite("A registry that is made anew from one that can be read")
struct RebuildTests {
    private static let other = "com.example.app.other"
    private static let rival = "com.example.zzz"

    /// Shop, rolled back from 1.1.0 to 1.0.0, both of which have run; and another bundle in two versions.
    private static func withRollback(_ body: (TestHost) async throws -> Void) async throws {
        try await withHost { host in
            try host.offer(
                SamplePackage(version: "1.0.0"), SamplePackage(version: "1.1.0"),
                SamplePackage(identifier: other, version: "1.0.0"), SamplePackage(identifier: other, version: "1.1.0"))
            for identifier in [TestHost.shop, other] {
                let first = try await host.manager.install(identifier, version: host.version("1.0.0")).bundle
                try host.registry.prove(first)
                try host.registry.prove(try await host.manager.update(identifier).bundle)
                try await host.manager.rollBack(identifier)
            }
            try await body(host)
        }
    }

    /// Changes the page of the registry that has the rows of `active`.
    private static func harm(_ host: TestHost, _ change: (inout ArraySlice<UInt8>) -> Void) throws {
        let root = try host.database().value(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'active'", as: Int.self)
        let size = try host.database().value("PRAGMA page_size", as: Int.self)
        host.registry.disconnect()
        let (number, length) = (try #require(root), try #require(size))
        var bytes = try host.sandbox.registry.bytes
        change(&bytes[(number - 1) * length..<number * length])
        try overwrite(host.sandbox.registry, with: bytes)
    }

    @Test(
        "costs the bundle alone of which a row cannot be read: another one that was rolled back can still be",
        arguments: [
            "UPDATE bundle SET kind = 'x' WHERE identifier = '\(other)'",
            "UPDATE active SET version = 'x' WHERE identifier = '\(other)'",
            "INSERT INTO floor VALUES ('\(rival)', 'x')",
            "INSERT INTO quarantine VALUES ('\(other)', 'x', '', '', 0)",
        ])
    func row(harm: String) async throws {
        try await Self.withRollback { host in
            let database = try host.database()
            try database.execute("PRAGMA foreign_keys = OFF")
            try database.execute(harm)
            let another = try host.another()
            let report = try await another.manager.rebuildRegistry()
            #expect(report.leftOut == [])
            #expect(try another.versions() == ["1.0.0", "1.1.0"])
            // Of which version was active nothing is left to read.
            let isLost = harm.contains("UPDATE active")
            #expect(try another.versions(Self.other) == (isLost ? ["1.1.0", "1.0.0"] : ["1.0.0", "1.1.0"]))
            #expect(try another.registry.active(TestHost.shop)?.hasRun == true)
            #expect(try another.registry.floor(of: TestHost.shop)?.description == "1.1.0")
            try await another.manager.rollBack(TestHost.shop)
            #expect(try another.versions() == ["1.1.0", "1.0.0"])
        }
    }

    @Test("brings back nothing that was uninstalled, and keeps what is active though the other had the same route")
    func uninstalled() async throws {
        try await withHost { host in
            try host.offer(
                SamplePackage(routes: ["a"]), SamplePackage(identifier: Self.rival, routes: ["a"]))
            let bundle = try await host.manager.install(TestHost.shop).bundle
            // As a kill after the commit leaves it, or another process that still uses it.
            let folder = host.sandbox.folder(of: bundle)
            let kept = host.root.appending("kept")
            try FileManager.default.copyItem(atPath: folder.string, toPath: kept.string)
            try await host.manager.uninstall(TestHost.shop)
            try await host.manager.install(Self.rival)
            try folder.parent.makeFolder()
            try FileManager.default.moveItem(atPath: kept.string, toPath: folder.string)
            let report = try await host.manager.rebuildRegistry()
            #expect(report.active.map(\.identity.identifier) == [Self.rival])
            #expect(report.leftOut.map(\.path.string) == [folder.string])
            #expect(report.leftOut.first?.reason.hasPrefix("the registry does not name it") == true)
            _ = try await host.manager.collectGarbage()
            #expect(try host.folders(Self.rival) == ["1.0.0"])
            #expect(!folder.exists)
            // When that was all, nothing is installed.
            try await host.manager.uninstall(Self.rival)
            let second = try await host.manager.rebuildRegistry()
            #expect(second.active == [])
            #expect(try host.registry.installed() == [])
        }
    }

    @Test("leaves what is staged staged: there is nothing to go back to that has never been active")
    func staged() async throws {
        try await withHost { host in
            try host.offer(SamplePackage(version: "1.0.0"), SamplePackage(version: "1.1.0"))
            try await host.manager.install(TestHost.shop, version: host.version("1.0.0"))
            try await host.manager.change([.update(TestHost.shop)], staging: true)
            let report = try await host.manager.rebuildRegistry()
            #expect(report.staged.map(\.identity.version.description) == ["1.1.0"])
            #expect(report.leftOut == [])
            #expect(try host.versions() == ["1.0.0", nil])
            #expect(try host.registry.staged().map(\.identity.version.description) == ["1.1.0"])
            await #expect(throws: AtriumError.self) { try await host.manager.rollBack(TestHost.shop) }
            #expect(try await host.another().manager.settle().count == 1)
            #expect(try host.versions() == ["1.1.0", "1.0.0"])
        }
    }

    @Test("makes the highest versions active where what was active cannot be read, or not all of it", arguments: 0...1)
    func table(harm: Int) async throws {
        try await Self.withRollback { host in
            try Self.harm(host) { page in
                if harm == 0 {
                    for index in page.indices.prefix(12) { page[index] = 0 }
                } else {
                    // One row less; SQLite reads the others without a word.
                    page[page.startIndex + 4] -= 1
                }
            }
            let another = try host.another()
            let report = try await another.manager.rebuildRegistry()
            #expect(report.active.map(\.identity.identifier) == [Self.other, TestHost.shop])
            #expect(try another.versions() == ["1.1.0", "1.0.0"])
            #expect(try another.registry.active(TestHost.shop)?.hasRun == true)
            #expect(try another.versions(Self.other) == (harm == 0 ? ["1.1.0", "1.0.0"] : ["1.0.0", "1.1.0"]))
        }
    }

    @Test("takes what is staged alone for nothing that was active, though what was cannot be read")
    func stagedOnly() async throws {
        try await withHost { host in
            try host.offer(SamplePackage(version: "1.0.0"), SamplePackage(version: "1.1.0"))
            try await host.manager.install(TestHost.shop, version: host.version("1.0.0"))
            try await host.manager.change([.update(TestHost.shop)], staging: true)
            try Self.harm(host) { page in for index in page.indices.prefix(12) { page[index] = 0 } }
            let another = try host.another()
            _ = try await another.manager.rebuildRegistry()
            #expect(try another.versions() == ["1.0.0", nil])
            #expect(try another.registry.staged().map(\.identity.version.description) == ["1.1.0"])
        }
    }

    @Test("still deletes the data that was to go with a bundle")
    func erasures() async throws {
        try await withHost { host in
            try host.offer(SamplePackage())
            try await host.manager.install(TestHost.shop)
            try host.registry.keep(erasures: ["com.example.app.gone"])
            _ = try await host.manager.rebuildRegistry()
            #expect(try host.registry.erasures() == ["com.example.app.gone"])
        }
    }

    /// What may lie where the folder of versions belongs.
    enum Place: CaseIterable { case nothing, file }

    @Test("is an empty one where there are no versions", arguments: Place.allCases)
    func noVersions(place: Place) async throws {
        try await withHost { host in
            try host.offer(SamplePackage())
            try await host.manager.install(TestHost.shop)
            try host.sandbox.registry.write(String(repeating: "damaged ", count: 2_000))
            try FileManager.default.removeItem(atPath: host.sandbox.plugins.string)
            if place == .file { try host.sandbox.plugins.write("no folder") }
            let another = try host.another()
            let report = try await another.manager.rebuildRegistry()
            #expect(report.active.isEmpty && report.oldRegistry?.exists == true)
            #expect(try another.registry.identifiers() == [])
            #expect(another.manager.checkup().allSatisfy { $0.remedy != "hostapp doctor --rebuild" })
        }
    }

    @Test("waits for a link in the place of the versions to go, which it names", arguments: [true, false])
    func link(leadsNowhere: Bool) async throws {
        try await withHost { host in
            try host.offer(SamplePackage())
            try await host.manager.install(TestHost.shop)
            try host.sandbox.registry.write(String(repeating: "damaged ", count: 2_000))
            let (plugins, elsewhere) = (host.sandbox.plugins, host.root.appending("elsewhere"))
            try FileManager.default.moveItem(atPath: plugins.string, toPath: elsewhere.string)
            try FileManager.default.createSymbolicLink(
                atPath: plugins.string, withDestinationPath: elsewhere.string + (leadsNowhere ? "/nowhere" : ""))
            let another = try host.another()
            let error = await #expect(throws: AtriumError.self) { try await another.manager.rebuildRegistry() }
            #expect(error?.code == .sandboxUnwritable && error?.subject == plugins.string)
            #expect(unlink(plugins.string) == 0 && rename(elsewhere.string, plugins.string) == 0)
            #expect(try await another.manager.rebuildRegistry().active.map(\.identity.identifier) == [TestHost.shop])
        }
    }

    @Test("is not there where there was neither a registry nor a version")
    func nothing() async throws {
        try await withHost { host in
            let report = try await host.manager.rebuildRegistry()
            #expect(report == RebuildReport())
            #expect(!host.sandbox.root.exists)
        }
    }
}
