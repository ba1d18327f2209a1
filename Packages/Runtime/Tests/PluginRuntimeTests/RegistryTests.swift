@testable import Registry
import HostSystem
import Doctor
import PluginCore
import PluginRouter
import PluginRuntime
import SQLite
import Testing

@Suite("Registry", .tags(.large))
struct RegistryTests {
    private let host: TestHost

    init() throws { host = try TestHost() }

    /// One call of each query.
    private static let questions: [@Sendable (Registry) throws -> Bool] = [
        { try $0.active.all().isEmpty }, { try $0.active.bundle(.shop) == nil },
        { try $0.active.identifiers().isEmpty }, { try $0.history.all().isEmpty },
        { try $0.routes.routes(withFirstSegments: ["shop", ""]).isEmpty }, { try $0.routes.patterns().isEmpty },
        { try $0.targets.target(named: "Shop")?.owner == nil }, { try $0.targets.targets().isEmpty },
    ]

    private func expectAll(
        _ code: AtriumError.Code, _ registry: Registry, _ location: SourceLocation = #_sourceLocation
    ) throws -> AtriumError {
        var last: AtriumError?
        for question in Self.questions {
            let error = try #require(throws: AtriumError.self, sourceLocation: location) { try question(registry) }
            #expect(error.code == code, "\(error)", sourceLocation: location)
            last = error
        }
        return try #require(last)
    }

    @Test("Queries of a missing registry return nothing and don't create it")
    func empty() async throws {
        for question in Self.questions { #expect(try question(host.registry)) }
        #expect(!host.sandbox.root.exists)
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
        _ = try expectAll(.registryDamaged, try host.another().registry)
    }

    @Test("A registry of a newer host is rejected and left unchanged")
    func future() async throws {
        try await host.install(SamplePackage())
        try Database(path: host.sandbox.registry.string).execute("PRAGMA user_version = 99")
        let other = try host.another()
        let before = try other.tree
        let error = try expectAll(.registryNewer, other.registry)
        #expect(error.reason == ErrorReason("registryVersion", ["version": 99]))
        #expect(try other.tree == before)
    }

    @Test(
        "A registry with a version that no release had is rejected and left unchanged, and can be rebuilt",
        arguments: [9, 0, -1])
    func unreleased(version: Int) async throws {
        try await host.install(first: "1.0.0", offering: "1.1.0")
        try Database(path: host.sandbox.registry.string).execute("PRAGMA user_version = \(version)")
        let other = try host.another()
        let (before, bytes) = (try other.tree, try host.sandbox.registry.bytes)
        let error = try expectAll(.registryDamaged, other.registry)
        #expect(error.reason == ErrorReason("registryVersion", ["version": .integer(version)]))
        try await other.refusal(.registryDamaged) { try await other.manager.update(.shop) }
        #expect(try other.tree == before)
        let report = try await RegistryRebuild(of: other.manager).run()
        #expect(try #require(report.oldRegistry).bytes == bytes)
        #expect(try other.versions() == ["1.0.0", nil])
    }

    @Test("A folder in place of the registry, or a file in place of the sandbox, isn't treated as an empty registry")
    func notAFile() async throws {
        try host.sandbox.registry.makeFolder()
        _ = try expectAll(.registryDamaged, host.registry)
        let other = try TestHost()
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
            let host = try TestHost(FilePath(root))
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
        try await host.manager.rollBack(.shop)
        #expect(try routes("shop") == ["shop", "shop/old"])
        try await host.manager.uninstall(.shop)
        #expect(try routes("shop", "", "other") == ["other"])
        #expect(try host.registry.routes.routes(withFirstSegments: ["other"]).map(\.owner) == ["com.example.app.other"])
    }

    @Test("Changes by another host are visible at once, even if the registry was deleted or recreated")
    func replaced() async throws {
        let other = try host.another()
        try await host.install(SamplePackage())
        #expect(try other.registry.active.identifiers() == [TestHost.shop])
        try host.sandbox.root.remove()
        #expect(try other.registry.active.identifiers() == [])
        try await host.manager.install(.shop)
        #expect(try other.registry.active.identifiers() == [TestHost.shop])
        try host.sandbox.root.remove()
        try await other.manager.install(.shop)
        #expect(try host.registry.active.identifiers() == [TestHost.shop])
    }

    @Test("Another process reads back the same version that was installed")
    func reopened() async throws {
        let bundle = try await host.install(
            SamplePackage(appGroups: ["group.com.example.one", "group.com.example.two"], routes: ["shop"]))
        #expect(try host.another().registry.active.bundle(.shop)?.active == bundle)
        #expect(bundle.appGroups == ["group.com.example.one", "group.com.example.two"])
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
}
