import PluginCore
import PluginRouter
import PluginRuntime
import SQLite
import Testing
@testable import Registry

@Suite("Manifest declarations in the registry", .tags(.medium))
struct DeclarationTests {
    private let host: TestHost

    init() throws { host = try TestHost() }

    static let search = #"""
        {"pattern": "find", "handler": "find", "priority": 7, "exposure": "external", "deadline": 2.5, "mayDecline": true}
        """#
    static let till = #"""
        {"name": "Till", "actions": ["total", {"name": "open", "exposure": "internal"},
                                     {"name": "pay", "exposure": "external"}]}
        """#

    @Test("A route's priority, exposure, deadline and permission to decline reach the registry")
    func route() async throws {
        try await host.install(SamplePackage(routes: [Self.search, "shop"]))
        let found = try #require(try host.another().registry.routes.routes(withFirstSegments: ["find"]).first)
        #expect(found.priority == 7)
        #expect(found.exposure == .external)
        #expect(found.deadline == .seconds(2.5))
        #expect(found.mayDecline)
        let shop = try #require(try host.registry.routes.routes(withFirstSegments: ["shop"]).first)
        #expect((shop.priority, shop.exposure, shop.mayDecline) == (0, .plugins, false))
        #expect(shop.deadline == nil)
    }

    @Test("A target's owner, and its actions with their order and exposure, reach the registry")
    func target() async throws {
        try await host.install(SamplePackage(targets: [Self.till, #"{"name": "Empty", "actions": []}"#]))
        let registry = try host.another().registry
        let till = try #require(try registry.targets.target(named: "Till"))
        #expect(till.owner == TestHost.shop.text)
        #expect(till.actions.map(\.name) == ["total", "open", "pay"])
        #expect(till.actions.map(\.exposure) == [.plugins, .internal, .external])
        #expect(try registry.targets.target(named: "Empty")?.actions == [])
        #expect(try registry.targets.target(named: "None") == nil)
    }

    @Test("Declared services are found by name and removed with their bundle")
    func services() async throws {
        try await host.install(SamplePackage(targets: [Self.till], services: ["Stock", "PriceList"]))
        #expect(try host.registry.services.owner(ofService: "Stock") == TestHost.shop.text)
        #expect(try host.registry.services.services() == ["PriceList", "Stock"])
        try await host.manager.uninstall(TestHost.shop)
        #expect(try host.registry.services.owner(ofService: "Stock") == nil)
        #expect(try host.registry.targets.target(named: "Till") == nil)
        let left = try Database(path: host.sandbox.registry.string).value("SELECT count(*) FROM action", as: Int.self)
        #expect(left == 0)
    }

    @Test("Declarations change with the active version and return with a rollback")
    func versions() async throws {
        let closed = #"{"pattern": "find", "page": "find"}"#
        try host.offer(
            SamplePackage(version: "1.0.0", routes: [closed], services: ["Old"]),
            SamplePackage(version: "2.0.0", routes: [Self.search], targets: [Self.till], services: ["New"]))
        func exposures() throws -> [Exposure] {
            try host.registry.routes.routes(withFirstSegments: ["find"]).map(\.exposure)
        }
        try await host.install(version: "1.0.0")
        #expect(try exposures() == [.plugins])
        try await host.manager.update(TestHost.shop)
        #expect(try exposures() == [.external])
        #expect(try host.registry.services.services() == ["New"])
        try await host.manager.rollBack(TestHost.shop)
        #expect(try exposures() == [.plugins])
        #expect(try host.registry.services.services() == ["Old"])
        #expect(try host.registry.targets.target(named: "Till") == nil)
    }

    @Test("A service that another bundle declares is rejected with both bundles' identifiers")
    func conflict() async throws {
        let other: BundleIdentifier = "com.example.app.other"
        try host.offer(
            SamplePackage(services: ["Stock"]), SamplePackage(identifier: other, services: ["Prices", "Stock"]))
        try await host.manager.install(TestHost.shop)
        let error = try await host.refusal(.serviceConflict) { try await host.manager.install(other) }
        #expect(error.subject == "Stock")
        #expect(error.reason?.description == "bothProvide(other: \(TestHost.shop), owner: \(other))")
        try await host.manager.uninstall(TestHost.shop)
        try await host.manager.install(other)
    }
}
