import PluginCore
import PluginRouter
import Testing

@testable import PluginRuntime

@Suite("A bundle that the catalog could bring")
struct SupplyTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let package: SamplePackage
        let code: AtriumError.Code
        var testDescription: String { name }
    }

    static let other = "com.example.app.other"
    static let cases = [
        Case(
            name: "a requirement that nobody meets",
            package: SamplePackage(requires: ["com.example.app.account": "^1.0.0"], routes: ["shop"]),
            code: .requirementUnmet),
        Case(
            name: "a requirement above what can be had",
            package: SamplePackage(requires: [other: "^2.0.0"], routes: ["shop"]), code: .requirementUnmet),
        Case(
            name: "a route of another bundle's",
            package: SamplePackage(routes: ["shop", "item/:number(/:tab)"]), code: .routeConflict),
        Case(
            name: "a target of another bundle's", package: SamplePackage(routes: ["shop"], targets: ["Other"]),
            code: .targetConflict),
        Case(
            name: "a service of another bundle's", package: SamplePackage(routes: ["shop"], services: ["Stock"]),
            code: .serviceConflict),
        Case(
            name: "an older Core", package: SamplePackage(coreABI: CoreVersion.abi - 1, routes: ["shop"]),
            code: .libraryIncompatible),
        Case(
            name: "a newer Core", package: SamplePackage(coreABI: CoreVersion.abi + 1, routes: ["shop"]),
            code: .libraryIncompatible),
    ]

    @Test("is not named for an address when its manifest says that it can not be installed", arguments: cases)
    func refused(_ refused: Case) async throws {
        try await withHost { host in
            try host.offer(
                SamplePackage(identifier: Self.other, routes: ["item/:id"], targets: ["Other"], services: ["Stock"]),
                refused.package)
            try await host.manager.install(Self.other)
            let (router, _) = await host.manager.connect(SilentNavigator(), supply: host.manager)
            try router.fallback(.everything, to: .handler { _ in .object("fallback") })
            let query = RouteQuery(try ResourceURI("app://shop"), as: [.page], for: .host)
            #expect(try await host.manager.supplier(ofRoute: query) == nil)
            #expect(await !router.canOpen(query.uri))
            // Whoever opens it hears what installing it would say.
            let opening = try await host.refusal(refused.code) { try await router.open(query.uri.text) }
            let installing = try await host.refusal(refused.code) { try await host.manager.install(TestHost.shop) }
            #expect((opening.subject, opening.detail) == (installing.subject, installing.detail))
            #expect(opening.problems.first == installing.problems.first)
        }
    }

    @Test("is the newest version that was not put away; when none is left, that is why nothing opens")
    func putAway() async throws {
        try await withHost { host in
            try host.offer(SamplePackage(routes: ["shop"]), SamplePackage(version: "2.0.0", routes: ["shop", "new"]))
            try host.offer(SamplePackage(identifier: Self.other))
            try await host.manager.install(Self.other)
            try host.putAway("2.0.0")
            await host.manager.connect(SilentNavigator(), supply: host.manager)
            let query = RouteQuery(try ResourceURI("app://shop"), as: [.page], for: .host)
            #expect(try await host.manager.supplier(ofRoute: query) == TestHost.shop)
            #expect(try host.manager.offer(of: TestHost.shop)?.identity.version.description == "1.0.0")
            let new = RouteQuery(try ResourceURI("app://new"), as: [.page], for: .host)
            #expect(try await host.manager.supplier(ofRoute: new) == nil)
            #expect(try await host.manager.refusal(ofRoute: new)?.code == .quarantined)
            try host.putAway("1.0.0")
            #expect(try await host.manager.supplier(ofRoute: query) == nil)
            #expect(try await host.manager.refusal(ofRoute: query)?.code == .quarantined)
        }
    }

    @Test("is the version that an install would bring, for addresses, targets and services")
    func older() async throws {
        try await withHost { host in
            try host.offer(
                SamplePackage(routes: ["shop"], targets: ["Shop"], services: ["Stock"]),
                SamplePackage(
                    version: "2.0.0", requires: [Self.other: "^9.0.0"], routes: ["shop"], targets: ["Shop"],
                    services: ["Stock", "New"]))
            await host.manager.connect(SilentNavigator(), supply: host.manager)
            let query = RouteQuery(try ResourceURI("app://shop"), as: [.page], for: .host)
            #expect(try await host.manager.supplier(ofRoute: query) == TestHost.shop)
            #expect(try await host.manager.supplier(ofTarget: "Shop")?.owner == TestHost.shop)
            #expect(try await host.manager.supplier(ofService: "Stock") == TestHost.shop)
            #expect(try await host.manager.supplier(ofService: "New") == nil)
        }
    }

    @Test("is named for an address when another one that would serve it can not be installed")
    func next() async throws {
        try await withHost { host in
            let able = "com.example.app.zoo"
            try host.offer(
                SamplePackage(coreABI: CoreVersion.abi + 1, routes: ["shop"]),
                SamplePackage(identifier: able, routes: ["shop"]))
            let query = RouteQuery(try ResourceURI("app://shop"), as: [.page], for: .host)
            #expect(try await host.manager.supplier(ofRoute: query) == able)
        }
    }
}

extension TestHost {
    /// Writes down that a version brought a host down, and was put away.
    func putAway(_ version: String) throws {
        let identity = BundleIdentity(identifier: Self.shop, version: try self.version(version))
        try registry.restore(
            floors: [:],
            quarantine: [QuarantinedVersion(identity: identity, digest: "", reason: "it crashed", at: 1)])
    }
}
