import ConfinementReporting
import Doctor
import Glibc
import PluginCore
import PluginRouter
import SQLite
import Testing
@testable import BundleFormat
@testable import HostSystem
@testable import PluginRuntime
@testable import Registry

@Suite("Registry", .tags(.large))
struct RegistryTests {
    private let host = TestHost()

    /// One call of each query.
    private static let questions: [@Sendable (Registry) throws -> Bool] = [
        { try $0.active.all().isEmpty }, { try $0.active.bundle(.shop) == nil },
        { try $0.active.identifiers().isEmpty }, { try $0.history.all().isEmpty },
        { try $0.routes.routes(withFirstSegments: ["shop", ""]).isEmpty }, { try $0.routes.patterns().isEmpty },
        { try $0.target(named: "Shop")?.owner == nil }, { try $0.targetNames().isEmpty },
    ]

    private func expectAll(
        _ code: AtriumError.Code, _ registry: Registry, _ location: SourceLocation = #_sourceLocation
    ) throws -> AtriumError {
        let errors = try Self.questions.map { question in try failing(code, at: location) { try question(registry) } }
        return try #require(errors.last)
    }

    @Test("Every query of a damaged registry fails")
    func damaged() async throws {
        try host.sandbox.registry.write(String(repeating: "no database at all, but long enough to be read", count: 100))
        #expect(try expectAll(.registryDamaged, host.registry).subject == host.sandbox.registry.string)
        try host.offer(SamplePackage())
        try await host.refusal(.registryDamaged) { try await host.manager.install(.shop) }
    }

    @Test("A truncated registry is damaged")
    func truncated() async throws {
        try await host.install(SamplePackage())
        let bytes = try host.sandbox.registry.bytes
        try host.sandbox.registry.remove()
        try host.sandbox.registry.write(Array(bytes.prefix(bytes.count / 2)))
        _ = try expectAll(.registryDamaged, host.registry)
        _ = try expectAll(.registryDamaged, host.another().registry)
    }

    @Test(
        "A registry of a newer host, or with a version that no release had, is rejected unchanged; the latter can be rebuilt",
        arguments: [(99, .registryNewer), (9, .registryDamaged), (0, .registryDamaged), (-1, .registryDamaged)]
            as [(Int, AtriumError.Code)])
    func unreleased(version: Int, code: AtriumError.Code) async throws {
        try await host.install(first: "1.0.0", offering: "1.1.0")
        try host.database().execute("PRAGMA user_version = \(version)")
        let other = host.another()
        let (before, bytes) = (try other.tree, try host.sandbox.registry.bytes)
        let error = try expectAll(code, other.registry)
        #expect(error.reason == ErrorReason("registryVersion", ["version": .integer(version)]))
        try await other.refusal(code) { try await other.manager.update(.shop) }
        #expect(try other.tree == before)
        guard code == .registryDamaged else { return }
        let report = try await RegistryRebuild(of: other.manager).run()
        #expect(try #require(report.oldRegistry).bytes == bytes)
        #expect(try other.versions() == ["1.0.0", nil])
    }

    @Test("A folder in place of the registry, or a file in place of the sandbox, isn't treated as an empty registry")
    func notAFile() async throws {
        try host.sandbox.registry.makeFolder()
        _ = try expectAll(.registryDamaged, host.registry)
        let other = TestHost()
        try other.sandbox.root.write("a file")
        _ = try expectAll(.sandboxUnwritable, other.registry)
    }

    @Test("A read-only registry is read but not changed, also by a start, until its permissions change")
    func readOnly() async throws {
        try host.offer(
            SamplePackage(version: "1.0.0"), SamplePackage(version: "1.1.0"), SamplePackage(version: "1.2.0"),
            SamplePackage(identifier: "com.example.app.other"))
        try await host.install(version: "1.0.0")
        try await host.install(version: "1.1.0")
        try host.sandbox.staging.appending("rest").makeFolder()
        await #expect(processExitsWith: .success) { [root = host.root.string as String] in
            let host = TestHost(FilePath(root))
            try becomeReader(of: host.sandbox)
            #expect(try host.versions() == ["1.1.0", "1.0.0"])
            let before = try host.tree
            try await host.manager.prepareForLaunch()
            #expect(try host.log.isEmpty && host.tree == before)
            try await host.refusal(.sandboxUnwritable) { try await host.manager.install("com.example.app.other") }
            try await host.refusal(.sandboxUnwritable) { try await host.manager.update(.shop) }
            try await host.refusal(.sandboxUnwritable) { try await host.manager.rollBack(.shop) }
            try await host.refusal(.sandboxUnwritable) { try await host.manager.uninstall(.shop) }
            #expect(try host.versions() == ["1.1.0", "1.0.0"])
            try becomeWriter(of: host.sandbox)
            try await host.manager.update(.shop)
            #expect(try host.versions() == ["1.2.0", "1.1.0"])
        }
    }

    private func routes(_ firstSegments: String...) throws -> [String] {
        try host.registry.routes.routes(withFirstSegments: firstSegments).map(\.pattern.text).sorted()
    }

    @Test("Only the routes of active versions are returned")
    func routes() async throws {
        try host.offer(
            SamplePackage(version: "1.0.0", routes: ["shop", "shop/old", ":any"]),
            SamplePackage(version: "2.0.0", routes: ["shop", "shop/new"]),
            SamplePackage(identifier: "com.example.app.other", routes: ["other"]))
        try await host.install(version: "1.0.0")
        try await host.manager.install("com.example.app.other")
        #expect(try routes("shop") == ["shop", "shop/old"])
        #expect(try routes("shop", "") == [":any", "shop", "shop/old"])
        #expect(try routes("none") == [])
        try await host.manager.update(.shop)
        #expect(try routes("shop", "") == ["shop", "shop/new"])
        try await host.manager.uninstall(.shop)
        #expect(try routes("shop", "", "other") == ["other"])
        #expect(try host.registry.routes.routes(withFirstSegments: ["other"]).map(\.owner) == ["com.example.app.other"])
    }

    @Test("A pattern with optional groups is found by each first segment, and conflicts in each of its expansions")
    func groups() async throws {
        let other: BundleIdentifier = "com.example.app.other"
        try host.offer(
            SamplePackage(routes: ["(/en)/:page(/x)", "shop#/:tab"]),
            SamplePackage(identifier: other, routes: ["en/:any"]))
        try await host.manager.install(.shop)
        #expect(try routes("en") == ["(/en)/:page(/x)"])
        #expect(try routes("en", "") == ["(/en)/:page(/x)"])
        #expect(try routes("shop") == ["shop#/:tab"])
        let error = try await host.refusal(.routeConflict) { try await host.manager.install(other) }
        #expect(error.reason?.values["owner"] == .text(other) && error.reason?.values["other"] == .text(TestHost.shop))
        try await host.manager.uninstall(.shop)
        #expect(try routes("en", "", "shop") == [])
        try await host.manager.install(other)
    }

    @Test("The registry's identity is that of the opened file even if another file replaces it meanwhile")
    func replaced() throws {
        try withFolderNow { folder in
            let (path, next) = (folder.appending("registry"), folder.appending("next"))
            try path.write("old")
            var openings = 0
            let (text, file) = try Registry.open(
                {
                    let text = try path.text
                    openings += 1
                    if openings == 1 {
                        try next.write("new")
                        try FileSystem.rename(next, to: path)
                    }
                    return text
                }, seeing: { try FileStamp(ofFile: path)?.file })
            #expect(text == "new")
            #expect(try file == FileStamp(ofFile: path)?.file)
            #expect(openings == 2)
        }
    }

    @Test("Opening a registry fails after a bounded number of attempts if it is replaced again and again")
    func restless() throws {
        var status = stat()
        try failing(.sandboxBusy) {
            try Registry.open(
                {},
                seeing: {
                    status.st_ino += 1
                    return FileStamp.File(status)
                })
        }
        #expect(status.st_ino < 100)
    }

    @Test("Reading staged versions doesn't scan the table of all versions")
    func staged() async throws {
        try await host.install(SamplePackage())
        let database = try host.database()
        let plan = try database.query("EXPLAIN QUERY PLAN " + StagedTable.selectAll) { row in
            try row["detail", as: String.self]
        }
        #expect(plan.contains { $0.hasPrefix("SEARCH bundle ") } && !plan.contains { $0.hasPrefix("SCAN bundle") })
    }

    @Test("The registry counts as damaged only if a second connection confirms it, except in a transaction")
    func twice() async throws {
        try await host.install(SamplePackage())
        // They are kept, so that no connection has the address of another.
        var asked: [Database] = []
        func ask(failing times: Int) throws -> Int? {
            try host.registry.read { database in
                asked.append(database)
                if asked.count <= times { throw AtriumError(.registryDamaged, "") }
                return try database.value("SELECT count(*) FROM active", as: Int.self) ?? 0
            }
        }
        #expect(try ask(failing: 1) == 1)
        #expect(asked.count == 2 && asked[0] !== asked[1])
        #expect(throws: AtriumError.self) { try ask(failing: .max) }
        #expect(asked.count == 4)
        // A second connection couldn't see the state of the transaction.
        #expect(throws: AtriumError.self) { try host.registry.write { _ in _ = try ask(failing: .max) } }
        #expect(asked.count == 5)
    }

    /// A way in which a registry loses its content.
    enum Loss: CaseIterable { case removed, emptied }

    private func lose(_ loss: Loss) throws {
        host.registry.disconnect()
        try host.sandbox.registry.remove()
        if loss == .emptied { try host.sandbox.registry.write("") }
    }

    /// Installs two versions, the second of which runs successfully, and offers another bundle.
    private func installVersions() async throws {
        try host.offer(SamplePackage(identifier: "com.example.app.other"))
        let bundle = try await host.install(SamplePackage(version: "1.0.0"), SamplePackage(version: "1.1.0"))
        try host.registry.recordSuccessfulRun(bundle)
    }

    /// The queries and tasks that would otherwise report an empty sandbox.
    private static let readers: [@Sendable (Host) async throws -> Int] = [
        { try $0.transactions.maintenance.verify().count }, { try $0.offers.updateReports().count },
        { try $0.registry.active.all().count },
        { try $0.registry.active.identifiers().count }, { try $0.registry.history.all().count },
        { try $0.registry.routes.all().count },
        { try await $0.registry.routes.matches(for: ResourceURI("app://shop")).count },
        { try $0.registry.staged.all().count }, { try $0.registry.quarantine.all().count },
        { try $0.transactions.staged.reports().count }, { try $0.registry.targetNames().count },
        { try await $0.prepareForLaunch().count },
        { try await $0.transactions.maintenance.collectGarbage().removed.count },
        { try $0.registry.active.versions(of: [TestHost.shop]).count },
    ]

    @Test("Every query and task of a new process fails if the registry is lost", arguments: Loss.allCases)
    func readers(loss: Loss) async throws {
        try await installVersions()
        try lose(loss)
        for read in Self.readers + [{ try $0.diagnosis(of: .shop).findings.count }] {
            // Each is the first access of a new process.
            let other = host.another()
            try await failingAsync(.registryDamaged) { _ = try await read(other.manager) }
        }
    }

    @Test("A missing registry of a sandbox without versions isn't lost: queries return nothing and don't create it")
    func nothingLost() async throws {
        for question in Self.questions { #expect(try question(host.registry)) }
        #expect(!host.sandbox.root.exists)
        for read in Self.readers { #expect(try await read(host.manager) == 0) }
        try host.offer(SamplePackage())
        // Folders without versions don't count.
        _ = try host.sandbox.prepare()
        for read in Self.readers { #expect(try await read(host.manager) == 0) }
        try await host.manager.install(.shop)
        try await host.manager.uninstall(.shop)
        host.registry.disconnect()
        try host.sandbox.registry.remove()
        for read in Self.readers { #expect(try await read(host.another().manager) == 0) }
    }

    @Test("Nothing changes a sandbox with a lost registry until it is rebuilt", arguments: Loss.allCases)
    func refusals(loss: Loss) async throws {
        try await installVersions()
        try lose(loss)
        // The checkup opens the empty database, creates its tables, and doesn't report the versions on disk as leftovers.
        let found = host.findings().filter { $0.severity != .fine }
        #expect(found.map(\.check) == [.registry, .versions, .requirements, .staged, .quarantine, .leftovers])
        #expect(found.allSatisfy { $0.severity == .wrong && $0.remedy == ErrorReason("rebuildRegistry") })
        let (manager, shop) = (host.manager, TestHost.shop)
        try await host.refusal(.registryDamaged) { try await manager.transactions.maintenance.collectGarbage() }
        try await host.refusal(.registryDamaged) { try await manager.install("com.example.app.other") }
        try await host.refusal(.registryDamaged) { try await manager.install(shop, version: host.version("1.0.0")) }
        try await host.refusal(.registryDamaged) { try await manager.update(shop) }
        try await host.refusal(.registryDamaged) { try await manager.rollBack(shop) }
        try await host.refusal(.registryDamaged) {
            try await manager.transactions.uninstall.run([shop], deleteData: true)
        }
        #expect(try await RegistryRebuild(of: manager).run().active.map(\.identity.description) == ["\(shop)@1.1.0"])
        #expect(try host.versions() == ["1.1.0", nil])
        #expect(Checkup(of: manager).findings().allSatisfy { $0.severity != .wrong })
    }

    @Test("Minimum versions survive a lost registry even if no version is left", arguments: Loss.allCases)
    func minimumVersions(loss: Loss) async throws {
        try await installVersions()
        try await host.manager.uninstall(.shop)
        try lose(loss)
        let other = host.another()
        await #expect(throws: AtriumError.self) {
            try await other.manager.install(.shop, version: host.version("1.0.0"))
        }
        // A registry that was created for another bundle knows the minimum version too.
        try await other.manager.install("com.example.app.other")
        #expect(try other.registry.notes.notes(about: .shop).minimumVersion?.description == "1.1.0")
        #expect(try await other.manager.install(.shop).bundle.identity.version.description == "1.1.0")
    }

    @Test("An interrupted first install doesn't look like a lost registry, because the registry is created first")
    func interrupted() async throws {
        try host.offer(SamplePackage())
        let other = TestHost(host.root) { services in
            services.admission = [
                FailingAdmission { [host] in
                    #expect((try? host.sandbox.versionFolders())?.count == 1)
                    #expect((try? host.registry.requireKept()) != nil && host.sandbox.registry.exists)
                }
            ]
        }
        try await other.refusal(.inputOutput) { try await other.manager.install(.shop) }
        #expect(!host.sandbox.registry.exists)
        #expect(try host.sandbox.versionFolders() == [])
    }
}

/// An admission that fails shortly before the commit of an install.
private struct FailingAdmission: Admission {
    let look: @Sendable () -> Void

    func installRule() -> InstallRule { { _ in nil } }

    func permit(_ manifest: Manifest, in folder: FilePath) throws(AtriumError) {
        look()
        throw AtriumError(.inputOutput, "")
    }
}
