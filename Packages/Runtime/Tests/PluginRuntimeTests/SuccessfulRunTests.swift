import Doctor
import PluginCore
import Testing
@testable import PluginRuntime
@testable import Registry

@Suite("Records of successful runs, and minimum versions", .tags(.medium))
struct SuccessfulRunTests {
    private let host = TestHost()
    @TemporaryFolder private var folder

    @Test("Successful runs are recorded by the end of the session, once the minimum version file can be written")
    func end() async throws {
        let sandbox = Sandbox(root: folder)
        try sandbox.plugins.makeFolder()
        let registry = Registry(sandbox)
        // A file is in place of the folder of minimum versions.
        try sandbox.minimumVersions.write("")
        #expect(throws: AtriumError.self) { try registry.recordSuccessfulRun(PluginBundle.sample()) }
        #expect(try registry.notes.all() == [:])
        try sandbox.minimumVersions.remove()
        for number in 1...40 {
            let records = LoadRecords(registry)
            let bundle = PluginBundle.sample(try #require(BundleIdentifier("com.example.app.number\(number)")))
            records.add(hasRunVersions: bundle)
            // By now the background task has usually begun but not finished.
            await Task.yield()
            records.write()
            #expect(
                try registry.notes.notes(about: bundle.identity.identifier).minimumVersion == bundle.identity.version)
            #expect(try MinimumVersionFiles(sandbox).read()[bundle.identity.identifier] == bundle.identity.version)
        }
    }

    @Test("With a restored registry the minimum version is the higher one of the registry and its own file")
    func olderRegistry() async throws {
        let first = try await host.install(first: "1.0.0", offering: "1.1.0")
        try host.registry.recordSuccessfulRun(first)
        let backup = try host.sandbox.registry.bytes
        try host.registry.recordSuccessfulRun(try await host.manager.update(.shop).bundle)
        host.registry.disconnect()
        try overwrite(host.sandbox.registry, with: backup)
        let another = host.another()
        #expect(try another.registry.notes.minimumVersion(of: .shop)?.description == "1.1.0")
        try await another.manager.uninstall(.shop)
        try await another.refusal(.downgrade) { try await another.install(version: "1.0.0") }
        #expect(try await another.manager.install(.shop).bundle.identity.version.description == "1.1.0")
    }

    @Test("A bundle's minimum version is no other bundle's, and what is no such file in its place is ignored")
    func neighbor() throws {
        let sandbox = Sandbox(root: folder)
        let files = MinimumVersionFiles(sandbox)
        try sandbox.minimumVersions.appending("com.example.app.folder/file").write("")
        try sandbox.minimumVersions.appending("com.example.app.other").write(String(repeating: "1.0.0", count: 1_000))
        #expect(try files.read() == [:])
        #expect(try Registry(sandbox).notes.minimumVersion(of: "com.example.app.folder") == nil)
        let (high, low) = (SemanticVersion(major: 2, minor: 0, patch: 0), SemanticVersion(major: 1, minor: 0, patch: 0))
        try files.raise(BundleIdentity(identifier: "com.example.app.shop.new", version: high))
        try files.raise(BundleIdentity(identifier: "com.example.app.shop", version: low))
        #expect(try files.minimumVersion(of: "com.example.app.shop.new") == high)
        #expect(try files.minimumVersion(of: "com.example.app.shop") == low)
    }

    @Test("The minimum version is the highest that has run successfully, survives an uninstall and blocks older ones")
    func survives() async throws {
        try host.offer(
            SamplePackage(version: "1.0.0"), SamplePackage(version: "1.1.0"), SamplePackage(version: "1.2.0"))
        let version = try host.version("1.1.0")
        let bundle = try await host.manager.install(.shop, version: version).bundle
        #expect(try host.registry.notes.minimumVersion(of: .shop) == nil)
        try host.registry.recordSuccessfulRun(bundle)
        #expect(try host.registry.notes.minimumVersion(of: .shop) == version)
        try await host.manager.uninstall(.shop, deleteData: true)
        #expect(try host.registry.notes.minimumVersion(of: .shop) == version)
        let error = try await host.refusal(.downgrade) { try await host.install(version: "1.0.0") }
        #expect(error.reason?.description == "hasRun(version: 1.1.0)")
        try await host.manager.install(.shop)
        #expect(try host.versions() == ["1.2.0", nil])
    }

    @Test("A rollback below the minimum version to one that has run is allowed, doesn't lower it, and is reported")
    func rollBack() async throws {
        try await host.install(first: "1.0.0", offering: "1.1.0")
        try host.recordRun()
        try await host.manager.update(.shop)
        try host.recordRun()
        let found = { host.findings().filter { $0.severity != .fine }.map(\.subject) }
        #expect(found() == [])
        try await host.manager.rollBack(.shop)
        #expect(try host.versions() == ["1.0.0", "1.1.0"])
        #expect(try host.registry.notes.minimumVersion(of: .shop)?.description == "1.1.0")
        #expect(found() == ["com.example.app.shop@1.0.0"])
    }

    @Test("A rollback below the minimum version fails if that version has never run successfully")
    func rollBackToUnknown() async throws {
        let new = try await host.install(SamplePackage(version: "1.0.0"), SamplePackage(version: "1.1.0"))
        try host.registry.recordSuccessfulRun(new)
        let error = try await host.refusal(.nothingToRollBack) { try await host.manager.rollBack(.shop) }
        #expect(error.reason?.description == "higherHasRun(minimum: 1.1.0, version: 1.0.0)")
    }

    @Test("A previous version that never ran is no rollback target once its successor has run, and is pruned later")
    func unreachable() async throws {
        try host.offer(
            SamplePackage(version: "1.0.0"), SamplePackage(version: "1.1.0"), SamplePackage(version: "1.2.0"))
        for version in ["1.0.0", "1.1.0"] { try await host.install(version: version) }
        let reason = { try host.manager.diagnosis(of: .shop).findings.first?.reason.description }
        #expect(try host.versions() == ["1.1.0", "1.0.0"])
        #expect(
            try reason()
                == "activeWithPreviousUntil(active: versionActive(version: 1.1.0), previous: 1.0.0, successor: 1.1.0)"
        )
        try host.recordRun()
        #expect(try host.versions() == ["1.1.0", nil])
        #expect(try reason() == "versionActive(version: 1.1.0)")
        // Until then it is intact and registered, and isn't a leftover.
        #expect(try host.folders() == ["1.0.0", "1.1.0"])
        #expect(host.findings().allSatisfy { $0.severity == .fine })
        try await host.manager.update(.shop)
        #expect(try host.versions() == ["1.2.0", "1.1.0"])
        #expect(try host.folders() == ["1.1.0", "1.2.0"])
    }

    @Test("Garbage collection removes a previous version that cannot be rolled back to, damaged or not")
    func unreachableCollected() async throws {
        let old = try await host.install(first: "1.0.0", offering: "1.1.0")
        try host.registry.recordSuccessfulRun(try await host.manager.update(.shop).bundle)
        try host.sandbox.folder(of: old).appending("extra").write("not sealed")
        let found = host.findings().filter { $0.severity != .fine }
        #expect(found.map(\.severity) == [.notice] && found.map(\.remedy) == [ErrorReason("collectGarbage")])
        #expect(try await host.collectGarbage().removed.map(\.string) == [host.sandbox.folder(of: old).string])
        #expect(try host.folders() == ["1.1.0"])
        #expect(try host.registry.history.all().last?.event == .pruned)
        #expect(host.findings().allSatisfy { $0.severity == .fine })
    }
}
