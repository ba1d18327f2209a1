@testable import Registry
import PluginRouter
import PluginCore
import PluginRuntime
import SQLite
import Testing

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
        #expect(found.priority == 7 && found.exposure == .external && found.deadline == .seconds(2.5))
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
        try await host.manager.uninstall(.shop)
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
        try await host.manager.update(.shop)
        #expect(try exposures() == [.external])
        #expect(try host.registry.services.services() == ["New"])
        try await host.manager.rollBack(.shop)
        #expect(try exposures() == [.plugins])
        #expect(try host.registry.services.services() == ["Old"])
        #expect(try host.registry.targets.target(named: "Till") == nil)
    }
}
